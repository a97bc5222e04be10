// DRA: drops ResourceSlice fields of disabled feature gates, and sets timeAdded of taints.

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

const usesPartitionableDevices = ({
  consumesCounters,
  nodeName,
  nodeSelector,
  allNodes,
}: GatedDeviceFields) =>
  [consumesCounters, nodeName, nodeSelector, allNodes].some((value) => value !== undefined);

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
  const wasPartitioned =
    old?.sharedCounters ?? old?.perDeviceNodeSelection ?? oldDevices.some(usesPartitionableDevices);
  if (features.enabled('DRAPartitionableDevices') || wasPartitioned) return;
  delete slice.sharedCounters;
  delete slice.perDeviceNodeSelection;
  for (const device of gatedDeviceFields(slice)) {
    delete device.consumesCounters;
    delete device.nodeName;
    delete device.nodeSelector;
    delete device.allNodes;
  }
}

/** Sets timeAdded of taints without one. */
export function setTaintTimeAdded(taints: readonly DeviceTaint[], now: string): void {
  for (const taint of taints) taint.timeAdded ??= now;
}
