// Admission plugin CertificateApproval: approving a CertificateSigningRequest takes the verb "approve" on its signer.
import type { CertificateSigningRequest } from '../../../apis/certificates/certificatesigningrequest.ts';
import type { AdmissionTarget } from '../../../registry/write/admission-control.ts';
import type { Attributes } from '../../attributes.ts';
import type { Plugin } from '../../plugin.ts';
import { requireSignerAccess } from './signer-access.ts';

export class CertificateApproval implements Plugin<CertificateSigningRequest> {
  readonly name = 'CertificateApproval';

  handles({ resource, subresource, operation }: AdmissionTarget): boolean {
    const isRequest = resource.prefix === 'certificatesigningrequests';
    return isRequest && subresource === 'approval' && operation === 'UPDATE';
  }

  validate(attributes: Attributes<CertificateSigningRequest>): Promise<void> {
    return requireSignerAccess('approve', attributes.object.spec.signerName, attributes);
  }
}
