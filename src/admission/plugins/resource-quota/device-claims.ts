// ResourceQuota evaluator of ResourceClaims (dynamic resource allocation): counts claims, and devices by device class.
import type { DeviceRequest, DeviceSubRequest } from '../../../apis/resource/resource-claim-spec.ts';
import type { ResourceClaim } from '../../../apis/resource/resourceclaim.ts';
import type { Dialect } from '../../../dialect/dialect.ts';
import type { QuotaEvaluator } from './evaluator.ts';
import { countQuantity } from './usage.ts';

/** The limit of devices in the allocation of one claim; allocationMode All is charged as this many. */
const maxDevicesPerClaim = 32;

export function deviceClaimEvaluator(countName: string, dialect: Dialect): QuotaEvaluator<ResourceClaim> {
  const classSuffix = `.deviceclass.${dialect.groupName('resource')}/devices`;
  return {
    counts: (name) => name === countName || name.endsWith(classSuffix),
    usage({ spec }) {
      const counts = new Map<string, number>();
      for (const request of spec.devices?.requests ?? []) {
        for (const [name, count] of devicesOf(request)) counts.set(name, (counts.get(name) ?? 0) + count);
      }
      return new Map([
        [countName, countQuantity(1)],
        ...[...counts].map(([name, count]) => [`${name}${classSuffix}`, countQuantity(count)] as const),
      ]);
    },
  };
}

/**
 * The most devices of each class that a request can allocate. Of its alternatives (firstAvailable) the largest count
 * matters.
 */
function devicesOf(request: DeviceRequest): ReadonlyMap<string, number> {
  const countByClass = new Map<string, number>();
  const alternatives: readonly (DeviceRequest | DeviceSubRequest)[] = request.firstAvailable?.length
    ? request.firstAvailable
    : [request];
  for (const { deviceClassName, allocationMode, count } of alternatives) {
    const devices = allocationMode === 'All' ? maxDevicesPerClaim : Number(count ?? 1);
    countByClass.set(deviceClassName, Math.max(countByClass.get(deviceClassName) ?? 0, devices));
  }
  return countByClass;
}
