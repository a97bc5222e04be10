import assert from 'node:assert/strict';
import { test } from 'node:test';
import { field, firstProblem, problems, withSchema, withVersion } from './definitions.fixture.ts';

const root = 'spec.validation.openAPIV3Schema';
const at = `${root}.properties[f]`;

test('a schema is an object at the root, and says so', async () => {
  assert.deepEqual(await problems(withSchema({})), [
    `${root}.type: Required value: must not be empty at the root`,
  ]);
  assert.deepEqual(await problems(withSchema({ type: 'string' })), [
    `${root}.type: Invalid value: "string": must be object at the root`,
  ]);
  assert.deepEqual(await problems(withSchema({ type: 'object', nullable: true })), [
    `${root}.nullable: Forbidden: nullable cannot be true at the root`,
  ]);
});

test('every field and item has a type', async () => {
  assert.deepEqual(await problems(field({})), [
    `${at}.type: Required value: must not be empty for specified object fields`,
  ]);
  assert.deepEqual(await problems(field({ type: 'array', items: {} })), [
    `${at}.items.type: Required value: must not be empty for specified array items`,
  ]);
  assert.deepEqual(await problems(field({ type: 'array' })), [
    `${at}.items: Required value: must be specified`,
  ]);
  assert.match(await firstProblem(field({ type: 'foo' })), /Unsupported value: "foo"/);
});

test('what JSON Schema has and a structural schema has not is refused', async () => {
  const unsupported = {
    $ref: 'x',
    id: 'x',
    additionalItems: false,
    patternProperties: { a: { type: 'string' } },
    definitions: { a: { type: 'string' } },
    dependencies: { a: ['b'] },
  };
  for (const [name, value] of Object.entries(unsupported)) {
    assert.deepEqual(await problems(field({ type: 'object', [name]: value })), [
      `${at}.${name}: Forbidden: ${name} is not supported`,
    ]);
  }
  assert.match(await firstProblem(field({ type: 'string', $schema: 'x' })), /'schema' is not supported/);
  assert.match(
    await firstProblem(field({ type: 'array', items: [{ type: 'string' }] })),
    /must be a schema object/,
  );
  assert.match(
    await firstProblem(field({ type: 'string', uniqueItems: true })),
    /uniqueItems cannot be set to true/,
  );
});

test('additionalProperties is a schema or a boolean, and goes without properties', async () => {
  for (const additionalProperties of [true, false, { type: 'string' }]) {
    assert.deepEqual(await problems(field({ type: 'object', additionalProperties })), []);
  }
  const both = {
    type: 'object',
    properties: { a: { type: 'string' } },
    additionalProperties: { type: 'string' },
  };
  assert.match(await firstProblem(field(both)), /additionalProperties and properties are mutual exclusive/);
  await assert.rejects(problems(field({ type: 'object', additionalProperties: 'x' })), {
    message: 'boolean or JSON schema expected',
  });
});

test('allOf, anyOf, oneOf and not restrict values and do not describe them', async () => {
  assert.deepEqual(
    await problems(field({ type: 'string', anyOf: [{ pattern: 'a' }, { minLength: 2 }] })),
    [],
  );
  for (const part of [{ type: 'string' }, { description: 'd' }, { nullable: true }, { default: 1 }]) {
    for (const where of [{ allOf: [part] }, { anyOf: [part] }, { oneOf: [part] }, { not: part }]) {
      assert.match(await firstProblem(field({ type: 'string', ...where })), /to be structural$/);
    }
  }
  assert.match(
    await firstProblem(withSchema({ type: 'object', anyOf: [{ properties: { a: { minimum: 1 } } }] })),
    /properties\[a\]: Required value: because it is defined in/,
  );
});

test('a pattern is a regular expression without look-around', async () => {
  assert.deepEqual(await problems(field({ type: 'string', pattern: '^[a-z]+$' })), []);
  assert.match(await firstProblem(field({ type: 'string', pattern: '[' })), /missing closing \]/);
  assert.match(await firstProblem(field({ type: 'string', pattern: '(?=a)' })), /unsupported Perl syntax/);
});

test('of metadata only name and generateName are described', async () => {
  const metadata = (schema: object) =>
    problems(withSchema({ type: 'object', properties: { metadata: schema } }));
  assert.deepEqual(
    await metadata({ type: 'object', properties: { name: { type: 'string', pattern: 'a' } } }),
    [],
  );
  assert.match(
    (await metadata({ type: 'object', properties: { labels: { type: 'object' } } }))[0]!,
    /must not specify/,
  );
  assert.match((await metadata({ type: 'string' }))[0]!, /must be object/);
});

test('x-orch-preserve-unknown-fields is true or undefined, never false', async () => {
  assert.deepEqual(await problems(field({ 'x-orch-preserve-unknown-fields': true })), []);
  assert.deepEqual(await problems(field({ type: 'object', 'x-orch-preserve-unknown-fields': false })), [
    `${at}.x-orch-preserve-unknown-fields: Invalid value: false: must be true or undefined`,
  ]);
});

test('x-orch-embedded-resource is an object with properties, or one that keeps what it does not know', async () => {
  const embedded = { 'x-orch-embedded-resource': true };
  assert.deepEqual(
    await problems(field({ type: 'object', ...embedded, 'x-orch-preserve-unknown-fields': true })),
    [],
  );
  assert.match(await firstProblem(field({ type: 'object', ...embedded })), /properties: Required value/);
  assert.match(
    await firstProblem(field({ type: 'string', ...embedded, 'x-orch-preserve-unknown-fields': true })),
    /must be object if x-orch-embedded-resource is true/,
  );
});

test('x-orch-int-or-string may be said beside in the way of other tools', async () => {
  const either = { 'x-orch-int-or-string': true };
  const types = [{ type: 'integer' }, { type: 'string' }];
  assert.deepEqual(await problems(field({ ...either, anyOf: types })), []);
  assert.deepEqual(await problems(field({ ...either, allOf: [{ anyOf: types }, { pattern: 'a' }] })), []);
  assert.match(
    await firstProblem(field({ ...either, anyOf: [...types].reverse() })),
    /must be empty to be structural/,
  );
});

const item = {
  type: 'object',
  properties: { k: { type: 'string' }, o: { type: 'object' }, d: { type: 'string', default: 'x' } },
  required: ['k', 'o'],
};
const listOf = (type: string, items: object, keys?: string[]) =>
  field({ type: 'array', 'x-orch-list-type': type, items, ...(keys && { 'x-orch-list-map-keys': keys }) });

test('x-orch-list-type is atomic, set or map, of arrays', async () => {
  for (const type of ['atomic', 'set'])
    assert.deepEqual(await problems(listOf(type, { type: 'string' })), []);
  assert.match(
    await firstProblem(listOf('bogus', { type: 'string' })),
    /supported values: "atomic", "set", "map"/,
  );
  assert.match(
    await firstProblem(field({ type: 'object', 'x-orch-list-type': 'atomic' })),
    /must be array if x-orch-list-type is specified/,
  );
  assert.match(await firstProblem(listOf('set', { type: 'object' })), /must be atomic as item of a list/);
});

test('x-orch-list-map-keys goes with list-type map; keys are scalar, and required or defaulted', async () => {
  assert.deepEqual(await problems(listOf('map', item, ['k'])), []);
  assert.deepEqual(await problems(listOf('map', item, ['d'])), []);
  assert.match(await firstProblem(listOf('map', item)), /must not be empty if x-orch-list-type is map/);
  assert.match(
    await firstProblem(listOf('set', { type: 'string' }, ['k'])),
    /must be map if x-orch-list-map-keys/,
  );
  assert.match(await firstProblem(listOf('map', item, ['o'])), /must be a scalar type/);
  assert.match(
    await firstProblem(listOf('map', { ...item, required: [] }, ['k'])),
    /must have a default or be a required/,
  );
  assert.match(
    await firstProblem(listOf('map', item, ['zz'])),
    /entries must all be names of item properties/,
  );
});

test('x-orch-map-type is granular or atomic, of objects', async () => {
  for (const type of ['granular', 'atomic']) {
    assert.deepEqual(await problems(field({ type: 'object', 'x-orch-map-type': type })), []);
  }
  assert.match(
    await firstProblem(field({ type: 'object', 'x-orch-map-type': 'x' })),
    /Unsupported value: "x"/,
  );
  assert.match(
    await firstProblem(field({ type: 'string', 'x-orch-map-type': 'atomic' })),
    /must be object if/,
  );
});

const ruled = (rule: object) =>
  problems(
    field({
      type: 'object',
      properties: { a: { type: 'string' }, m: { type: 'object', additionalProperties: { type: 'string' } } },
      'x-orch-validations': [{ rule: 'true', ...rule }],
    }),
  );

test('x-orch-validations: the rule is required', async () => {
  assert.deepEqual(await ruled({}), []);
  assert.deepEqual(await ruled({ rule: ' ' }), [
    `${at}.x-orch-validations[0].rule: Required value: rule is not specified`,
  ]);
});

test('x-orch-validations: messages on one line, known reasons, paths that exist', async () => {
  assert.match((await ruled({ message: 'a\nb' }))[0]!, /message must not contain line breaks/);
  assert.match((await ruled({ rule: 'true\n|| true' }))[0]!, /if rule contains line breaks/);
  assert.match((await ruled({ message: ' ' }))[0]!, /message must be non-empty if specified/);
  assert.match((await ruled({ messageExpression: ' ' }))[0]!, /messageExpression must be non-empty/);
  assert.match((await ruled({ reason: 'X' }))[0]!, /Unsupported value: "X"/);
  for (const fieldPath of ['.a', '.m.x', ".m['a b']"]) assert.deepEqual(await ruled({ fieldPath }), []);
  for (const fieldPath of ['a', '.zz', '.m["x"]', '.a.', '..a']) {
    assert.match((await ruled({ fieldPath }))[0]!, /fieldPath must be a valid path/);
  }
});

test('with /status, nothing is said at the root that would be lost for the status', async () => {
  const withStatus = (schema: object) =>
    problems(withVersion({ schema: { openAPIV3Schema: schema }, subresources: { status: {} } }));
  assert.deepEqual(await withStatus({ type: 'object', required: ['spec'], description: 'd' }), []);
  assert.match(
    (await withStatus({ type: 'object', minProperties: 1 }))[0]!,
    /fields are allowed at the root/,
  );
});
