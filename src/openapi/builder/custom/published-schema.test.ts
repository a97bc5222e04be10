// Published schemas of custom resources.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extensionNames, type JSONSchemaProps } from '../../../apis/apiextensions/json-schema.ts';
import { orch } from '../../../dialect/index.ts';
import { publishedSchema } from './published-schema.ts';

const names = extensionNames(orch);
const text = { type: 'string' };
const embedded = { apiVersion: text, kind: text, metadata: { type: 'object' } };
const published = (schema: JSONSchemaProps, version: 2 | 3) =>
  publishedSchema(schema, { names, embedded, version });

/** What is said in v3, and in v2. */
function says(schema: JSONSchemaProps, version3: object, version2: object): void {
  assert.deepEqual(published(schema, 3), version3);
  assert.deepEqual(published(schema, 2), version2);
}

test('default, oneOf, anyOf and not are in v3 only', () => {
  says(
    {
      type: 'string',
      default: 'a',
      not: { enum: ['b'] },
      allOf: [{ minLength: 1 }],
      oneOf: [],
      maxLength: 3,
    },
    { type: 'string', default: 'a', not: { enum: ['b'] }, allOf: [{ minLength: 1 }], maxLength: 3 },
    { type: 'string', maxLength: 3 },
  );
});

test('v2 omits the schema of nullable values and of values with unknown fields', () => {
  const properties = { a: text };
  const open = { [names.preserveUnknownFields]: true };
  says(
    { type: 'object', nullable: true, properties, minProperties: 1 },
    { type: 'object', nullable: true, properties, minProperties: 1 },
    { minProperties: 1 },
  );
  says({ type: 'object', properties, ...open }, { type: 'object', properties, ...open }, open);
  says({ type: 'array', nullable: true, items: text }, { type: 'array', nullable: true, items: text }, {});
});

test('int-or-string has anyOf, unless the schema has it', () => {
  const either = { [names.intOrString]: true };
  const anyOf = [{ type: 'integer' }, { type: 'string' }];
  says(either, { anyOf, ...either }, either);
  says({ anyOf, ...either }, { anyOf, ...either }, either);
  says({ allOf: [{ anyOf }], ...either }, { allOf: [{ anyOf }], ...either }, either);
  says(
    { anyOf: [{ minimum: 1 }], ...either },
    { allOf: [{ anyOf }], anyOf: [{ minimum: 1 }], ...either },
    either,
  );
});

test('an embedded resource has apiVersion, kind and metadata', () => {
  const mark = { [names.embeddedResource]: true };
  const spec = { type: 'object' };
  const whole = {
    type: 'object',
    required: ['spec', 'kind', 'apiVersion'],
    properties: { ...embedded, spec },
    ...mark,
  };
  says({ type: 'object', required: ['spec'], properties: { spec }, ...mark }, whole, whole);
  const open = { [names.preserveUnknownFields]: true, ...mark };
  says(
    { type: 'object', required: ['spec'], ...open },
    { type: 'object', required: ['spec', 'kind', 'apiVersion'], properties: embedded, ...open },
    { required: ['spec'], ...open },
  );
});

test('a property may have any name', () => {
  const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"},"default":{}}}');
  assert.equal(JSON.stringify(published(schema, 2)), JSON.stringify(schema));
});
