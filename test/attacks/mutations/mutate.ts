// Mutations of a valid object: one field that its schema has, or has not, gets a hostile value.
import { ListType, MapType } from '../../../src/schema/collections.ts';
import { type Field, Struct } from '../../../src/schema/struct.ts';
import type { Type } from '../../../src/schema/type.ts';
import type { Random } from '../../faults/proof/random.ts';
import { valuesOf } from './hostile-values.ts';

export interface Mutation {
  readonly path: readonly (string | number)[];
  /** The text of the value, in JSON or YAML. */
  readonly value: string;
}

const unknownNames = [
  'unknown',
  '__proto__',
  'constructor',
  'toString',
  '',
  'a.b',
  'Metadata',
  'KIND',
  '\u0000',
];
const mapKeys = ['a', '__proto__', 'constructor', '', 'a/b', 'x'.repeat(300), 'A', 'ä', 'example.com/a'];

/** A random path that exists in the schema, or ends with an unknown name, and a value for it. */
export function randomMutation(random: Random, schema: Type, values: keyof typeof valuesOf): Mutation {
  const path: (string | number)[] = [];
  let type: Type = schema;
  for (;;) {
    const next = step(random, type);
    if (!next || (path.length > 0 && random.isLucky(0.15))) break;
    path.push(next.key);
    if (!next.type) break;
    type = next.type;
  }
  // Half of the values are plausible: validation is reached only by objects that are decoded.
  const value = random.isLucky(0.5) ? plausibleValue(random, type) : random.pick(valuesOf[values]);
  return { path, value };
}

interface Step {
  readonly key: string | number;
  /** Undefined for unknown fields. */
  readonly type?: Type;
}

function step(random: Random, type: Type): Step | undefined {
  if (type instanceof Struct) {
    if (random.isLucky(0.05)) return { key: random.pick(unknownNames) };
    const fields = Object.entries(type.fields as Record<string, Field>).filter(
      ([name]) => name !== 'managedFields',
    );
    const [key, field] = fields.length > 0 ? random.pick(fields) : [random.pick(unknownNames), undefined];
    return { key, ...(field && { type: field.type }) };
  }
  if (type instanceof ListType) return { key: 0, type: type.element };
  if (type instanceof MapType) return { key: random.pick(mapKeys), type: type.element };
  return undefined;
}

const plausible: Partial<Record<Type['category'], readonly string[]>> = {
  string: [
    '"a"',
    '"A"',
    '"a.b"',
    '"a/b"',
    '"example.com/a"',
    '"10.0.0.1"',
    '"::1"',
    '"/a"',
    '"1"',
    '""',
    '"a b"',
    '"https://a.example.com/"',
  ],
  bool: ['true', 'false'],
  int32: ['0', '1', '-1', '80', '65536', '2147483647', '-2147483648'],
  int64: ['0', '1', '-1', '600', '4294967297'],
  double: ['0', '1.5', '-1'],
  bytes: ['""', '"aGVsbG8="', '"aGVsbG8"', '"a"'],
  time: ['"2026-01-01T00:00:00Z"', '"2026-01-01T00:00:00+02:00"', '"2026-01-01"', 'null'],
  microTime: ['"2026-01-01T00:00:00.000001Z"', '"2026-01-01T00:00:00Z"', 'null'],
  quantity: ['"1"', '"1Gi"', '"-1"', '"1m"', '1', '"0.5"', '"1e3"', '"1x"'],
  intOrString: ['1', '"1"', '"50%"', '"a"', '-1', '"101%"'],
};

function plausibleValue(random: Random, type: Type): string {
  if (type.values && random.isLucky(0.7)) return JSON.stringify(random.pick(type.values));
  const values = plausible[type.category];
  if (values) return random.pick(values);
  if (type instanceof ListType) return `[${plausibleValue(random, type.element)}]`;
  if (type instanceof MapType) return `{"a":${plausibleValue(random, type.element)}}`;
  if (!(type instanceof Struct)) return random.pick(valuesOf.wellFormed);
  const fields = Object.entries(type.fields as Record<string, Field>);
  if (fields.length === 0) return '{}';
  const [name, field] = random.pick(fields);
  return field.type instanceof Struct
    ? `{"${name}":{}}`
    : `{"${name}":${plausibleValue(random, field.type)}}`;
}

const placeholder = '\u0001mutation\u0001';

/** The text of the object with the mutation. */
export function mutatedText(object: object, { path, value }: Mutation): string {
  const copy = structuredClone(object) as Record<string, unknown>;
  if (path.length === 0) return value;
  let at: Record<string | number, unknown> = copy;
  path.slice(0, -1).forEach((key, index) => {
    if (!Object.hasOwn(at, key) || typeof at[key] !== 'object' || at[key] === null)
      define(at, key, typeof path[index + 1] === 'number' ? [] : {});
    at = at[key] as Record<string | number, unknown>;
  });
  define(at, path.at(-1)!, placeholder);
  // A function: `$` in the value has no meaning.
  return JSON.stringify(copy).replace(JSON.stringify(placeholder), () => value);
}

/** Also sets `__proto__` as an ordinary member. */
function define(object: object, key: string | number, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}
