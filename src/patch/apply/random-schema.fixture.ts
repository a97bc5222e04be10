// Test fixture: random schemas and values for property tests of server-side apply.
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../codec/json/json-value.ts';
import { parseJson } from '../../codec/json/parse.ts';
import { list, mapOf } from '../../schema/collections.ts';
import { jsonOf } from '../../schema/random-json.fixture.ts';
import { bool, int32, string } from '../../schema/scalars.ts';
import { type Field, field, optional, recursive, struct } from '../../schema/struct.ts';
import type { Type } from '../../schema/type.ts';
import { pathElementOf } from './list-elements.ts';
import {
  type FieldMergeSchema,
  type MergeSchema,
  mergeSchemaOf,
  type StructMergeSchema,
} from './merge-schema.ts';

/** A compact description of a schema, so that counterexamples are readable. */
export type SchemaPlan =
  | 'string'
  | 'int'
  | 'bool'
  | { readonly struct: Readonly<Record<string, SchemaPlan>>; readonly atomic?: boolean }
  | { readonly tree: Readonly<Record<string, SchemaPlan>> }
  | { readonly map: SchemaPlan; readonly atomic?: boolean }
  | { readonly list: SchemaPlan }
  | { readonly set: SchemaPlan }
  /** A list with key `id`, and also `side`, which has a default. */
  | { readonly keyed: Readonly<Record<string, SchemaPlan>>; readonly bySide: boolean };

const scalars = { string, int: int32, bool };
const fieldsOf = (plans: Readonly<Record<string, SchemaPlan>>): Record<string, Field> =>
  Object.fromEntries(
    Object.entries(plans).map(([name, plan], i) => [name, field(i + 1, optional(typeOf(plan)))]),
  );

/** The type that a plan describes. */
export function typeOf(plan: SchemaPlan): Type {
  if (typeof plan === 'string') return scalars[plan];
  if ('struct' in plan) {
    return struct('test/v1.Struct', fieldsOf(plan.struct), { atomic: plan.atomic ?? false });
  }
  if ('tree' in plan) {
    return recursive<Record<string, unknown>>('test/v1.Tree', (self) => ({
      ...fieldsOf(plan.tree),
      inner: field(90, optional(self)),
      children: field(91, mapOf(self)),
    }));
  }
  if ('map' in plan) return mapOf(typeOf(plan.map), { atomic: plan.atomic ?? false });
  if ('list' in plan) return list(typeOf(plan.list), { type: 'atomic' });
  if ('set' in plan) return list(typeOf(plan.set), { type: 'set' });
  const element = struct('test/v1.Element', {
    ...fieldsOf(plan.keyed),
    id: field(90, string, { required: true, omitEmpty: true }),
    side: field(91, string, { default: 'left', isDefaultPublished: true }),
  });
  return list(element, { type: 'map', keys: plan.bySide ? ['id', 'side'] : ['id'] });
}

const names = ['a', 'b', 'c', 'd'];

/** Schemas of every form, nested. */
export const plans: fc.Arbitrary<{ readonly struct: Readonly<Record<string, SchemaPlan>> }> = fc
  .letrec<{ plan: SchemaPlan; plans: Readonly<Record<string, SchemaPlan>> }>((tie) => ({
    plan: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'plan' },
      fc.constantFrom<SchemaPlan>('string', 'int', 'bool'),
      fc.record({ struct: tie('plans'), atomic: fc.nat(4).map((n) => n === 0) }),
      fc.record({ map: tie('plan'), atomic: fc.nat(4).map((n) => n === 0) }),
      fc.record({ keyed: tie('plans'), bySide: fc.boolean() }),
      fc.record({ list: tie('plan') }),
      fc.record({ set: fc.constantFrom<SchemaPlan>('string', 'int') }),
      fc.record({ tree: tie('plans') }),
    ),
    plans: fc.dictionary(fc.constantFrom(...names), tie('plan'), {
      minKeys: 1,
      maxKeys: 3,
      noNullPrototype: true,
      depthIdentifier: 'plan',
    }),
  }))
  .plans.map((fields) => ({ struct: fields }));

/** Few distinct values, so that two states often agree. */
const fewValues: Readonly<Record<string, fc.Arbitrary<JsonValue>>> = {
  string: fc.constantFrom('x', 'y', ''),
  int32: fc.constantFrom(0, 1, 2),
  bool: fc.boolean(),
};

interface Sizes {
  /** Maximum nesting. */
  readonly depth: number;
  /** Maximum number of struct fields with a value. */
  readonly width: number;
}

/** JSON as an applied configuration may have it: list elements are identifiable, and nothing is null. */
export function valuesOf(
  schema: MergeSchema,
  sizes: Sizes = { depth: 5, width: 5 },
): fc.Arbitrary<JsonValue> {
  const deeper = { ...sizes, depth: sizes.depth - 1 };
  if (schema.form === 'scalar') return fewValues[schema.type.category] ?? anyOf(schema.type);
  if (schema.form === 'list') {
    if (sizes.depth === 0) return fc.constant([]);
    return fc.uniqueArray(valuesOf(schema.element, deeper), {
      maxLength: 3,
      ...(!schema.atomic && { selector: (item) => pathElementOf(schema, item, 0, 'json') }),
    });
  }
  if (schema.form === 'map') {
    if (sizes.depth === 0) return fc.constant({});
    return fc.dictionary(fc.constantFrom('k', 'l', 'm/n', ...names), valuesOf(schema.element, deeper), {
      maxKeys: 3,
      noNullPrototype: true,
    });
  }
  return structsOf(schema, sizes);
}

const isKey = (name: string) => name === 'id';

function structsOf({ fields }: StructMergeSchema, sizes: Sizes): fc.Arbitrary<JsonObject> {
  const always = fields.filter(({ name, field: { required } }) => isKey(name) || required);
  const others = fields.filter((known) => !always.includes(known));
  const deeper = { ...sizes, depth: sizes.depth - 1 };
  const record = (chosen: readonly FieldMergeSchema[], required: readonly FieldMergeSchema[]) =>
    fc.record(
      Object.fromEntries([...always, ...chosen].map(({ name, schema }) => [name, valuesOf(schema, deeper)])),
      { noNullPrototype: true, requiredKeys: [...always, ...required].map(({ name }) => name) },
    ) as fc.Arbitrary<JsonObject>;
  if (sizes.depth === 0) return record([], []);
  if (others.length <= sizes.width) return record(others, []);
  // A few fields at a time suffice.
  return fc
    .subarray(others, { minLength: 2, maxLength: sizes.width })
    .chain((chosen) => record(chosen, chosen));
}

function anyOf(type: Type): fc.Arbitrary<JsonValue> {
  return jsonOf(type)
    .filter((value) => value !== null)
    .map((value) => parseJson(JSON.stringify(value)).value);
}

/** A merge schema and a generator of its values. */
export interface LawSubject {
  readonly shape: StructMergeSchema;
  readonly values: fc.Arbitrary<JsonObject>;
}

export function subjectOf(type: Type, sizes?: Sizes): LawSubject {
  const schema = mergeSchemaOf(type) as StructMergeSchema;
  return { shape: schema, values: valuesOf(schema, sizes) as fc.Arbitrary<JsonObject> };
}

/** The subjects of a law: random schemas (shown by their plan) or built-in kinds. */
export type LawSubjects = fc.Arbitrary<{ readonly subject: LawSubject; readonly plan?: unknown }>;

/** Tests a law about two values of one schema. */
export function testPairs(
  name: string,
  subjects: LawSubjects,
  numRuns: number,
  holds: (schema: StructMergeSchema, left: JsonObject, right: JsonObject) => void,
): void {
  const pairs = subjects.chain(({ subject, plan }) =>
    fc.record({
      plan: fc.constant(plan),
      subject: fc
        .constant(subject)
        .map(({ shape: schema }) => ({ shape: schema, [fc.toStringMethod]: () => 'subject' })),
      one: subject.values,
      other: subject.values,
    }),
  );
  test(name, () => {
    fc.assert(
      fc.property(pairs, ({ subject: { shape: schema }, one: left, other: right }) =>
        holds(schema, left, right),
      ),
      { numRuns },
    );
  });
}
