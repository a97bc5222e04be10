import { ask, del, get, type Json, type JsonObject, post, put, subject } from '../case.ts';
import { forms } from './lifecycle.ts';
import { object, paths } from './objects.ts';
import { tries } from './refusals.ts';

const definitions = paths('/apis/apiextensions.k8s.io/v1/customresourcedefinitions');
const x = (extension: string) => `x-kubernetes-${extension}`;

const version = (name: string, changes: JsonObject = {}): JsonObject => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: { type: 'object' } },
  ...changes,
});

/** A custom kind in a group of the case's own; fields of its spec that are null are left out. */
function kind(changes: JsonObject = {}, name = 'foos.{name}.example.com'): JsonObject {
  const spec: JsonObject = {
    group: '{name}.example.com',
    names: { plural: 'foos', kind: 'Foo' },
    scope: 'Namespaced',
    versions: [version('v1')],
    ...changes,
  };
  for (const [field, value] of Object.entries(spec)) if (value === null) delete spec[field];
  return object(name, { spec });
}

const withVersion = (changes: JsonObject) => kind({ versions: [version('v1', changes)] });
const withSchema = (schema: Json) => withVersion({ schema: { openAPIV3Schema: schema } });
const field = (schema: Json) => withSchema({ type: 'object', properties: { f: schema } });
const withDefault = (schema: JsonObject, value: Json) => field({ ...schema, default: value });
const withWebhook = (clientConfig: JsonObject, versions: Json = ['v1']) =>
  kind({
    conversion: { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: versions } },
  });
const names = (changes: JsonObject) => kind({ names: { plural: 'foos', kind: 'Foo', ...changes } });
const selectable = (...jsonPaths: string[]) =>
  withVersion({
    selectableFields: jsonPaths.map((jsonPath) => ({ jsonPath })),
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: {
            type: 'object',
            properties: {
              ...Object.fromEntries([...'abcdefghi'].map((name) => [name, { type: 'string' }])),
              number: { type: 'number' },
              flag: { type: 'boolean' },
              count: { type: 'integer' },
              list: { type: 'array', items: { type: 'string' } },
              map: { type: 'object', additionalProperties: { type: 'string' } },
              inner: { type: 'object', properties: { x: { type: 'string' } } },
              either: { [x('int-or-string')]: true },
            },
          },
        },
      },
    },
  });
const item = {
  type: 'object',
  properties: { k: { type: 'string' }, n: { type: 'object' }, d: { type: 'string', default: 'x' } },
  required: ['k'],
};
const listSchema = (type: string, items: Json, keys?: string[]): JsonObject => ({
  type: 'array',
  [x('list-type')]: type,
  items,
  ...(keys && { [x('list-map-keys')]: keys }),
});
const listOf = (type: string, items: Json, keys?: string[]) => field(listSchema(type, items, keys));
const rule = (changes: JsonObject) =>
  field({
    type: 'object',
    properties: { a: { type: 'string' }, m: { type: 'object', additionalProperties: { type: 'string' } } },
    [x('validations')]: [{ rule: 'true', ...changes }],
  });

/** Everything that a schema can say. */
const rich = withVersion({
  deprecated: true,
  deprecationWarning: 'move on',
  subresources: {
    status: {},
    scale: { specReplicasPath: '.spec.r', statusReplicasPath: '.status.r', labelSelectorPath: '.status.s' },
  },
  additionalPrinterColumns: [
    { name: 'A', type: 'string', jsonPath: '.spec.a', priority: 1, description: 'd', format: 'date' },
  ],
  selectableFields: [{ jsonPath: '.spec.a' }],
  schema: {
    openAPIV3Schema: {
      type: 'object',
      required: ['spec'],
      properties: {
        spec: {
          type: 'object',
          description: 'd',
          title: 't',
          externalDocs: { url: 'u', description: 'd' },
          properties: {
            a: {
              type: 'string',
              enum: ['a', null],
              nullable: true,
              pattern: '^a',
              minLength: 1,
              maxLength: 2,
            },
            n: {
              type: 'number',
              minimum: -1.5,
              maximum: 1e21,
              exclusiveMinimum: true,
              multipleOf: 0.25,
              default: 0.75,
            },
            l: {
              type: 'array',
              items: { type: 'string' },
              minItems: 1,
              maxItems: 3,
              [x('list-type')]: 'set',
            },
            m: {
              type: 'object',
              additionalProperties: { type: 'integer', format: 'int64' },
              [x('map-type')]: 'atomic',
            },
            o: { type: 'object', additionalProperties: true },
            c: { type: 'object', additionalProperties: false, example: { b: ['<', 1.5], a: null } },
            p: { [x('preserve-unknown-fields')]: true },
            i: { [x('int-or-string')]: true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
            e: { type: 'object', [x('embedded-resource')]: true, [x('preserve-unknown-fields')]: true },
            k: listSchema('map', item, ['k']),
            r: {
              type: 'string',
              not: { pattern: 'x' },
              allOf: [{ minLength: 1 }],
              oneOf: [{ pattern: 'y' }],
              [x('validations')]: [{ rule: 'true', message: 'm', reason: 'FieldValueForbidden' }],
            },
          },
        },
      },
    },
  },
});

export const customResourceDefinitions = subject('customresourcedefinitions', [
  ...tries(definitions, {
    'names and groups': [
      kind(),
      {},
      object('x', { spec: {} }),
      kind({}, 'x.y'),
      kind({}, 'Foo.Bar'),
      kind({ group: 'Bad_group' }, 'foos.Bad_group'),
      kind({ group: 'nodot' }, 'foos.nodot'),
      kind({ group: 'x.k8s.io' }, 'foos.x.k8s.io'),
      kind({ names: null }),
      names({ plural: 'Foos' }),
      names({
        singular: 'Foo',
        kind: 'foo_bar',
        listKind: 'foo.L',
        shortNames: ['A', 'b.c'],
        categories: ['x y'],
      }),
      names({ shortNames: [''] }),
      names({ categories: ['', 'a'] }),
      names({ listKind: 'Foo' }),
      names({ kind: '1Foo' }),
      names({ kind: 'foo' }),
      names({ singular: 'fo', shortNames: ['f'], categories: ['all'] }),
      kind({ scope: 'Cluster' }),
      kind({ scope: 'X' }),
      kind({ scope: null }),
      kind({ preserveUnknownFields: true }),
      kind({ preserveUnknownFields: false }),
    ],
    versions: [
      kind({ versions: null }),
      kind({ versions: [] }),
      withVersion({ storage: false }),
      withVersion({ served: false }),
      withVersion({ name: 'V_1' }),
      withVersion({ name: 'v1.2' }),
      withVersion({ name: '' }),
      withVersion({ schema: null }),
      withVersion({ schema: {} }),
      kind({ versions: [version('v1'), version('v2')] }),
      kind({ versions: [version('v1'), version('v2', { storage: true })] }),
      kind({ versions: [version('v1'), version('v1', { storage: false })] }),
      kind({ versions: [version('v1'), version('v2', { schema: null })] }),
      withVersion({ deprecated: true }),
      withVersion({ deprecated: true, deprecationWarning: 'move on' }),
      withVersion({ deprecationWarning: 'x' }),
      withVersion({ deprecated: true, deprecationWarning: '' }),
      withVersion({ deprecated: true, deprecationWarning: 'x'.repeat(257) }),
      withVersion({ deprecated: true, deprecationWarning: 'x\ny' }),
    ],
    conversion: [
      kind({ conversion: { strategy: 'None' } }),
      kind({ conversion: {} }),
      kind({ conversion: { strategy: 'X' } }),
      kind({ conversion: { strategy: 'Webhook' } }),
      kind({ conversion: { strategy: 'Webhook', webhook: {} } }),
      kind({
        conversion: { strategy: 'None', webhook: { conversionReviewVersions: ['v1'], clientConfig: {} } },
      }),
      kind({
        preserveUnknownFields: true,
        conversion: {
          strategy: 'Webhook',
          webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://a' } },
        },
      }),
      ...[
        'https://a/b',
        '',
        'http://a',
        'https://',
        'https://u:p@a',
        'https://a?x',
        'https://a#f',
        '://x',
        'https://a b/',
        'a:b',
        '1:2',
      ].map((url) => withWebhook({ url })),
      withWebhook({}),
      withWebhook({ url: 'https://a', service: { name: 'a', namespace: 'b' } }),
      withWebhook({ service: { name: 'a', namespace: 'b', path: '/x' } }),
      withWebhook({ service: {} }),
      ...[0, 1, 65535, 65536].map((port) => withWebhook({ service: { name: 'a', namespace: 'b', port } })),
      ...['', 'x', '/', '//', '/a//b', '/a/b/', '/A_b'].map((path) =>
        withWebhook({ service: { name: 'a', namespace: 'b', path } }),
      ),
      ...[[], ['x'], ['v1', 'v1'], ['V_1'], ['v1', 'v9']].map((versions) =>
        withWebhook({ url: 'https://a' }, versions),
      ),
      withWebhook({ url: 'https://a', caBundle: 'YWJj' }),
    ],
    'columns and subresources': [
      withVersion({
        additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.spec.a', priority: 1 }],
      }),
      withVersion({ additionalPrinterColumns: [{}] }),
      withVersion({ additionalPrinterColumns: [{ name: 'A', type: 'x', format: 'y', jsonPath: 'spec[' }] }),
      withVersion({
        additionalPrinterColumns: [{ name: 'A', type: 'date', format: 'name', jsonPath: '.a' }],
      }),
      withVersion({ subresources: { status: {} } }),
      withVersion({ subresources: { scale: {} } }),
      withVersion({
        subresources: {
          scale: {
            specReplicasPath: '.spec.r',
            statusReplicasPath: '.status.r',
            labelSelectorPath: '.status.s',
          },
        },
      }),
      withVersion({
        subresources: {
          scale: {
            specReplicasPath: '.status.r',
            statusReplicasPath: '.spec.r',
            labelSelectorPath: '.metadata.s',
          },
        },
      }),
      withVersion({ subresources: { scale: { specReplicasPath: 'spec.r', statusReplicasPath: 'r' } } }),
      kind({ versions: [version('v1', { subresources: { scale: {} } }), version('v2')] }),
    ],
    'selectable fields': [
      selectable('.spec.a', '.spec.count', '.spec.flag', '.spec.inner.x', '.spec.map.k'),
      selectable(...[...'abcdefgh'].map((name) => `.spec.${name}`)),
      selectable(...[...'abcdefghi'].map((name) => `.spec.${name}`)),
      selectable('.spec.a', '.spec.a'),
      ...[
        '',
        'spec.a',
        '.spec',
        '.spec.number',
        '.spec.list',
        '.spec.list[0]',
        '.spec.zz',
        '.metadata.name',
        '.kind',
        '.spec.either',
        '.',
        '.spec.a.',
        '.spec..a',
      ].map((jsonPath) => selectable(jsonPath)),
      kind({ versions: [version('v1', { selectableFields: [{ jsonPath: '.x' }] }), version('v2')] }),
    ],
    'schemas that are not structural': [
      withSchema({}),
      withSchema({ type: 'string' }),
      withSchema({ type: 'object', nullable: true }),
      withSchema({ type: 'object', additionalProperties: { type: 'string' } }),
      withSchema({ type: 'object', [x('preserve-unknown-fields')]: true }),
      withSchema({ [x('preserve-unknown-fields')]: true }),
      withSchema({ type: 'object', [x('preserve-unknown-fields')]: false }),
      field({}),
      field({ type: 'foo' }),
      field({ type: 'array' }),
      field({ type: 'array', items: {} }),
      field({ type: 'array', items: [{ type: 'string' }] }),
      field({ type: 'array', items: true }),
      field({ type: 'object', additionalProperties: {} }),
      field({
        type: 'object',
        properties: { a: { type: 'string' } },
        additionalProperties: { type: 'string' },
      }),
      field({ type: 'object', additionalProperties: true }),
      field({ type: 'object', additionalProperties: 'x' }),
      ...[
        { $ref: 'x' },
        { $schema: 'x' },
        { id: 'x' },
        { uniqueItems: true },
        { additionalItems: false },
      ].map((unsupported) => field({ type: 'object', ...unsupported })),
      field({ type: 'object', definitions: { a: { type: 'string' } } }),
      field({ type: 'object', dependencies: { a: ['b'] } }),
      field({ type: 'object', patternProperties: { a: { type: 'string' } } }),
      field({ type: 'string', not: { type: 'string', description: 'd', nullable: true, default: 1 } }),
      field({ type: 'string', anyOf: [{ pattern: 'a' }, { minLength: 2 }], allOf: [{ pattern: '[' }] }),
      withSchema({ type: 'object', anyOf: [{ properties: { spec: { required: ['a'] } } }] }),
      field({ [x('int-or-string')]: true, anyOf: [{ type: 'integer' }, { type: 'string' }] }),
      field({ [x('int-or-string')]: true, anyOf: [{ type: 'string' }, { type: 'integer' }] }),
      field({ type: 'string', pattern: '[' }),
      field({ type: 'string', pattern: '(?=a)' }),
      field({ type: 'string', nullable: true, format: 'bogus', enum: ['a', null], minLength: -1 }),
      withSchema({
        type: 'object',
        properties: { metadata: { type: 'object', properties: { name: { type: 'string' } } } },
      }),
      withSchema({
        type: 'object',
        properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } },
      }),
      withSchema({ type: 'object', properties: { metadata: { type: 'string' }, kind: { type: 'integer' } } }),
      field({ type: 'string', [x('embedded-resource')]: true }),
      field({ type: 'object', [x('embedded-resource')]: true, [x('preserve-unknown-fields')]: true }),
      field({ [x('int-or-string')]: true, [x('preserve-unknown-fields')]: true }),
    ],
    'lists, maps and rules': [
      listOf('bogus', { type: 'string' }),
      listOf('atomic', { type: 'string' }),
      listOf('set', { type: 'string' }),
      listOf('set', { type: 'object' }),
      listOf('set', { type: 'object', [x('map-type')]: 'atomic' }),
      listOf('set', { type: 'string', nullable: true }),
      listOf('map', item),
      listOf('map', item, ['k']),
      listOf('map', item, ['d']),
      listOf('map', { ...item, required: [] }, ['k']),
      listOf('map', { ...item, required: ['n'] }, ['n']),
      listOf('map', item, ['zz']),
      listOf('map', item, ['k', 'k']),
      listOf('map', { type: 'string' }, ['k']),
      listOf('set', { type: 'string' }, ['k']),
      field({ type: 'object', [x('list-type')]: 'atomic' }),
      field({ type: 'object', [x('map-type')]: 'granular' }),
      field({ type: 'object', [x('map-type')]: 'x' }),
      field({ type: 'string', [x('map-type')]: 'atomic' }),
      rule({}),
      rule({ rule: ' ' }),
      rule({ message: ' ' }),
      rule({ message: 'a\nb' }),
      rule({ messageExpression: ' ' }),
      rule({ reason: 'FieldValueForbidden', fieldPath: '.a' }),
      rule({ reason: 'X' }),
      ...['.zz', 'a', '.m.x', ".m['x']", '.m["x"]', '.a\n', ' '].map((fieldPath) => rule({ fieldPath })),
      rule({ rule: 'foo(' }),
      rule({ rule: 'self.zz == 1' }),
    ],
    defaults: [
      withDefault({ type: 'string' }, 'a'),
      withDefault({ type: 'string' }, 1),
      withDefault({ type: 'integer' }, 'a'),
      withDefault({ type: 'integer' }, 1.5),
      withDefault({ type: 'string', enum: ['a', 'b'] }, 'c'),
      withDefault({ type: 'string', pattern: '^a$' }, 'b'),
      withDefault({ type: 'string', minLength: 2 }, 'b'),
      withDefault({ type: 'string', maxLength: 1 }, 'bb'),
      withDefault({ type: 'integer', minimum: 2 }, 1),
      withDefault({ type: 'integer', maximum: 2, exclusiveMaximum: true }, 2),
      withDefault({ type: 'integer', multipleOf: 2 }, 3),
      withDefault({ type: 'object', properties: { a: { type: 'string' } } }, { a: 'x', b: 1 }),
      withDefault({ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }, {}),
      withDefault({ type: 'array', items: { type: 'string' }, maxItems: 1 }, ['a', 1]),
      withDefault({ type: 'string', nullable: true }, null),
      withDefault({ type: 'string', anyOf: [{ pattern: 'a' }, { pattern: 'b' }] }, 'c'),
      withDefault({ type: 'string', oneOf: [{ pattern: 'a' }, { pattern: 'b' }] }, 'ab'),
      withDefault({ type: 'string', allOf: [{ pattern: 'a' }, { pattern: 'b' }] }, 'a'),
      withDefault({ type: 'string', not: { pattern: 'a' } }, 'a'),
      ...[
        'date',
        'date-time',
        'duration',
        'uri',
        'email',
        'hostname',
        'ipv4',
        'ipv6',
        'cidr',
        'mac',
        'uuid',
        'isbn',
        'creditcard',
        'ssn',
        'hexcolor',
        'rgbcolor',
        'byte',
        'bsonobjectid',
        'password',
        'nope',
      ].map((format) => withDefault({ type: 'string', format }, '-')),
      withSchema({ type: 'object', default: {} }),
      withSchema({ type: 'object', properties: { metadata: { type: 'object', default: {} } } }),
      withDefault({ type: 'object', [x('preserve-unknown-fields')]: true }, { b: 1.0, a: [1e3, null] }),
      withDefault(
        { type: 'object', [x('embedded-resource')]: true, [x('preserve-unknown-fields')]: true },
        { a: 1 },
      ),
    ],
    'what cannot be read': [
      field({ type: 1 }),
      field({ type: 'array', items: { type: 1 } }),
      field({ type: 'array', items: { type: 'string', foo: 1 } }),
      field({ type: 'string', foo: 1 }),
      field({ type: 'object', additionalProperties: { minimum: 'x' } }),
      field({
        type: 'object',
        example: { b: 1.0, a: 1e21 },
        externalDocs: { url: 'u' },
        title: 't',
      }),
    ],
  }),
  ask(
    'answered in every form',
    Object.values(forms).flatMap((form) => [
      post(definitions('?dryRun=All'), rich, form),
      post(definitions('?dryRun=All'), kind({ scope: 'X' }), form),
    ]),
    post(definitions('?dryRun=All'), rich, { headers: { accept: 'application/cbor' } }),
  ),
  ask(
    'read in every form',
    post(
      definitions(),
      withSchema({
        type: 'object',
        properties: {
          spec: {
            type: 'object',
            additionalProperties: { type: 'number', maximum: 1.5, default: 0 },
            description: 'd',
          },
          list: { type: 'array', items: { type: 'string', enum: ['a', null] } },
          open: { type: 'object', additionalProperties: true },
        },
      }),
    ),
    get(definitions('foos.{name}.example.com'), { pick: specOf, after: 1 }),
    get(definitions('foos.{name}.example.com/status'), { pick: specOf }),
    get(definitions('nope')),
    get(definitions('nope'), forms.protobuf),
    post(definitions(), kind()),
    put(definitions('foos.{name}.example.com'), kind()),
    put(definitions('nope.{name}.example.com'), kind({}, 'nope.{name}.example.com')),
    put(definitions('foos.{name}.example.com/status'), kind()),
    del(definitions('foos.{name}.example.com'), undefined, { pick: specOf }),
  ),
  ask(
    'what may change',
    post(definitions(), kind()),
    get(definitions('foos.{name}.example.com'), { as: 'a', pick: specOf, after: 1 }),
    ...(
      [
        ['names', { plural: 'bars', kind: 'Foo' }],
        ['names', { plural: 'foos', kind: 'Foo', shortNames: ['f'] }],
        ['group', 'other.example.com'],
        ['preserveUnknownFields', true],
        ['versions', [version('v1'), version('v2')]],
        ['versions', [version('v1', { storage: false }), version('v2', { storage: true })]],
        ['versions', [version('v2', { storage: true })]],
        ['versions', [version('v1', { schema: null })]],
      ] as [string, Json][]
    ).map(([name, value]) =>
      put(
        definitions('foos.{name}.example.com?dryRun=All'),
        (kept) => ({ ...kept.a, spec: { ...(kept.a?.spec as JsonObject), [name]: value } }),
        { pick: specOf },
      ),
    ),
    del(definitions('foos.{name}.example.com'), undefined, { pick: specOf }),
  ),
]);

/** What does not depend on the controllers that establish a custom kind; refusals whole. */
function specOf(body: JsonObject): Json {
  if (body.kind === 'Status') return body;
  const { name = null, generation = null } = (body.metadata ?? {}) as JsonObject;
  const { storedVersions = null } = (body.status ?? {}) as JsonObject;
  return { kind: body.kind ?? null, name, generation, spec: body.spec ?? null, storedVersions };
}
