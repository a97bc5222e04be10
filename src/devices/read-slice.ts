// Dynamic resource allocation: reads ResourceSlices of any API version from JSON that another server sent. A missing field,
// or one of a wrong type, reads as empty.
import type { Device } from '../cel/index.ts';
import { isObject, type JsonObject, type JsonValue } from '../codec/json/json-value.ts';
import type { PooledDevice, PoolSlice } from './pools.ts';

export function readSlice(object: JsonObject): PoolSlice {
  const spec = objectOf(object.spec);
  const pool = objectOf(spec.pool);
  const poolId = { driver: textOf(spec.driver), pool: textOf(pool.name) };
  const devices = Array.isArray(spec.devices) ? spec.devices.filter(isObject) : [];
  return {
    ...poolId,
    generation: numberOf(pool.generation),
    sliceCount: numberOf(pool.resourceSliceCount),
    devices: devices.map((device) => readDevice(device, poolId)),
  };
}

/** Older API versions have attributes and capacity under `basic`, and a capacity as a plain quantity. */
function readDevice(device: JsonObject, poolId: { driver: string; pool: string }): PooledDevice {
  const { attributes, capacity } = isObject(device.basic) ? device.basic : device;
  const capacities = Object.entries(objectOf(capacity)).map(
    ([name, quantity]) => [name, { value: textOf(isObject(quantity) ? quantity.value : quantity) }] as const,
  );
  return {
    ...poolId,
    name: textOf(device.name),
    attributes: objectOf(attributes) as NonNullable<Device['attributes']>,
    capacity: Object.fromEntries(capacities),
  };
}

const objectOf = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});
const textOf = (value: JsonValue | undefined) => (typeof value === 'string' ? value : '');
const numberOf = (value: JsonValue | undefined) => (typeof value === 'number' ? value : 0);
