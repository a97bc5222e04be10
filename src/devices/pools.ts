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

/** A pool with the slices of its latest generation. */
export interface Pool<Slice extends PoolSlice = PoolSlice> {
  /** `driver/pool`. */
  readonly name: string;
  readonly slices: readonly Slice[];
  /** Whether all slices of the generation exist. */
  readonly isComplete: boolean;
  /** The name that several devices of the pool have; undefined if all names are unique. */
  readonly duplicate: string | undefined;
}

/** Groups slices into pools, in the order of their names, and drops slices of older generations. */
export function poolsOf<Slice extends PoolSlice>(slices: readonly Slice[]): Pool<Slice>[] {
  const latest = new Map<string, Slice[]>();
  for (const slice of slices) {
    const name = poolName(slice);
    const known = latest.get(name);
    const generation = known?.[0]?.generation ?? Number.NEGATIVE_INFINITY;
    if (slice.generation > generation) latest.set(name, [slice]);
    else if (slice.generation === generation) known!.push(slice);
  }
  return [...latest]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, members]) => ({
      name,
      slices: members,
      isComplete: members.length >= members[0]!.sliceCount,
      duplicate: duplicateName(members),
    }));
}

function duplicateName(slices: readonly PoolSlice[]): string | undefined {
  const names = new Set<string>();
  for (const { name } of slices.flatMap(({ devices }) => devices)) {
    if (names.has(name)) return name;
    names.add(name);
  }
  return undefined;
}

/** The devices of all pools, for `orch device`. */
export function groupIntoPools(slices: readonly PoolSlice[]): Pools {
  const pools = poolsOf(slices);
  const devices = pools.flatMap((pool) => pool.slices.flatMap((slice) => slice.devices));
  const deviceCount = slices.reduce((sum, slice) => sum + slice.devices.length, 0);
  return {
    devices,
    outdatedDeviceCount: deviceCount - devices.length,
    incompletePools: pools.filter(({ isComplete }) => !isComplete).map(({ name }) => name),
  };
}

const poolName = ({ driver, pool }: PoolSlice) => `${driver}/${pool}`;
