// Custom resources whose schemas use every feature with a cost: map lists, sets, defaults, patterns, CEL, unknown fields.
import type { JsonSchema } from '../../src/schema/json-schema.ts';
import { metadataShape } from './metadata-shape.ts';
import { type StructShape, shapeOfSchema } from './shape.ts';
import type { Subject } from './subjects.ts';

const group = 'turns.example.com';
const object = (properties: Record<string, JsonSchema>, more: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...more,
});
const list = (items: JsonSchema, more: JsonSchema = {}): JsonSchema => ({ type: 'array', items, ...more });
const text: JsonSchema = { type: 'string' };
const short: JsonSchema = { type: 'string', maxLength: 10 };
const rule = (text: string): JsonSchema => ({ 'x-orch-validations': [{ rule: text }] });

/** By plural. */
const schemas: Readonly<Record<string, JsonSchema>> = {
  maplists: object({
    items: list(object({ name: text, port: { type: 'integer' }, value: text }, { required: ['name'] }), {
      'x-orch-list-type': 'map',
      'x-orch-list-map-keys': ['name'],
    }),
    names: list(text, { 'x-orch-list-type': 'set' }),
    atoms: list({ type: 'integer' }, { 'x-orch-list-type': 'atomic' }),
    more: { type: 'object', additionalProperties: object({ nested: list(text) }) },
  }),
  unknowns: object({ free: { type: 'object', 'x-orch-preserve-unknown-fields': true } }),
  patterned: object({
    names: list({ type: 'string', pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$', maxLength: 63 }),
    byName: { type: 'object', additionalProperties: { type: 'string', pattern: '^(a|b|c)*$' } },
    choices: list({ type: 'string', enum: ['one', 'two', 'three'] }),
    either: list(object({ a: text, b: text }, { oneOf: [{ required: ['a'] }, { required: ['b'] }] })),
  }),
  ruled: object({
    numbers: list({ type: 'integer', ...rule('self >= 0') }, { maxItems: 10_000 }),
    pairs: list(object({ a: short, b: short }, rule('!has(self.b) || self.a != self.b')), {
      maxItems: 1_000,
    }),
    labels: {
      type: 'object',
      additionalProperties: { type: 'string', maxLength: 10 },
      ...rule('size(self) < 1000000'),
    },
  }),
  defaulted: object({
    items: list(object({ a: { type: 'string', default: 'x' }, b: { type: 'integer', default: 1 } })),
  }),
};

export const customPlurals = Object.keys(schemas);

const kindOf = (plural: string) => `${plural[0]!.toUpperCase()}${plural.slice(1)}`;

/** The CustomResourceDefinition of each plural. */
export function customDefinition(plural: string): Record<string, unknown> {
  const openAPIV3Schema = object({
    spec: schemas[plural]!,
    status: object({
      conditions: list(object({ type: text, message: text })),
      replicas: { type: 'integer' },
    }),
  });
  return {
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { plural, kind: kindOf(plural) },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema },
          subresources: { status: {} },
          additionalPrinterColumns: [{ name: 'Spec', type: 'string', jsonPath: '.spec' }],
        },
      ],
    },
  };
}

export function customResources(): Subject[] {
  return customPlurals.map((plural) => {
    const shape: StructShape = {
      is: 'struct',
      name: '',
      fields: () =>
        new Map([
          ['metadata', { shape: metadataShape, isRequired: false }],
          ['spec', { shape: shapeOfSchema(schemas[plural]!), isRequired: false }],
        ]),
    };
    const apiVersion = `${group}/v1`;
    return {
      id: `${plural}.${apiVersion}`,
      apiVersion,
      kind: kindOf(plural),
      collection: `/apis/${apiVersion}/namespaces/default/${plural}`,
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      shape,
      schema: undefined,
      minimal: { apiVersion, kind: kindOf(plural) },
      fixedName: undefined,
      subresources: [
        {
          name: 'status',
          verbs: ['get', 'patch', 'update'],
          apiVersion,
          kind: kindOf(plural),
          shape,
          schema: undefined,
          isAction: false,
          isConnect: false,
        },
      ],
      maxBytes: 2_000_000,
    };
  });
}
