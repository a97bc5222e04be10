// The devices of simulated nodes, as the file of --node-stages describes them, and the ResourceSlice of a node.
import type { Device, DeviceAttribute, ResourceSliceSpec } from '../../apis/resource/resourceslice.ts';
import type { Manifest } from '../../client/client.ts';
import { isObject, type JsonObject, type JsonValue } from '../../codec/json/json-value.ts';
import { ConfigFileError, FileFields } from '../../codec/yaml/file-fields.ts';
import type { Dialect } from '../../dialect/dialect.ts';

/** Equal devices of one driver. */
export interface NodeDevices {
  readonly driver: string;
  /** The names of the devices are this and a number. */
  readonly name: string;
  readonly count: number;
  readonly attributes: Readonly<Record<string, DeviceAttribute>>;
  /** Quantities by name. */
  readonly capacity: Readonly<Record<string, string>>;
  /** The nodes that have them; undefined for all. */
  readonly nodes: readonly string[] | undefined;
}

/** The devices of a ResourceSlice. */
const maxCount = 128;

export function readNodeDevices(value: JsonValue, path: string): NodeDevices {
  const fields = new FileFields(value, path, ['driver', 'name', 'count', 'attributes', 'capacity', 'nodes']);
  const driver = fields.text('driver');
  if (!driver) throw new ConfigFileError(`${path}.driver is required`);
  const attributes = Object.entries(fields.object('attributes') ?? {}).map(
    ([name, attribute]) => [name, readAttribute(attribute, `${path}.attributes.${name}`)] as const,
  );
  return {
    driver,
    name: fields.text('name') ?? 'device',
    count: fields.number('count', 1, maxCount) ?? 1,
    attributes: Object.fromEntries(attributes),
    capacity: fields.textMap('capacity') ?? {},
    nodes: fields.texts('nodes'),
  };
}

/** A string, a number, true or false, or `{version: 1.2.3}`. */
function readAttribute(value: JsonValue, path: string): DeviceAttribute {
  if (typeof value === 'string') return { string: value };
  if (typeof value === 'boolean') return { bool: value };
  if (typeof value === 'number' && Number.isSafeInteger(value)) return { int: value } as DeviceAttribute;
  const { version } = isObject(value) ? value : ({} as JsonObject);
  if (typeof version === 'string') return { version };
  throw new ConfigFileError(`${path}: must be a string, an integer, true, false or an object with version`);
}

/** The devices of a node, by driver. */
export function devicesOfNode(all: readonly NodeDevices[], nodeName: string): Map<string, Device[]> {
  const byDriver = new Map<string, Device[]>();
  for (const { driver, name, count, attributes, capacity, nodes } of all) {
    if (nodes?.includes(nodeName) === false) continue;
    const capacities = Object.entries(capacity).map(([key, quantity]) => [key, { value: quantity }] as const);
    const basic = { attributes, capacity: Object.fromEntries(capacities) };
    const devices = Array.from(
      { length: count },
      (_, i) => ({ name: `${name}-${i}`, basic }) as unknown as Device,
    );
    byDriver.set(driver, [...(byDriver.get(driver) ?? []), ...devices]);
  }
  return byDriver;
}

export const sliceName = (nodeName: string, driver: string) => `${nodeName}-${driver}`;

/** The only slice of the pool of a node. The node owns it, so that garbage collection deletes both. */
export function sliceManifest(
  node: { readonly name: string; readonly uid: string },
  driver: string,
  devices: readonly Device[],
  dialect: Dialect,
): Manifest {
  const spec = {
    driver,
    nodeName: node.name,
    pool: { name: node.name, generation: 1, resourceSliceCount: 1 },
    devices: [...devices],
  } as ResourceSliceSpec;
  const owner = { apiVersion: 'v1', kind: 'Node', name: node.name, uid: node.uid, controller: true };
  return {
    apiVersion: dialect.apiVersion('resource', 'v1beta1'),
    kind: 'ResourceSlice',
    metadata: { name: sliceName(node.name, driver), ownerReferences: [owner] },
    spec,
  } as Manifest;
}
