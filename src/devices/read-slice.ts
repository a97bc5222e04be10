// Dynamic resource allocation: ResourceSlices of any API version.
import type { Device } from '../cel/index.ts';
import { isObject, type JsonObject, type JsonValue } from '../codec/json/json-value.ts';
import type { PooledDevice, Slice } from './pools.ts';

const objectOf = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});
const textOf = (value: JsonValue | undefined) => (typeof value === 'string' ? value : '');
const numberOf = (value: JsonValue | undefined) => (typeof value === 'number' ? value : 0);

/** A ResourceSlice of any version: older ones have devices under `basic`, and capacities as plain quantities. */
export function readSlice(object: JsonObject): Slice {
  const spec = objectOf(object.spec);
  const pool = objectOf(spec.pool);
  const of = { driver: textOf(spec.driver), pool: textOf(pool.name) };
  const devices = Array.isArray(spec.devices) ? spec.devices.filter(isObject) : [];
  return {
    ...of,
    generation: numberOf(pool.generation),
    count: numberOf(pool.resourceSliceCount),
    devices: devices.map((device) => readDevice(device, of)),
  };
}

function readDevice(device: JsonObject, of: { driver: string; pool: string }): PooledDevice {
  const { attributes, capacity } = isObject(device.basic) ? device.basic : device;
  const amounts = Object.entries(objectOf(capacity)).map(
    ([name, amount]) => [name, { value: textOf(isObject(amount) ? amount.value : amount) }] as const,
  );
  return {
    ...of,
    name: textOf(device.name),
    attributes: objectOf(attributes) as NonNullable<Device['attributes']>,
    capacity: Object.fromEntries(amounts),
  };
}
