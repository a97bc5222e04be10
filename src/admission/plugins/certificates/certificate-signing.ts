// Admission plugin CertificateSigning: writing the status of a CertificateSigningRequest takes the verb "sign" on its
// signer.
import {
  type CertificateSigningRequest,
  CertificateSigningRequestStatus,
} from '../../../apis/certificates/certificatesigningrequest.ts';
import type { AdmissionTarget } from '../../../registry/write/admission-control.ts';
import { isSemanticallyEqual } from '../../../schema/semantic-equality.ts';
import type { Attributes } from '../../attributes.ts';
import type { Plugin } from '../../plugin.ts';
import { requireSignerAccess } from './signer-access.ts';

export class CertificateSigning implements Plugin<CertificateSigningRequest, CertificateSigningRequest> {
  readonly name = 'CertificateSigning';

  handles({ resource, subresource, operation }: AdmissionTarget): boolean {
    const isRequest = resource.prefix === 'certificatesigningrequests';
    return isRequest && subresource === 'status' && operation === 'UPDATE';
  }

  validate(
    attributes: Attributes<CertificateSigningRequest, CertificateSigningRequest>,
  ): void | Promise<void> {
    const { spec, status } = attributes.object;
    if (isSemanticallyEqual(CertificateSigningRequestStatus, status, attributes.oldObject.status)) return;
    return requireSignerAccess('sign', spec.signerName, attributes);
  }
}
