// Dynamic resource allocation: groups ResourceSlices into pools. A driver publishes a pool of devices as several slices, and
// replaces it by publishing slices of a higher generation.
import type { Device } from '../cel/index.ts';

export interface PooledDevice extends Device {
  readonly pool: string;
  readonly name: string;
}

/** The fields of a ResourceSlice that pools need. */
export interface PoolSlice {
  readonly driver: string;
  readonly pool: string;
  /** spec.pool.generation; only slices of the latest generation count. */
  readonly generation: number;
  /** spec.pool.resourceSliceCount: how many slices the pool has in this generation. */
  readonly sliceCount: number;
  readonly devices: readonly PooledDevice[];
}

export interface Pools {
  /** The devices of the latest generation of each pool. */
  readonly devices: readonly PooledDevice[];
  /** The number of devices of older generations. */
  readonly outdatedDeviceCount: number;
  /** `driver/pool` of pools with missing slices. */
  readonly incompletePools: readonly string[];
}

/** Groups slices into pools and drops slices of older generations. */
export function groupIntoPools(slices: readonly PoolSlice[]): Pools {
  const latestGenerations = new Map<string, number>();
  for (const slice of slices) {
    const name = poolName(slice);
    latestGenerations.set(name, Math.max(latestGenerations.get(name) ?? 0, slice.generation));
  }
  const latestSlices = slices.filter((slice) => slice.generation === latestGenerations.get(poolName(slice)));
  const presentCounts = new Map<string, number>();
  for (const slice of latestSlices) {
    const name = poolName(slice);
    presentCounts.set(name, (presentCounts.get(name) ?? 0) + 1);
  }
  const slicesOfIncompletePools = latestSlices.filter(
    (slice) => presentCounts.get(poolName(slice))! < slice.sliceCount,
  );
  const devices = latestSlices.flatMap((slice) => slice.devices);
  const deviceCount = slices.reduce((sum, slice) => sum + slice.devices.length, 0);
  return {
    devices,
    outdatedDeviceCount: deviceCount - devices.length,
    incompletePools: [...new Set(slicesOfIncompletePools.map(poolName))],
  };
}

const poolName = ({ driver, pool }: PoolSlice) => `${driver}/${pool}`;
