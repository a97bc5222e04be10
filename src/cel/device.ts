// CEL environment of device selectors (dynamic resource allocation): the variable device.
import type { SizeHints } from './cost/estimate.ts';
import { quantityOf, quantityType } from './library/quantity.ts';
import { versionOf } from './library/semver.ts';
import { objectSchema, type SchemaType, sizesOf } from './schema-types.ts';
import { any, mapOf, string } from './types.ts';
import { CelMap, type MapKey, type Value } from './values.ts';

/** A device as a ResourceSlice has it. */
export interface Device {
  readonly driver: string;
  readonly attributes?: Readonly<
    Record<
      string,
      { readonly int?: number; readonly bool?: boolean; readonly string?: string; readonly version?: string }
    >
  >;
  readonly capacity?: Readonly<Record<string, { readonly value: string }>>;
}

/** Attributes and capacities of a device, together; the longest text of an attribute; the longest names. */
const mostAttributes = 32;
const longestValue = 64;
const longestDomain = 63;
const longestId = 32;

/** A map of maps in which an absent key yields an empty map. */
class Grouped extends CelMap {
  override get(key: Value): Value {
    const found = super.get(key);
    return found === undefined ? nothing : found;
  }
}

const nothing = new CelMap(new Map());

type Entries = Map<MapKey, readonly [Value, Value]>;

/** `dra.example.com/model` under its domain; what has none is under the driver's. */
function grouped<T>(
  members: Readonly<Record<string, T>>,
  driver: string,
  read: (member: T) => Value,
): Grouped {
  const groups = new Map<string, Entries>();
  for (const [name, member] of Object.entries(members)) {
    const slash = name.indexOf('/');
    const domain = slash < 0 ? driver : name.slice(0, slash);
    const id = name.slice(slash + 1);
    const group: Entries = groups.get(domain) ?? new Map();
    groups.set(domain, group);
    group.set(id, [id, read(member)]);
  }
  return new Grouped(new Map(Array.from(groups, ([domain, group]) => [domain, [domain, new CelMap(group)]])));
}

function attributeValue(attribute: NonNullable<Device['attributes']>[string]): Value {
  if (attribute.version !== undefined) return versionOf(attribute.version);
  return attribute.int ?? attribute.bool ?? attribute.string ?? null;
}

const text = (maxElements: number): SchemaType => ({ type: string, maxElements, minBytes: 2 });

function groupedSchema(element: SchemaType): SchemaType {
  const inner: SchemaType = {
    type: mapOf(string, element.type),
    maxElements: mostAttributes,
    minBytes: 2,
    key: text(longestId),
    element,
  };
  return {
    type: mapOf(string, inner.type),
    maxElements: mostAttributes,
    minBytes: 2,
    key: text(longestDomain),
    element: inner,
  };
}

const shape = objectSchema('service.DRADevice', [
  ['driver', text(longestDomain)],
  ['attributes', groupedSchema({ type: any, maxElements: longestValue, minBytes: 1 })],
  ['capacity', groupedSchema({ type: quantityType, maxElements: 0, minBytes: 8 })],
]);

/** The variable `device` of selectors. */
export const deviceSchema: SchemaType = {
  ...shape,
  adapt: (given) => {
    const { driver, attributes = {}, capacity = {} } = given as Device;
    return {
      driver,
      attributes: grouped(attributes, driver, attributeValue),
      capacity: grouped(capacity, driver, ({ value }) => quantityOf(value)),
    };
  },
};

const sizes = sizesOf({ device: deviceSchema });

/** Size limits for device selectors. Like cel-go, it only knows an attribute by its name behind an index. */
export const deviceSizes: SizeHints = {
  maxSize([variable, group, domain, id, ...more]) {
    const isNamed = domain === '@values' && id !== undefined && !id.startsWith('@');
    const path = [variable, group, domain, isNamed ? '@values' : id, ...more];
    return sizes.maxSize(path.filter((part) => part !== undefined));
  },
};
