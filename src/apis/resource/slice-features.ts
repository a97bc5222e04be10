// ResourceSlice (DRA): drops fields of disabled feature gates, and sets timeAdded of taints, in any version.

import type { Features } from '../../kind/features/features.ts';
import type { DeviceTaint } from './device-parts.ts';

/** The fields of a device that depend on feature gates. */
interface GatedDeviceFields {
  consumesCounters?: unknown[];
  nodeName?: string;
  nodeSelector?: unknown;
  allNodes?: boolean;
  taints?: DeviceTaint[];
}

/** A device in any version: v1beta2 has the fields in the device itself, other versions in `basic`. */
interface AnyDevice extends GatedDeviceFields {
  readonly basic?: GatedDeviceFields;
}

/** The spec of a ResourceSlice in any version. */
export interface AnySlice {
  readonly driver: string;
  readonly nodeName?: string;
  devices?: AnyDevice[];
  perDeviceNodeSelection?: boolean;
  sharedCounters?: unknown[];
}

/** The objects that hold the gated fields of the devices. */
export function gatedDeviceFields({ devices = [] }: AnySlice): GatedDeviceFields[] {
  return devices.map((device) => device.basic ?? device);
}

/** Drops fields of disabled features, unless the stored slice already uses the feature. */
export function dropDisabledSliceFields(
  slice: AnySlice,
  old: AnySlice | undefined,
  features: Features,
): void {
  const oldDevices = old ? gatedDeviceFields(old) : [];
  if (!features.enabled('DRADeviceTaints') && oldDevices.every(({ taints }) => taints === undefined)) {
    for (const device of gatedDeviceFields(slice)) delete device.taints;
  }
  if (features.enabled('DRAPartitionableDevices') || (old && usesPartitionableDevices(old))) return;
  delete slice.sharedCounters;
  delete slice.perDeviceNodeSelection;
  for (const device of gatedDeviceFields(slice)) {
    delete device.consumesCounters;
    delete device.nodeName;
    delete device.nodeSelector;
    delete device.allNodes;
  }
}

function usesPartitionableDevices(slice: AnySlice): boolean {
  if (slice.sharedCounters) return true;
  if (slice.perDeviceNodeSelection !== undefined) return slice.perDeviceNodeSelection;
  return gatedDeviceFields(slice).some(({ consumesCounters, nodeName, nodeSelector, allNodes }) =>
    [consumesCounters, nodeName, nodeSelector, allNodes].some((value) => value !== undefined),
  );
}

/** Sets timeAdded of taints without one. */
export function setTaintTimeAdded(taints: readonly DeviceTaint[], now: string): void {
  for (const taint of taints) taint.timeAdded ??= now;
}
