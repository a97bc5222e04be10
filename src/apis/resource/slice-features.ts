import type { Features } from '../../kind/features/features.ts';
import type { DeviceTaint } from './device-parts.ts';

/** What a device in any version has that belongs to features which can be off. */
interface Parts {
  consumesCounters?: unknown[];
  nodeName?: string;
  nodeSelector?: unknown;
  allNodes?: boolean;
  taints?: DeviceTaint[];
}

/** A device in any version: v1beta2 has its parts in itself, others in `basic`. */
interface AnyDevice extends Parts {
  readonly basic?: Parts;
}

export interface AnySlice {
  readonly driver: string;
  readonly nodeName?: string;
  devices?: AnyDevice[];
  perDeviceNodeSelection?: boolean;
  sharedCounters?: unknown[];
}

export function partsOf({ devices = [] }: AnySlice): Parts[] {
  return devices.map((device) => device.basic ?? device);
}

const isPartitioned = ({ consumesCounters, nodeName, nodeSelector, allNodes }: Parts) =>
  [consumesCounters, nodeName, nodeSelector, allNodes].some((part) => part !== undefined);

/** Takes out of a slice what belongs to features that are off, unless the slice had it before. */
export function dropFromSlice(slice: AnySlice, old: AnySlice | undefined, features: Features): void {
  const before = old ? partsOf(old) : [];
  if (!features.enabled('DRADeviceTaints') && before.every(({ taints }) => taints === undefined)) {
    for (const parts of partsOf(slice)) delete parts.taints;
  }
  const wasPartitioned = old?.sharedCounters ?? old?.perDeviceNodeSelection ?? before.some(isPartitioned);
  if (features.enabled('DRAPartitionableDevices') || wasPartitioned) return;
  delete slice.sharedCounters;
  delete slice.perDeviceNodeSelection;
  for (const parts of partsOf(slice)) {
    delete parts.consumesCounters;
    delete parts.nodeName;
    delete parts.nodeSelector;
    delete parts.allNodes;
  }
}

/** Says of new taints since when they are there. */
export function dateTaints(taints: readonly DeviceTaint[], now: string): void {
  for (const taint of taints) taint.timeAdded ??= now;
}
