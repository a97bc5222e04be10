// Dynamic resource allocation: complete resource pools from ResourceSlices.
import type { Device } from '../cel/index.ts';

/** A device in a pool. */
export interface PooledDevice extends Device {
  readonly pool: string;
  readonly name: string;
}

/** The pool part of a ResourceSlice. */
export interface PoolSlice {
  readonly driver: string;
  readonly pool: string;
  /** spec.pool.generation; only slices of the latest generation count. */
  readonly generation: number;
  readonly count: number;
  readonly devices: readonly PooledDevice[];
}

/** The devices to choose from. */
export interface Pools {
  /** The devices of the latest generation of each pool. */
  readonly devices: readonly PooledDevice[];
  /** The number of devices of older generations. */
  readonly outdated: number;
  /** Pools with missing slices. */
  readonly incomplete: readonly string[];
}

/** Groups slices into pools and drops slices of older generations. */
export function poolsOf(slices: readonly PoolSlice[]): Pools {
  const latestGeneration = new Map<string, number>();
  const idOf = ({ driver, pool }: PoolSlice) => `${driver}/${pool}`;
  for (const slice of slices) {
    latestGeneration.set(idOf(slice), Math.max(latestGeneration.get(idOf(slice)) ?? 0, slice.generation));
  }
  const current = slices.filter((slice) => slice.generation === latestGeneration.get(idOf(slice)));
  const presentSlices = new Map<string, number>();
  for (const slice of current) presentSlices.set(idOf(slice), (presentSlices.get(idOf(slice)) ?? 0) + 1);
  const incomplete = current.filter((slice) => presentSlices.get(idOf(slice))! < slice.count).map(idOf);
  const devices = current.flatMap((slice) => slice.devices);
  const deviceCount = slices.reduce((sum, slice) => sum + slice.devices.length, 0);
  return { devices, outdated: deviceCount - devices.length, incomplete: [...new Set(incomplete)] };
}
