// ResourceSlice (DRA): conversion of specs between v1beta1, which is stored, and the other versions.

import { nullPrototypeObject } from '../../codec/json/json-value.ts';
import type { Device, ResourceSliceSpec } from './resourceslice.ts';
import type { DeviceV1alpha3, ResourceSliceSpecV1alpha3 } from './resourceslice-v1alpha3.ts';
import type { DeviceV1beta2, ResourceSliceSpecV1beta2 } from './resourceslice-v1beta2.ts';

/** v1beta2 has the fields of `basic` in the device itself, and omits nodeName and allNodes if they are empty. */
export function sliceToV1beta2(spec: ResourceSliceSpec): ResourceSliceSpecV1beta2 {
  const { nodeName, allNodes, devices, ...others } = spec;
  return {
    ...others,
    ...(nodeName && { nodeName }),
    ...(allNodes && { allNodes }),
    ...(devices && { devices: devices.map(({ name, basic }): DeviceV1beta2 => ({ name, ...basic })) }),
  };
}

export function sliceFromV1beta2(spec: ResourceSliceSpecV1beta2): ResourceSliceSpec {
  const { devices, ...others } = spec;
  return {
    ...others,
    ...(devices && { devices: devices.map(({ name, ...basic }): Device => ({ name, basic })) }),
  };
}

/** v1alpha3 has capacities as plain quantities. */
export function sliceToV1alpha3(spec: ResourceSliceSpec): ResourceSliceSpecV1alpha3 {
  const { devices, ...others } = spec;
  return { ...others, ...(devices && { devices: devices.map(deviceToV1alpha3) }) };
}

export function sliceFromV1alpha3(spec: ResourceSliceSpecV1alpha3): ResourceSliceSpec {
  const { devices, ...others } = spec;
  return { ...others, ...(devices && { devices: devices.map(deviceFromV1alpha3) }) };
}

function deviceToV1alpha3({ name, basic }: Device): DeviceV1alpha3 {
  if (!basic) return { name };
  const { capacity, ...others } = basic;
  const v1alpha3Capacity = capacity && { capacity: mapValues(capacity, ({ value = '0' }) => value) };
  return { name, basic: { ...others, ...v1alpha3Capacity } };
}

function deviceFromV1alpha3({ name, basic }: DeviceV1alpha3): Device {
  if (!basic) return { name };
  const { capacity, ...others } = basic;
  const v1beta1Capacity = capacity && { capacity: mapValues(capacity, (value) => ({ value })) };
  return { name, basic: { ...others, ...v1beta1Capacity } };
}

function mapValues<A, B>(map: Readonly<Record<string, A>>, convert: (value: A) => B): Record<string, B> {
  const result = nullPrototypeObject<B>();
  for (const key in map) result[key] = convert(map[key]!);
  return result;
}
