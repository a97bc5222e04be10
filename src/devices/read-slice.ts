// Dynamic resource allocation: reads ResourceSlices of any API version.
import type { Device } from '../cel/index.ts';
import { isObject, type JsonObject, type JsonValue } from '../codec/json/json-value.ts';
import type { PooledDevice, PoolSlice } from './pools.ts';

const objectOf = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});
const textOf = (value: JsonValue | undefined) => (typeof value === 'string' ? value : '');
const numberOf = (value: JsonValue | undefined) => (typeof value === 'number' ? value : 0);

/** A ResourceSlice of any version: older ones have devices under `basic`, and capacities as plain quantities. */
export function readSlice(object: JsonObject): PoolSlice {
  const spec = objectOf(object.spec);
  const pool = objectOf(spec.pool);
  const poolId = { driver: textOf(spec.driver), pool: textOf(pool.name) };
  const devices = Array.isArray(spec.devices) ? spec.devices.filter(isObject) : [];
  return {
    ...poolId,
    generation: numberOf(pool.generation),
    count: numberOf(pool.resourceSliceCount),
    devices: devices.map((device) => readDevice(device, poolId)),
  };
}

function readDevice(device: JsonObject, poolId: { driver: string; pool: string }): PooledDevice {
  const { attributes, capacity } = isObject(device.basic) ? device.basic : device;
  const amounts = Object.entries(objectOf(capacity)).map(
    ([name, amount]) => [name, { value: textOf(isObject(amount) ? amount.value : amount) }] as const,
  );
  return {
    ...poolId,
    name: textOf(device.name),
    attributes: objectOf(attributes) as NonNullable<Device['attributes']>,
    capacity: Object.fromEntries(amounts),
  };
}
