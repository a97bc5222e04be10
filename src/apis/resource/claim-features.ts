import type { Features } from '../../kind/features/features.ts';
import type { DeviceToleration } from './device-parts.ts';
import type { ResourceClaimStatus } from './resource-claim-status.ts';

/** What all versions of a request have in common, be it for a class or one of several alternatives. */
interface Wish {
  adminAccess?: boolean;
  tolerations?: DeviceToleration[];
}

/** A request in any version: v1beta2 has the wish in `exactly`, others have it in the request itself. */
interface AnyRequest extends Wish {
  readonly exactly?: Wish;
  firstAvailable?: Wish[];
}

export interface AnyClaim {
  readonly devices: { readonly requests?: AnyRequest[] };
}

const wishesOf = (request: AnyRequest): Wish[] => [
  request,
  ...(request.exactly ? [request.exactly] : []),
  ...(request.firstAvailable ?? []),
];

/** Takes out of a claim what belongs to features that are off, unless the claim had it before. */
export function dropFromClaim(claim: AnyClaim, old: AnyClaim | undefined, features: Features): void {
  const requests = claim.devices.requests ?? [];
  const before = old?.devices.requests ?? [];
  const had = (uses: (wish: Wish) => boolean) => before.some((request) => wishesOf(request).some(uses));
  if (!features.enabled('DRAPrioritizedList') && !before.some(({ firstAvailable }) => firstAvailable)) {
    for (const request of requests) delete request.firstAvailable;
  }
  if (!features.enabled('DRAAdminAccess') && !had(({ adminAccess }) => adminAccess !== undefined)) {
    for (const wish of requests.flatMap(wishesOf)) delete wish.adminAccess;
  }
  if (!features.enabled('DRADeviceTaints') && !had(({ tolerations }) => tolerations !== undefined)) {
    for (const wish of requests.flatMap(wishesOf)) delete wish.tolerations;
  }
}

/** The same for the status of a claim. */
export function dropFromStatus(
  status: ResourceClaimStatus,
  old: ResourceClaimStatus,
  features: Features,
): void {
  const results = status.allocation?.devices.results ?? [];
  const before = old.allocation?.devices.results ?? [];
  if (!features.enabled('DRAResourceClaimDeviceStatus') && !old.devices) delete status.devices;
  if (!features.enabled('DRAAdminAccess') && before.every(({ adminAccess }) => adminAccess === undefined)) {
    for (const result of results) delete result.adminAccess;
  }
  if (!features.enabled('DRADeviceTaints') && before.every(({ tolerations }) => tolerations === undefined)) {
    for (const result of results) delete result.tolerations;
  }
}
