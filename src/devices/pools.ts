// Dynamic resource allocation: complete resource pools from ResourceSlices.
import type { Device } from '../cel/index.ts';

/** A device in a pool. */
export interface PooledDevice extends Device {
  readonly pool: string;
  readonly name: string;
}

/** A part of a pool, as a driver publishes it. */
export interface Slice {
  readonly driver: string;
  readonly pool: string;
  /** Which state of the pool it belongs to, and how many slices that has. */
  readonly generation: number;
  readonly count: number;
  readonly devices: readonly PooledDevice[];
}

/** The devices to choose from. */
export interface Pools {
  /** The devices of the latest generation of each pool. */
  readonly devices: readonly PooledDevice[];
  /** How many more there are that belong to a state before. */
  readonly outdated: number;
  /** The pools of which some slices are not there yet. */
  readonly incomplete: readonly string[];
}

/** Puts slices together to pools. Slices of an older generation no longer count. */
export function poolsOf(slices: readonly Slice[]): Pools {
  const newest = new Map<string, number>();
  const idOf = ({ driver, pool }: Slice) => `${driver}/${pool}`;
  for (const slice of slices) {
    newest.set(idOf(slice), Math.max(newest.get(idOf(slice)) ?? 0, slice.generation));
  }
  const current = slices.filter((slice) => slice.generation === newest.get(idOf(slice)));
  const there = new Map<string, number>();
  for (const slice of current) there.set(idOf(slice), (there.get(idOf(slice)) ?? 0) + 1);
  const incomplete = current.filter((slice) => there.get(idOf(slice))! < slice.count).map(idOf);
  const devices = current.flatMap((slice) => slice.devices);
  const all = slices.reduce((sum, slice) => sum + slice.devices.length, 0);
  return { devices, outdated: all - devices.length, incomplete: [...new Set(incomplete)] };
}
