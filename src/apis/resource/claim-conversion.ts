// ResourceClaim (DRA): conversion of specs between v1beta1 and v1beta2.

import type { DeviceRequest, ResourceClaimSpec } from './resource-claim-spec.ts';
import type { DeviceRequestV1beta2, ResourceClaimSpecV1beta2 } from './resource-claim-spec-v1beta2.ts';

/** v1beta2 has the fields of a request in `exactly`, beside `firstAvailable`. Validation works on v1beta2. */
export function claimToV1beta2({ devices }: ResourceClaimSpec): ResourceClaimSpecV1beta2 {
  const { requests, ...others } = devices;
  return { devices: { ...others, ...(requests && { requests: requests.map(requestToV1beta2) }) } };
}

export function claimFromV1beta2({ devices }: ResourceClaimSpecV1beta2): ResourceClaimSpec {
  const { requests, ...others } = devices;
  return { devices: { ...others, ...(requests && { requests: requests.map(requestFromV1beta2) }) } };
}

function requestToV1beta2(request: DeviceRequest): DeviceRequestV1beta2 {
  const { name, firstAvailable, ...exactly } = request;
  const alternatives = firstAvailable && { firstAvailable };
  // Without any field of an exact request, v1beta2 has no `exactly`.
  const hasExactRequest = Object.values(exactly).some(
    (value) => value !== undefined && value !== '' && value !== 0,
  );
  return hasExactRequest ? { name, exactly, ...alternatives } : { name, ...alternatives };
}

function requestFromV1beta2({ name, exactly, firstAvailable }: DeviceRequestV1beta2): DeviceRequest {
  return { name, deviceClassName: '', ...exactly, ...(firstAvailable && { firstAvailable }) };
}
