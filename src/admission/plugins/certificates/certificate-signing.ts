import {
  type CertificateSigningRequest,
  CertificateSigningRequestStatus,
} from '../../../apis/certificates/certificatesigningrequest.ts';
import type { AdmissionTarget } from '../../../registry/write/admission-control.ts';
import { isSame } from '../../../schema/same.ts';
import type { Attributes } from '../../attributes.ts';
import type { Plugin } from '../../plugin.ts';
import { refuseUnlessMay } from './signer-rights.ts';

/** Certificates come from who may sign for the signer that was asked. */
export class CertificateSigning implements Plugin {
  readonly name = 'CertificateSigning';

  concerns({ resource, subresource, operation }: AdmissionTarget): boolean {
    const isRequest = resource.prefix === 'certificatesigningrequests';
    return isRequest && subresource === 'status' && operation === 'UPDATE';
  }

  validate(attributes: Attributes): void | Promise<void> {
    const { spec, status } = attributes.object as CertificateSigningRequest;
    const { status: before } = attributes.old as CertificateSigningRequest;
    if (isSame(CertificateSigningRequestStatus, status, before)) return;
    return refuseUnlessMay('sign', spec.signerName, attributes);
  }
}
