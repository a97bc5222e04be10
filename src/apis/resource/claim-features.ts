// ResourceClaim (DRA): drops fields of disabled feature gates, unless the stored claim uses them.

import type { Features } from '../../kind/features/features.ts';
import type { DeviceToleration } from './device-parts.ts';
import type { ResourceClaimStatus } from './resource-claim-status.ts';

/** The gated fields that requests and subrequests share in all versions. */
interface RequestSpec {
  adminAccess?: boolean;
  tolerations?: DeviceToleration[];
}

/** A request in any version: v1beta2 has the fields in `exactly`, other versions in the request itself. */
interface AnyRequest extends RequestSpec {
  readonly exactly?: RequestSpec;
  firstAvailable?: RequestSpec[];
}

/** The spec of a ResourceClaim in any version. */
export interface AnyClaim {
  readonly devices: { readonly requests?: AnyRequest[] };
}

const allRequestSpecs = (request: AnyRequest): RequestSpec[] => [
  request,
  ...(request.exactly ? [request.exactly] : []),
  ...(request.firstAvailable ?? []),
];

/** Drops fields of disabled features, unless the stored claim already uses the feature. */
export function dropDisabledClaimFields(
  claim: AnyClaim,
  old: AnyClaim | undefined,
  features: Features,
): void {
  const requests = claim.devices.requests ?? [];
  const oldRequests = old?.devices.requests ?? [];
  const wasUsed = (uses: (spec: RequestSpec) => boolean) =>
    oldRequests.some((request) => allRequestSpecs(request).some(uses));
  if (!features.enabled('DRAPrioritizedList') && !oldRequests.some(({ firstAvailable }) => firstAvailable)) {
    for (const request of requests) delete request.firstAvailable;
  }
  if (!features.enabled('DRAAdminAccess') && !wasUsed(({ adminAccess }) => adminAccess !== undefined)) {
    for (const spec of requests.flatMap(allRequestSpecs)) delete spec.adminAccess;
  }
  if (!features.enabled('DRADeviceTaints') && !wasUsed(({ tolerations }) => tolerations !== undefined)) {
    for (const spec of requests.flatMap(allRequestSpecs)) delete spec.tolerations;
  }
}

/** Drops status fields of disabled features, unless the stored status already uses the feature. */
export function dropDisabledClaimStatusFields(
  status: ResourceClaimStatus,
  old: ResourceClaimStatus,
  features: Features,
): void {
  const results = status.allocation?.devices.results ?? [];
  const oldResults = old.allocation?.devices.results ?? [];
  if (!features.enabled('DRAResourceClaimDeviceStatus') && !old.devices) delete status.devices;
  if (
    !features.enabled('DRAAdminAccess') &&
    oldResults.every(({ adminAccess }) => adminAccess === undefined)
  ) {
    for (const result of results) delete result.adminAccess;
  }
  if (
    !features.enabled('DRADeviceTaints') &&
    oldResults.every(({ tolerations }) => tolerations === undefined)
  ) {
    for (const result of results) delete result.tolerations;
  }
}
