// Admission plugin CertificateSubjectRestriction: no client certificate of the API server signer carries the group
// system:masters.
import type { CertificateSigningRequest } from '../../../apis/certificates/certificatesigningrequest.ts';
import { parseRequest } from '../../../apis/certificates/certificatesigningrequest-validation.ts';
import type { AdmissionTarget } from '../../../registry/write/admission-control.ts';
import { mastersGroup } from '../../../request/authenticator.ts';
import type { Attributes } from '../../attributes.ts';
import { newForbidden } from '../../new-forbidden.ts';
import type { Plugin } from '../../plugin.ts';

export class CertificateSubjectRestriction implements Plugin<CertificateSigningRequest> {
  readonly name = 'CertificateSubjectRestriction';

  handles({ resource, subresource, operation }: AdmissionTarget): boolean {
    return resource.prefix === 'certificatesigningrequests' && subresource === '' && operation === 'CREATE';
  }

  validate(attributes: Attributes<CertificateSigningRequest>): void {
    const { signerName, request } = attributes.object.spec;
    if (signerName !== attributes.api.dialect.signers.apiServerClient) return;
    if (!parseRequest(request ?? '').organizations.includes(mastersGroup)) return;
    throw newForbidden(attributes, `use of ${signerName} signer with ${mastersGroup} group is not allowed`);
  }
}
