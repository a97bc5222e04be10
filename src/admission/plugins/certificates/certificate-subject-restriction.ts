import type { CertificateSigningRequest } from '../../../apis/certificates/certificatesigningrequest.ts';
import { parseRequest } from '../../../apis/certificates/certificatesigningrequest-validation.ts';
import type { AdmissionTarget } from '../../../registry/write/admission-control.ts';
import { mastersGroup } from '../../../request/authenticator.ts';
import type { Attributes } from '../../attributes.ts';
import type { Plugin } from '../../plugin.ts';
import { refusal } from '../../refusal.ts';

/** Who may do everything is not made by a certificate that the server's own signer gives out. */
export class CertificateSubjectRestriction implements Plugin {
  readonly name = 'CertificateSubjectRestriction';

  concerns({ resource, subresource, operation }: AdmissionTarget): boolean {
    return resource.prefix === 'certificatesigningrequests' && subresource === '' && operation === 'CREATE';
  }

  validate(attributes: Attributes): void {
    const { signerName, request } = (attributes.object as CertificateSigningRequest).spec;
    if (signerName !== attributes.api.dialect.signers.apiServerClient) return;
    if (!parseRequest(request ?? '').organizations.includes(mastersGroup)) return;
    throw refusal(attributes, `use of ${signerName} signer with ${mastersGroup} group is not allowed`);
  }
}
