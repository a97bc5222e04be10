import type { CertificateSigningRequest } from '../../../apis/certificates/certificatesigningrequest.ts';
import type { AdmissionTarget } from '../../../registry/write/admission-control.ts';
import type { Attributes } from '../../attributes.ts';
import type { Plugin } from '../../plugin.ts';
import { refuseUnlessMay } from './signer-rights.ts';

/** Requests for certificates are decided about by who may do so for their signer. */
export class CertificateApproval implements Plugin {
  readonly name = 'CertificateApproval';

  concerns({ resource, subresource, operation }: AdmissionTarget): boolean {
    const isRequest = resource.prefix === 'certificatesigningrequests';
    return isRequest && subresource === 'approval' && operation === 'UPDATE';
  }

  validate(attributes: Attributes): Promise<void> {
    const { spec } = attributes.object as CertificateSigningRequest;
    return refuseUnlessMay('approve', spec.signerName, attributes);
  }
}
