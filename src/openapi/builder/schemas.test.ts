// OpenAPI schemas of types.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orch } from '../../dialect/index.ts';
import { kind } from '../../kind/meta/kind.ts';
import { list, mapOf } from '../../schema/collections.ts';
import { intOrString } from '../../schema/int-or-string.ts';
import { quantity } from '../../schema/quantity-type.ts';
import {
  bool,
  bytes,
  int32,
  int64,
  named,
  openEnum,
  publishedEnum,
  string,
  time,
} from '../../schema/scalars.ts';
import { type Fields, field, optional, recursive, type Struct, struct } from '../../schema/struct.ts';
import type { Schema } from './document.ts';
import { Schemas } from './schemas.ts';

const x = (name: string) => `${orch.extensionPrefix}${name}`;
const ref = (name: string) => ({ $ref: `#/components/schemas/io.orch.api.${name}` });

function describe(type: Struct<unknown>, publishEnums = true): Readonly<Record<string, Schema>> {
  const schemas = new Schemas(orch, publishEnums);
  schemas.refTo(type);
  return schemas.all() ?? {};
}

const propertiesOf = (fields: Fields) => {
  const all = describe(struct('core/v1.T', fields));
  return all['io.orch.api.core.v1.T']?.properties;
};

test('a required field has its zero value as default, an optional field none', () => {
  assert.deepEqual(
    propertiesOf({
      a: field(1, string, { required: true }),
      b: field(2, int32, { omitEmpty: false }),
      c: field(3, bool),
      d: field(4, optional(int64)),
      e: field(5, bytes),
    }),
    {
      a: { type: 'string', default: '' },
      b: { type: 'integer', format: 'int32', default: 0 },
      c: { type: 'boolean' },
      d: { type: 'integer', format: 'int64' },
      e: { type: 'string', format: 'byte' },
    },
  );
});

test('a schema has the default only of fields that publish it', () => {
  assert.deepEqual(
    propertiesOf({
      a: field(1, string, { default: 'TCP', isDefaultPublished: true }),
      b: field(2, string, { default: 'TCP' }),
      c: field(3, int32, { default: 5, omitEmpty: false }),
    }),
    {
      a: { type: 'string', default: 'TCP' },
      b: { type: 'string' },
      c: { type: 'integer', format: 'int32', default: 0 },
    },
  );
});

test('a $ref stands alone, or in allOf beside other keywords', () => {
  const part = struct('core/v1.Part', { a: field(1, string) });
  assert.deepEqual(
    propertiesOf({
      a: field(1, optional(part)),
      b: field(2, optional(part), { doc: 'A part.', patch: 'replace' }),
      c: field(3, part),
      d: field(4, time),
      e: field(5, optional(intOrString)),
    }),
    {
      a: ref('core.v1.Part'),
      b: { description: 'A part.', [x('patch-strategy')]: 'replace', allOf: [ref('core.v1.Part')] },
      c: { default: {}, allOf: [ref('core.v1.Part')] },
      d: ref('meta.v1.Time'),
      e: ref('intstr.IntOrString'),
    },
  );
});

test('lists and maps have merge extensions and item schemas', () => {
  const part = struct('core/v1.Part', { name: field(1, string) });
  assert.deepEqual(
    propertiesOf({
      a: field(1, list(part, { type: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' })),
      b: field(2, list(string, { type: 'set' })),
      c: field(3, mapOf(quantity)),
      d: field(4, mapOf(string, { atomic: true })),
      e: field(5, mapOf(string), { mapType: 'granular' }),
    }),
    {
      a: {
        type: 'array',
        items: { default: {}, allOf: [ref('core.v1.Part')] },
        [x('list-map-keys')]: ['name'],
        [x('list-type')]: 'map',
        [x('patch-merge-key')]: 'name',
        [x('patch-strategy')]: 'merge',
      },
      b: { type: 'array', items: { type: 'string', default: '' }, [x('list-type')]: 'set' },
      c: { type: 'object', additionalProperties: ref('resource.Quantity') },
      d: {
        type: 'object',
        additionalProperties: { type: 'string', default: '' },
        [x('map-type')]: 'atomic',
      },
      e: {
        type: 'object',
        additionalProperties: { type: 'string', default: '' },
        [x('map-type')]: 'granular',
      },
    },
  );
});

test('only documented enums list their values, and none do without the feature OpenAPIEnums', () => {
  const type = struct('core/v1.T', {
    a: field(1, named('core/v1.Protocol', publishedEnum('TCP', 'UDP', 'SCTP'))),
    b: field(2, named('core/v1.ConditionStatus', openEnum('True', 'False'))),
  });
  const values = (publishEnums: boolean) =>
    Object.values(describe(type, publishEnums)['io.orch.api.core.v1.T']?.properties ?? {}).map(
      (property) => property.enum,
    );
  assert.deepEqual(values(true), [['SCTP', 'TCP', 'UDP'], undefined]);
  assert.deepEqual(values(false), [undefined, undefined]);
});

test('only kinds have the group-version-kind extension', () => {
  const all = describe(kind('rbac/v1.Thing', {}, { doc: '' }));
  const own = { group: 'rbac.authorization.orch.io', version: 'v1', kind: 'Thing' };
  assert.deepEqual(all['io.orch.api.rbac.v1.Thing']?.[x('group-version-kind') as 'x-'], [own]);
  for (const part of ['ObjectMeta', 'OwnerReference']) {
    const schema = all[`io.orch.api.meta.v1.${part}`];
    assert.ok(schema && !(x('group-version-kind') in schema), part);
  }
});

test('a union has the unions extension with its discriminator', () => {
  const type = struct(
    'core/v1.T',
    { type: field(1, string, { required: true }), a: field(2, string) },
    { atomic: true, union: { discriminator: 'type', members: { a: 'A' } } },
  );
  const { properties: _, ...rest } = describe(type)['io.orch.api.core.v1.T'] ?? {};
  assert.deepEqual(rest, {
    type: 'object',
    required: ['type'],
    [x('map-type')]: 'atomic',
    [x('unions')]: [{ discriminator: 'type', 'fields-to-discriminateBy': { a: 'A' } }],
  });
});

test('a recursive type is described once', () => {
  const node = recursive<{ name?: string; below?: unknown[] }>('core/v1.Node', (self) => ({
    name: field(1, string),
    below: field(2, list(self)),
  }));
  const all = describe(node);
  assert.deepEqual(Object.keys(all), ['io.orch.api.core.v1.Node']);
  assert.deepEqual(all['io.orch.api.core.v1.Node']?.properties?.below, {
    type: 'array',
    items: { default: {}, allOf: [ref('core.v1.Node')] },
  });
});
