// What the controllers of CertificateSigningRequests share: the resource, and updates of its status.
import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
} from '../../apis/certificates/certificatesigningrequest.ts';
import type { Manifest } from '../../client/client.ts';
import type { ResourceId } from '../../client/informers.ts';

export const signingRequests: ResourceId = {
  group: 'certificates',
  version: 'v1',
  resource: 'certificatesigningrequests',
};

/** Returns the request with a condition added that is true from `now` on. */
export function withCondition(
  request: CertificateSigningRequest,
  { type, reason, message }: Pick<CertificateSigningRequestCondition, 'type' | 'reason' | 'message'>,
  now: string,
): Manifest {
  const condition = { type, status: 'True', reason, message, lastUpdateTime: now };
  const conditions = [...(request.status.conditions ?? []), condition];
  return withStatus(request, { conditions });
}

export function withStatus(request: CertificateSigningRequest, changes: object): Manifest {
  return { ...request, status: { ...request.status, ...changes } } as unknown as Manifest;
}

export function hasCondition({ status }: CertificateSigningRequest, conditionType: string): boolean {
  return status.conditions?.some(({ type }) => type === conditionType) ?? false;
}
