// The CEL variable `device` of device selectors (dynamic resource allocation).
import type { SizeHints } from './cost/estimate.ts';
import { parseQuantityOrFail, quantityType } from './library/quantity.ts';
import { parseSemverOrFail } from './library/semver.ts';
import { objectSchema, type SchemaType, schemaSizeHints } from './schema-types.ts';
import { any, mapOf, string } from './types.ts';
import { CelMap, type MapKey, type Value } from './values.ts';

/** A device of a ResourceSlice. */
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

/** Limits of the API: attributes and capacities together, lengths of values, domains and identifiers. */
const maxAttributes = 32;
const maxValueLength = 64;
const maxDomainLength = 63;
const maxIdLength = 32;

/** A map of maps in which an absent key yields an empty map. */
class DomainMap extends CelMap {
  override get(key: Value): Value {
    const value = super.get(key);
    return value === undefined ? emptyMap : value;
  }
}

const emptyMap = new CelMap(new Map());

type Entries = Map<MapKey, readonly [Value, Value]>;

/** Groups qualified names such as `dra.example.com/model` by domain; the default domain is the driver's name. */
function groupByDomain<T>(
  members: Readonly<Record<string, T>>,
  driver: string,
  toValue: (member: T) => Value,
): DomainMap {
  const groups = new Map<string, Entries>();
  for (const [name, member] of Object.entries(members)) {
    const slash = name.indexOf('/');
    const domain = slash < 0 ? driver : name.slice(0, slash);
    const id = name.slice(slash + 1);
    const group: Entries = groups.get(domain) ?? new Map();
    groups.set(domain, group);
    group.set(id, [id, toValue(member)]);
  }
  return new DomainMap(
    new Map(Array.from(groups, ([domain, group]) => [domain, [domain, new CelMap(group)]])),
  );
}

function attributeValue(attribute: NonNullable<Device['attributes']>[string]): Value {
  if (attribute.version !== undefined) return parseSemverOrFail(attribute.version);
  return attribute.int ?? attribute.bool ?? attribute.string ?? null;
}

const boundedString = (maxElements: number): SchemaType => ({ type: string, maxElements, minBytes: 2 });

function domainMapSchema(element: SchemaType): SchemaType {
  const inner: SchemaType = {
    type: mapOf(string, element.type),
    maxElements: maxAttributes,
    minBytes: 2,
    key: boundedString(maxIdLength),
    element,
  };
  return {
    type: mapOf(string, inner.type),
    maxElements: maxAttributes,
    minBytes: 2,
    key: boundedString(maxDomainLength),
    element: inner,
  };
}

const deviceObjectSchema = objectSchema('service.DRADevice', [
  ['driver', boundedString(maxDomainLength)],
  ['attributes', domainMapSchema({ type: any, maxElements: maxValueLength, minBytes: 1 })],
  ['capacity', domainMapSchema({ type: quantityType, maxElements: 0, minBytes: 8 })],
]);

export const deviceSchema: SchemaType = {
  ...deviceObjectSchema,
  adapt: (device) => {
    const { driver, attributes = {}, capacity = {} } = device as Device;
    return {
      driver,
      attributes: groupByDomain(attributes, driver, attributeValue),
      capacity: groupByDomain(capacity, driver, ({ value }) => parseQuantityOrFail(value)),
    };
  },
};

const sizes = schemaSizeHints({ device: deviceSchema });

/** Size limits for cost estimation. As in cel-go, an attribute is known by its name only after an index. */
export const deviceSizes: SizeHints = {
  maxSize([variable, group, domain, id, ...rest]) {
    const isNamed = domain === '@values' && id !== undefined && !id.startsWith('@');
    const path = [variable, group, domain, isNamed ? '@values' : id, ...rest];
    return sizes.maxSize(path.filter((part) => part !== undefined));
  },
};
