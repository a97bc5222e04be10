// ResourceQuota evaluator of ResourceClaims (dynamic resource allocation).
import type { DeviceRequest, DeviceSubRequest } from '../../../apis/resource/resource-claim-spec.ts';
import type { ResourceClaim } from '../../../apis/resource/resourceclaim.ts';
import type { Dialect } from '../../../dialect/dialect.ts';
import type { Evaluator } from './evaluator.ts';
import { counted } from './usage.ts';

/** As many as can be given to one claim: what "all" comes to at most. */
const mostDevices = 32;

export function deviceClaims(total: string, dialect: Dialect): Evaluator<ResourceClaim> {
  const ofClass = `.deviceclass.${dialect.groupName('resource')}/devices`;
  return {
    counts: (name) => name === total || name.endsWith(ofClass),
    usage({ spec }) {
      const counts = new Map<string, number>();
      for (const request of spec.devices?.requests ?? []) {
        for (const [name, count] of devicesOf(request)) counts.set(name, (counts.get(name) ?? 0) + count);
      }
      return new Map([
        [total, counted(1)],
        ...[...counts].map(([name, count]) => [`${name}${ofClass}`, counted(count)] as const),
      ]);
    },
  };
}

/** How many devices of each class a request may come to, whichever of its alternatives is taken. */
function devicesOf(request: DeviceRequest): ReadonlyMap<string, number> {
  const most = new Map<string, number>();
  const alternatives: readonly (DeviceRequest | DeviceSubRequest)[] = request.firstAvailable?.length
    ? request.firstAvailable
    : [request];
  for (const { deviceClassName, allocationMode, count } of alternatives) {
    const devices = allocationMode === 'All' ? mostDevices : Number(count ?? 1);
    most.set(deviceClassName, Math.max(most.get(deviceClassName) ?? 0, devices));
  }
  return most;
}
