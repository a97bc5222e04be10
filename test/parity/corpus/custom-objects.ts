import {
  ask,
  type Body,
  del,
  get,
  type Json,
  type JsonObject,
  post,
  put,
  type Step,
  send,
  subject,
} from '../case.ts';
import { apply as applied } from './applies.ts';
import { object } from './objects.ts';

const group = '{name}.example.com';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const definition = `${definitions}/foos.${group}`;
const foos = `/apis/${group}/v1/namespaces/{ns}/foos`;
const x = (extension: string) => `x-kubernetes-${extension}`;
const anything: JsonObject = { type: 'object', [x('preserve-unknown-fields')]: true };

const version = (schema: Json, changes: JsonObject = {}): JsonObject => ({
  ...{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } },
  ...changes,
});

const kind = (versions: JsonObject[], changes: JsonObject = {}) =>
  object(`foos.${group}`, {
    spec: { group, scope: 'Namespaced', names: { plural: 'foos', kind: 'Foo' }, versions, ...changes },
  });

interface Conditions {
  conditions?: { type: string; status: string }[];
}

const isEstablished = ({ status }: JsonObject) =>
  ((status as unknown as Conditions).conditions ?? []).some(
    ({ type, status: is }) => type === 'Established' && is === 'True',
  );

/** Makes the kind, and waits until it is served. */
const serve = (versions: JsonObject[], changes?: JsonObject): Step[] => [
  post(definitions, kind(versions, changes), { pick: () => 'made' }),
  get(definition, { until: isEstablished, pick: ({ status }) => status ?? null }),
  get(`/apis/${group}/v1/foos`, { until: ({ kind: is }) => is !== 'Status', pick: () => 'served' }),
  get(`/apis/${group}/v1`, { until: ({ resources }) => Array.isArray(resources), pick: withoutHashes }),
];

/** The reference hashes group, version and kind of the case's own names. */
function withoutHashes({ resources }: JsonObject): Json {
  return (resources as JsonObject[]).map(({ storageVersionHash, ...rest }) => ({
    ...rest,
    hashed: storageVersionHash !== undefined,
  }));
}

const foo = (name: string, parts: JsonObject = {}, version = 'v1'): JsonObject => ({
  ...{ apiVersion: `${group}/${version}`, kind: 'Foo', metadata: { name } },
  ...parts,
});

const spec = (value: Json) => foo('a', { spec: value });
const withSpec = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties: { spec: { type: 'object', properties, ...more }, status: anything },
});
const patch = (path: string, body: Body, type: string) =>
  send('PATCH', path, body, { headers: { 'content-type': `application/${type}` } });
const merge = (path: string, body: JsonObject) => patch(path, body, 'merge-patch+json');
const apply = (path: string, by: string, body: JsonObject, force?: boolean) =>
  applied(path, body, { by, ...(force && { force }) });

/** What comes of each value under a schema of its own. */
const values = (schema: JsonObject, ...tried: Json[]): Step[] => [
  ...serve([version(withSpec({ f: schema }))]),
  ...tried.flatMap((value) => [
    post(foos, spec({ f: value })),
    post(`${foos}?fieldValidation=Strict&dryRun=All`, foo('strict', { spec: { f: value, more: 1 } })),
    del(`${foos}/a`, undefined, { pick: ({ status }) => status ?? null }),
  ]),
];

const table = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' };
const partial = { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' };
const partials = { accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1' };

export const customObjects = subject('custom-objects', [
  ask(
    'life of an object',
    serve([version(anything)]),
    post(foos, spec({ b: 1, a: [1, 'x', { z: null }] }), { as: 'a' }),
    post(foos, spec({})),
    get(`${foos}/a`),
    get(foos),
    get(`/apis/${group}/v1/foos`),
    get(`${foos}?limit=1`),
    get(`${foos}/nope`),
    put(`${foos}/a`, foo('a', { spec: { c: 1 } })),
    put(`${foos}/a`, (kept) => ({ ...kept.a!, spec: { c: 1 } })),
    put(`${foos}/a`, (kept) => ({ ...kept.a!, spec: { c: 2 } })),
    put(`${foos}/b`, foo('b', { metadata: { name: 'b', resourceVersion: '1' } })),
    merge(`${foos}/a`, { spec: { d: { e: 1 } }, metadata: { labels: { x: 'y' } } }),
    merge(`${foos}/a`, { spec: { d: null } }),
    patch(`${foos}/a`, '[{"op":"add","path":"/spec/q","value":1}]', 'json-patch+json'),
    patch(`${foos}/a`, {}, 'strategic-merge-patch+json'),
    get(`${foos}?labelSelector=x=y`),
    get(`${foos}?labelSelector=x=z`),
    get(`${foos}?fieldSelector=metadata.name=a`),
    get(`${foos}?fieldSelector=spec.c=1`),
    get(`${foos}/a`, { headers: partial }),
    get(foos, { headers: partials }),
    get(foos, { headers: table }),
    get(`${foos}/a`, { headers: { accept: 'application/vnd.kubernetes.protobuf' }, pick: () => null }),
    get(`${foos}/a`, { headers: { accept: 'application/yaml' } }),
    get(`${foos}/a/status`),
    get(`${foos}/a/scale`),
    del(`${foos}/a`),
    post(foos, foo('b')),
    del(foos),
    get(foos),
  ),
  ask(
    'bodies that are something else',
    serve([version(anything), version(anything, { name: 'v2', storage: false })]),
    post(foos, { metadata: { name: 'a' } }),
    post(foos, { kind: 'Foo', metadata: { name: 'a' } }),
    post(foos, { apiVersion: `${group}/v1`, metadata: { name: 'a' } }),
    post(foos, { apiVersion: `${group}/v1`, kind: 'Bar', metadata: { name: 'a' } }),
    post(foos, foo('a', {}, 'v2')),
    post(foos, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } }),
    post(foos, { apiVersion: 'a/b/c', kind: 'Foo', metadata: { name: 'a' } }),
    post(foos, foo('')),
    post(foos, foo('Upper')),
    post(foos, foo('a', { metadata: { name: 'a', namespace: 'other' } })),
    post(foos, foo('a', { metadata: { name: 'a', labels: { 'bad key!': 'x' } } })),
    post(foos, foo('a', { metadata: { generateName: 'a-', finalizers: ['bad'] } })),
    post(foos, foo('a', { metadata: { name: 'a', resourceVersion: '5' } })),
    post(foos, 'no JSON'),
    post(foos, '[]'),
    post(foos, 'null'),
    post(
      foos,
      '{"apiVersion":"{name}.example.com/v1","kind":"Foo","metadata":{"name":"twice"},"spec":{"a":1,"a":2}}',
    ),
    post(
      `${foos}?fieldValidation=Strict`,
      '{"apiVersion":"{name}.example.com/v1","kind":"Foo","metadata":{"name":"thrice"},"spec":{"a":1,"a":2}}',
    ),
    post(`${foos}?fieldValidation=Strict`, foo('s', { metadata: { name: 's', unknown: 1 } })),
    post(`/apis/${group}/v1/foos`, foo('a')),
  ),
  ask(
    'texts',
    values(
      { type: 'string', minLength: 2, maxLength: 4, pattern: '^[a-z]*$' },
      'abc',
      'a',
      'abcde',
      'A1',
      5,
      null,
      true,
      {},
      [],
    ),
  ),
  ask('texts of a form', values({ type: 'string', format: 'date-time' }, '2026-01-02T03:04:05Z', 'x', 3)),
  ask(
    'whole numbers',
    values({ type: 'integer', minimum: 1, maximum: 9, multipleOf: 2 }, 4, 0, 10, 3, 2.5, '4', null),
  ),
  ask('numbers', values({ type: 'number', exclusiveMinimum: true, minimum: 0 }, 1.5, 0, 1, 'x')),
  ask('truth', values({ type: 'boolean' }, true, 'true', 1)),
  ask('a choice of values', values({ type: 'string', enum: ['a', 'b'] }, 'a', 'c', 1)),
  ask('numbers or texts', values({ [x('int-or-string')]: true }, 1, 'a', true, 1.5)),
  ask('null', values({ type: 'string', nullable: true }, null, 'a', 1)),
  ask('a default', values({ type: 'string', default: 'x' }, null, 'a', 1)),
  ask('a default that may be null', values({ type: 'string', nullable: true, default: 'x' }, null, 'a')),
  ask(
    'defaults inside defaults',
    values(
      {
        type: 'object',
        default: { a: 1 },
        properties: {
          a: { type: 'integer' },
          b: { type: 'integer', default: 2 },
          c: { type: 'object', properties: { d: { type: 'integer', default: 3 } } },
        },
      },
      {},
      { c: {} },
      { a: null, b: null, c: null },
    ),
  ),
  ask(
    'lists',
    values(
      { type: 'array', minItems: 1, maxItems: 2, items: { type: 'integer' } },
      [1],
      [],
      [1, 2, 3],
      ['x'],
      [null],
      {},
    ),
  ),
  ask(
    'sets',
    values({ type: 'array', [x('list-type')]: 'set', items: { type: 'string' } }, ['a', 'b'], ['a', 'a']),
  ),
  ask(
    'lists with keys',
    values(
      {
        type: 'array',
        [x('list-type')]: 'map',
        [x('list-map-keys')]: ['a', 'b'],
        items: {
          type: 'object',
          required: ['a'],
          properties: { a: { type: 'string' }, b: { type: 'string', default: 'x' }, c: { type: 'integer' } },
        },
      },
      [{ a: '1', c: 1 }, { a: '2' }],
      [{ a: '1' }, { a: '1', b: 'x' }],
      [{ b: '1' }],
    ),
  ),
  ask(
    'objects',
    values(
      { type: 'object', required: ['a'], properties: { a: { type: 'string' }, b: { type: 'integer' } } },
      { a: '1' },
      {},
      { a: '1', z: 1 },
      { a: 1 },
      'x',
    ),
  ),
  ask(
    'maps',
    values(
      { type: 'object', maxProperties: 2, additionalProperties: { type: 'integer' } },
      { a: 1 },
      { a: 'x' },
      { a: 1, b: 2, c: 3 },
      { a: null },
    ),
  ),
  ask('anything at all', values(anything, { a: { b: [1, { c: null }] } }, null, 'x')),
  ask(
    'known fields in what is kept',
    values(
      { ...anything, properties: { a: { type: 'object', properties: { b: { type: 'string' } } } } },
      { a: { b: 'x', c: 1 }, z: { y: 1 } },
    ),
  ),
  ask(
    'an object of the API within another',
    values(
      { type: 'object', [x('embedded-resource')]: true, [x('preserve-unknown-fields')]: true },
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', unknown: 1 }, spec: { x: 1 } },
      { kind: 'Pod' },
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 5 } },
      {},
    ),
  ),
  ask('any of', values({ type: 'string', anyOf: [{ pattern: '^a' }, { minLength: 5 }] }, 'a', 'bbbbb', 'b')),
  ask('one of', values({ type: 'string', oneOf: [{ pattern: '^a' }, { minLength: 3 }] }, 'a', 'aaa', 'b')),
  ask('all of', values({ type: 'string', allOf: [{ pattern: '^a' }, { minLength: 3 }] }, 'aaa', 'a', 'b')),
  ask('not', values({ type: 'string', not: { pattern: '^a' } }, 'b', 'a')),
  ask(
    'status apart',
    serve([version(withSpec({ a: { type: 'integer' } }), { subresources: { status: {} } })]),
    post(foos, foo('a', { spec: { a: 1 }, status: { x: 1 } }), { as: 'a' }),
    put(
      `${foos}/a/status`,
      (kept) => ({
        ...kept.a!,
        spec: { a: 2 },
        status: { x: 2 },
        metadata: { ...(kept.a!.metadata as JsonObject), labels: { l: 'm' } },
      }),
      { as: 'b' },
    ),
    put(`${foos}/a`, (kept) => ({ ...kept.b!, spec: { a: 3 }, status: { x: 3 } })),
    merge(`${foos}/a/status`, { status: { y: 1 }, spec: { a: 9 } }),
    merge(`${foos}/a`, { status: { y: 2 } }),
    merge(`${foos}/a`, { metadata: { annotations: { a: 'b' } } }),
    merge(`${foos}/a/status`, { status: 'x' }),
    apply(`${foos}/a/status`, 'one', foo('a', { status: { z: 1 } })),
    apply(`${foos}/a`, 'one', foo('a', { spec: { a: 3 } })),
    get(`${foos}/a/status`),
  ),
  ask(
    'scale',
    serve([
      version(withSpec({ size: { type: 'integer' } }), {
        subresources: {
          status: {},
          scale: {
            specReplicasPath: '.spec.size',
            statusReplicasPath: '.status.size',
            labelSelectorPath: '.status.who',
          },
        },
      }),
    ]),
    post(foos, spec({ size: 2 })),
    post(foos, foo('none')),
    post(foos, foo('bad', { spec: { size: -1 } })),
    post(foos, foo('text', { spec: { size: 'x' } })),
    get(`${foos}/a/scale`, { as: 's' }),
    get(`${foos}/none/scale`),
    merge(`${foos}/a/status`, { status: { size: 1, who: 'x=y' } }),
    get(`${foos}/a/scale`),
    put(`${foos}/a/scale`, (kept) => ({ ...kept.s!, spec: { replicas: 3 } })),
    merge(`${foos}/a/scale`, { spec: { replicas: 4 } }),
    merge(`${foos}/a/scale`, { spec: { replicas: -4 } }),
    merge(`${foos}/a/scale`, { spec: { replicas: 'x' } }),
    get(`${foos}/a`),
  ),
  ask(
    'versions',
    serve([
      version(withSpec({ a: { type: 'string' }, b: { type: 'string' } })),
      version(withSpec({ a: { type: 'string' }, c: { type: 'string', default: 'c' } }), {
        name: 'v2beta1',
        storage: false,
        deprecated: true,
      }),
      version(anything, {
        name: 'v1alpha1',
        storage: false,
        deprecated: true,
        deprecationWarning: 'gone soon',
      }),
      version(anything, { name: 'v3', storage: false, served: false }),
    ]),
    get(`/apis/${group}`),
    post(foos, spec({ a: '1', b: '2' })),
    get(`${foos}/a`),
    get(`/apis/${group}/v2beta1/namespaces/{ns}/foos/a`),
    get(`/apis/${group}/v2beta1/namespaces/{ns}/foos`),
    get(`/apis/${group}/v1alpha1/namespaces/{ns}/foos/a`),
    get(`/apis/${group}/v3/namespaces/{ns}/foos/a`),
    post(`/apis/${group}/v2beta1/namespaces/{ns}/foos`, foo('b', { spec: { a: 'x', b: 'lost' } }, 'v2beta1')),
    get(`${foos}/b`),
    merge(`/apis/${group}/v2beta1/namespaces/{ns}/foos/a`, { spec: { a: '3' } }),
    get(`${foos}/a`),
  ),
  ask(
    'owners',
    serve([
      version(
        withSpec({
          a: { type: 'string' },
          map: { type: 'object', additionalProperties: { type: 'string' } },
          whole: { type: 'object', [x('map-type')]: 'atomic', additionalProperties: { type: 'string' } },
          list: { type: 'array', items: { type: 'string' } },
          set: { type: 'array', [x('list-type')]: 'set', items: { type: 'string' } },
          keyed: {
            type: 'array',
            [x('list-type')]: 'map',
            [x('list-map-keys')]: ['k'],
            items: {
              type: 'object',
              required: ['k'],
              properties: { k: { type: 'string' }, v: { type: 'string' } },
            },
          },
          free: anything,
        }),
      ),
    ]),
    apply(
      `${foos}/a`,
      'one',
      spec({
        a: '1',
        map: { x: '1' },
        whole: { x: '1' },
        list: ['1'],
        set: ['1'],
        keyed: [{ k: '1', v: '1' }],
        free: { x: { y: 1 } },
      }),
    ),
    apply(
      `${foos}/a`,
      'two',
      spec({ map: { y: '2' }, set: ['2'], keyed: [{ k: '2', v: '2' }], free: { x: { z: 2 } } }),
    ),
    apply(`${foos}/a`, 'two', spec({ whole: { y: '2' } })),
    apply(`${foos}/a`, 'two', spec({ list: ['2'], keyed: [{ k: '1', v: '2' }], free: { x: { y: 2 } } })),
    apply(
      `${foos}/a`,
      'two',
      spec({ list: ['2'], keyed: [{ k: '1', v: '2' }], free: { x: { y: 2 } } }),
      true,
    ),
    apply(`${foos}/a`, 'one', spec({})),
    apply(`${foos}/a`, 'two', spec({ set: ['2', '2'] })),
    apply(`${foos}/a`, 'two', spec({ keyed: [{ v: '2' }] })),
    apply(`${foos}/a`, 'two', spec({ unknown: 1 })),
    apply(`${foos}/b`, 'two', foo('b', { spec: { a: 1 } })),
    merge(`${foos}/a`, { spec: { free: { q: [1, 2] } } }),
  ),
  ask(
    'columns',
    serve([
      version(anything, {
        additionalPrinterColumns: [
          { name: 'S', type: 'string', jsonPath: '.spec.s', description: 'own words' },
          { name: 'I', type: 'integer', jsonPath: '.spec.i', priority: 1 },
          { name: 'N', type: 'number', jsonPath: '.spec.n' },
          { name: 'B', type: 'boolean', jsonPath: '.spec.b' },
          { name: 'D', type: 'date', jsonPath: '.metadata.creationTimestamp' },
          { name: 'C', type: 'string', jsonPath: '.spec.c[?(@.type=="Ready")].status' },
          { name: 'L', type: 'string', jsonPath: '.spec.l[1]' },
        ],
      }),
    ]),
    post(
      foos,
      spec({ s: 'x', i: 1, n: 1.5, b: true, c: [{ type: 'Ready', status: 'True' }], l: ['a', 'b'] }),
    ),
    post(foos, foo('b', { spec: { s: 5, i: 'x', n: 'y', b: 'z', l: ['a'] } })),
    post(foos, foo('c', { spec: { s: { o: 1 }, l: { x: 1 } } })),
    get(foos, { headers: table }),
    get(`${foos}/a`, { headers: table }),
  ),
  ask(
    'fields to select by',
    serve([
      version(withSpec({ color: { type: 'string' }, size: { type: 'integer' } }), {
        selectableFields: [{ jsonPath: '.spec.color' }, { jsonPath: '.spec.size' }],
      }),
    ]),
    post(foos, spec({ color: 'red', size: 1 })),
    post(foos, foo('b', { spec: { color: 'blue' } })),
    get(`${foos}?fieldSelector=spec.color=red`),
    get(`${foos}?fieldSelector=spec.color!=red`),
    get(`${foos}?fieldSelector=spec.size=1`),
    get(`${foos}?fieldSelector=spec.size=`),
    get(`${foos}?fieldSelector=spec.other=1`),
    del(`${foos}?fieldSelector=spec.color=blue`),
    get(foos),
  ),
  ask(
    'the end of a kind',
    serve([version(anything)]),
    post(foos, foo('a')),
    post(foos, foo('b', { metadata: { name: 'b', finalizers: ['example.com/wait'] } })),
    del(definition, undefined, { pick: ({ status }) => status ?? null }),
    get(definition, {
      until: ({ status }) => JSON.stringify(status).includes('InProgress'),
      pick: ({ status }) => status ?? null,
    }),
    get(`${foos}/a`, { until: ({ code }) => code === 404 }),
    get(`${foos}/b`, { until: ({ metadata }) => (metadata as JsonObject).deletionTimestamp !== undefined }),
    post(foos, foo('c')),
    merge(`${foos}/b`, { metadata: { finalizers: [] } }),
    get(definition, { until: ({ code }) => code === 404 }),
  ),
  ask(
    'objects of the whole cluster',
    serve([version(anything)], { scope: 'Cluster' }),
    post(`/apis/${group}/v1/foos`, foo('a')),
    get(`/apis/${group}/v1/foos/a`),
    get(foos),
    post(foos, foo('b')),
    get(`/apis/${group}/v1/foos`),
  ),
  ask(
    'other names',
    serve([version(anything)], {
      names: {
        plural: 'foos',
        kind: 'Foo',
        singular: 'fu',
        listKind: 'FooBox',
        shortNames: ['f', 'fo'],
        categories: ['all', 'x'],
      },
    }),
    get(foos),
    get(`/apis/${group}/v1/bars`),
    get(`/apis/${group}/v9/foos`),
    get(`/apis/${group}/v9`),
  ),
]);
