import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, field, firstProblem, problems, withSchema } from './definitions.fixture.ts';

const withDefault = (schema: object, value: unknown) => firstProblem(field({ ...schema, default: value }));

test('a default is valid for its own schema', async () => {
  assert.equal(await withDefault({ type: 'string' }, 'a'), '');
  const wrong: [schema: object, value: unknown, why: RegExp][] = [
    [{ type: 'string' }, 1, /must be of type string: "integer"/],
    [{ type: 'integer' }, 1.5, /must be of type integer: "number"/],
    [{ type: 'boolean' }, 'x', /must be of type boolean: "string"/],
    [{ type: 'string', enum: ['a', 'b'] }, 'c', /supported values: "a", "b"/],
    [{ type: 'string', pattern: '^a$' }, 'b', /should match '\^a\$'/],
    [{ type: 'string', minLength: 2 }, 'b', /should be at least 2 chars long/],
    [{ type: 'string', maxLength: 1 }, 'éé', /may not be more than 1 bytes/],
    [{ type: 'integer', minimum: 2 }, 1, /greater than or equal to 2/],
    [{ type: 'integer', minimum: 2, exclusiveMinimum: true }, 2, /greater than 2/],
    [{ type: 'integer', maximum: 2 }, 3, /less than or equal to 2/],
    [{ type: 'integer', maximum: 2, exclusiveMaximum: true }, 2, /less than 2/],
    [{ type: 'number', multipleOf: 0.5 }, 0.7, /a multiple of 0\.5/],
    [{ type: 'array', items: { type: 'string' } }, ['a', 1], /\[1\] in body must be of type string/],
    [{ type: 'array', items: { type: 'string' }, minItems: 2 }, ['a'], /at least 2 items/],
    [{ type: 'array', items: { type: 'string' }, maxItems: 1 }, ['a', 'b'], /must have at most 1 items/],
    [
      { type: 'object', additionalProperties: { type: 'string' } },
      { a: 1 },
      /\.a in body must be of type string/,
    ],
    [{ type: 'object', minProperties: 1 }, {}, /at least 1 properties/],
    [{ type: 'string', anyOf: [{ pattern: 'a' }] }, 'c', /at least one schema \(anyOf\)/],
    [{ type: 'string', oneOf: [{ pattern: 'a' }, { pattern: 'b' }] }, 'ab', /Found 2 valid alternatives/],
    [{ type: 'string', oneOf: [{ pattern: 'a' }] }, 'c', /Found none valid/],
    [{ type: 'string', allOf: [{ pattern: 'a' }] }, 'c', /should match 'a'/],
    [{ type: 'string', not: { pattern: 'a' } }, 'a', /must not validate the schema \(not\)/],
  ];
  for (const [schema, value, why] of wrong) assert.match(await withDefault(schema, value), why);
});

test('a default has what is required, and nothing that the schema does not know', async () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
  assert.equal(await withDefault(schema, { a: 'x' }), '');
  assert.match(await withDefault(schema, {}), /default\.a: Required value/);
  assert.match(await withDefault(schema, { a: 'x', b: 1 }), /must not have unknown fields/);
  assert.equal(await withDefault({ type: 'object', 'x-orch-preserve-unknown-fields': true }, { b: 1 }), '');
});

test('null is a value where the schema says nullable', async () => {
  const schema = (nullable: boolean) => ({
    type: 'object',
    properties: { a: { type: 'string', nullable } },
  });
  assert.equal(await withDefault(schema(true), { a: null }), '');
  assert.match(await withDefault(schema(false), { a: null }), /must be of type string: "null"/);
});

test('an embedded object says what it is', async () => {
  const schema = { type: 'object', 'x-orch-embedded-resource': true, 'x-orch-preserve-unknown-fields': true };
  assert.equal(await withDefault(schema, { apiVersion: 'v1', kind: 'A' }), '');
  assert.match(await withDefault(schema, { a: 1 }), /default\.apiVersion: Required value: must not be empty/);
});

test('who an object is cannot be left to a default', async () => {
  for (const name of ['apiVersion', 'kind']) {
    const found = await problems(
      withSchema({ type: 'object', properties: { [name]: { type: 'string', default: 'x' } } }),
    );
    assert.match(found[0]!, new RegExp(`must not be set in top-level ${name}`));
  }
});

test('values in a schema are kept by what they say', async () => {
  const { object } = await create(
    field({ type: 'object', 'x-orch-preserve-unknown-fields': true, example: { b: 1, a: 2 } }),
  );
  const [version] = object.spec.versions ?? [];
  assert.deepEqual(Object.keys(version?.schema?.openAPIV3Schema?.properties?.f?.example as object), [
    'a',
    'b',
  ]);
});
