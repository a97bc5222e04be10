/** SPEC's rules of custom resources. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertInvalid, everythingServed, kind } from './support.ts';

const http = await everythingServed();
const definitions = kind(http, '/apis/apiextensions.orch.io/v1/customresourcedefinitions');
const anything = { type: 'object', 'x-orch-preserve-unknown-fields': true };
let groups = 0;

interface Defined {
  readonly group: string;
  /** The path of the objects in the namespace `default`. */
  readonly path: string;
  readonly object: (name: string, fields?: object) => object;
}

/** Creates a CRD in its own group, whose first version is `v1`, and waits until it is served. */
async function defined(schema: object, version: object = {}, more: object[] = []): Promise<Defined> {
  const group = `g${++groups}.example.com`;
  const versions = [
    { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...version },
    ...more.map((each) => ({ served: true, storage: false, schema: { openAPIV3Schema: schema }, ...each })),
  ];
  const spec = { group, scope: 'Namespaced', names: { plural: 'things', kind: 'Thing' }, versions };
  const made = await http.post(definitions.collection, { metadata: { name: `things.${group}` }, spec });
  assert.equal(made.code, 201, made.text);
  const path = `/apis/${group}/v1/namespaces/default/things`;
  while ((await http.get(path)).code !== 200) await new Promise((resolve) => setImmediate(resolve));
  const object = (name: string, fields: object = {}) => ({
    apiVersion: `${group}/v1`,
    kind: 'Thing',
    metadata: { name },
    ...fields,
  });
  return { group, path, object };
}

const withSpec = (properties: object) => ({
  type: 'object',
  properties: { spec: { type: 'object', properties }, status: anything },
});

/** By keyword: a schema, a valid value, and an invalid one. */
const keywords: Readonly<Record<string, readonly [schema: object, good: unknown, bad: unknown]>> = {
  type: [{ type: 'integer' }, 1, 'one'],
  nullable: [
    { type: 'object', properties: { a: { type: 'string', nullable: true } } },
    { a: null },
    { a: 1 },
  ],
  enum: [{ type: 'string', enum: ['a', 'b'] }, 'b', 'c'],
  pattern: [{ type: 'string', pattern: '^a+$' }, 'aa', 'ab'],
  minLength: [{ type: 'string', minLength: 2 }, 'ab', 'a'],
  maxLength: [{ type: 'string', maxLength: 2 }, 'ab', 'abc'],
  minimum: [{ type: 'integer', minimum: 2 }, 2, 1],
  exclusiveMinimum: [{ type: 'integer', minimum: 2, exclusiveMinimum: true }, 3, 2],
  maximum: [{ type: 'integer', maximum: 2 }, 2, 3],
  exclusiveMaximum: [{ type: 'integer', maximum: 2, exclusiveMaximum: true }, 1, 2],
  multipleOf: [{ type: 'integer', multipleOf: 3 }, 6, 7],
  minItems: [{ type: 'array', items: { type: 'string' }, minItems: 1 }, ['a'], []],
  maxItems: [{ type: 'array', items: { type: 'string' }, maxItems: 1 }, ['a'], ['a', 'b']],
  items: [{ type: 'array', items: { type: 'string' } }, ['a'], [1]],
  minProperties: [{ ...anything, minProperties: 1 }, { a: 1 }, {}],
  maxProperties: [{ ...anything, maxProperties: 1 }, { a: 1 }, { a: 1, b: 1 }],
  required: [{ ...anything, required: ['a'] }, { a: 1 }, { b: 1 }],
  properties: [{ type: 'object', properties: { a: { type: 'integer' } } }, { a: 1 }, { a: 'x' }],
  additionalProperties: [{ type: 'object', additionalProperties: { type: 'integer' } }, { a: 1 }, { a: 'x' }],
  allOf: [{ type: 'integer', allOf: [{ minimum: 1 }, { maximum: 3 }] }, 2, 4],
  anyOf: [{ type: 'integer', anyOf: [{ maximum: 1 }, { minimum: 5 }] }, 5, 3],
  oneOf: [{ type: 'integer', oneOf: [{ maximum: 3 }, { minimum: 2 }] }, 1, 2],
  not: [{ type: 'integer', not: { enum: [2] } }, 1, 2],
  'x-orch-int-or-string': [{ 'x-orch-int-or-string': true }, '80', 1.5],
  'x-orch-list-type set': [
    { type: 'array', items: { type: 'string' }, 'x-orch-list-type': 'set' },
    ['a', 'b'],
    ['a', 'a'],
  ],
  'x-orch-list-type map': [
    {
      type: 'array',
      'x-orch-list-type': 'map',
      'x-orch-list-map-keys': ['k'],
      items: { type: 'object', required: ['k'], properties: { k: { type: 'string' } } },
    },
    [{ k: 'a' }, { k: 'b' }],
    [{ k: 'a' }, { k: 'a' }],
  ],
  'x-orch-embedded-resource': [
    { ...anything, 'x-orch-embedded-resource': true },
    { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } },
    { kind: 'Pod' },
  ],
};

test('CustomResourceDefinition: objects are validated by every keyword of their schema', async () => {
  const names = Object.keys(keywords);
  const properties = Object.fromEntries(names.map((name, i) => [`p${i}`, keywords[name]![0]]));
  const { path, object } = await defined(withSpec(properties));
  for (const [i, name] of names.entries()) {
    const [, good, bad] = keywords[name]!;
    const tried = (value: unknown) =>
      http.post(`${path}?dryRun=All`, object('a', { spec: { [`p${i}`]: value } }));
    const accepted = await tried(good);
    assert.equal(accepted.code, 201, `${name}: ${accepted.text}`);
    assert.equal((await tried(bad)).code, 422, name);
  }
});

test('CustomResourceDefinition: discovery sorts versions as for APIServices', async () => {
  const { group } = await defined(
    anything,
    {},
    ['v1alpha2', 'foo10', 'v11beta2', 'v10', 'v3beta1', 'v2', 'foo1', 'v1alpha10'].map((name) => ({ name })),
  );
  const { versions } = (await http.get(`/apis/${group}`)).body as unknown as {
    versions: { version: string }[];
  };
  assert.deepEqual(
    versions.map(({ version }) => version),
    ['v10', 'v2', 'v1', 'v11beta2', 'v3beta1', 'v1alpha10', 'v1alpha2', 'foo1', 'foo10'],
  );
});

test('CustomResourceDefinition: requests to a deprecated version get its own or the default warning', async () => {
  const { path } = await defined(anything, {}, [
    { name: 'v1beta1', deprecated: true, deprecationWarning: 'use v1' },
    { name: 'v1alpha1', deprecated: true },
  ]);
  const warning = async (version: string) =>
    (await http.get(path.replace('/v1/', `/${version}/`))).headers.get('warning');
  assert.equal(await warning('v1'), null);
  assert.equal(await warning('v1beta1'), '299 - "use v1"');
  assert.match((await warning('v1alpha1')) ?? '', /v1alpha1 Thing is deprecated/);
});

const table = { accept: 'application/json;as=Table;g=meta.orch.io;v=v1' };

test('CustomResourceDefinition: columns have their priority and format, and the default column is the age', async () => {
  const columnsOf = async (path: string) =>
    (await http.get(path, table)).body.columnDefinitions as {
      name: string;
      type: string;
      format: string;
      priority: number;
    }[];
  const plain = await defined(anything);
  assert.deepEqual(
    (await columnsOf(plain.path)).map(({ name }) => name),
    ['Name', 'Age'],
  );
  const additionalPrinterColumns = [
    { name: 'Size', type: 'integer', jsonPath: '.spec.size', format: 'int32', priority: 1 },
  ];
  const own = await defined(anything, { additionalPrinterColumns });
  const [, size, ...others] = await columnsOf(own.path);
  assert.deepEqual([size?.name, size?.type, size?.format, size?.priority], ['Size', 'integer', 'int32', 1]);
  assert.deepEqual(others, []);
});

test('CustomResourceDefinition: a selectable field that is missing is an empty string', async () => {
  const schema = withSpec({ color: { type: 'string' }, on: { type: 'boolean' }, size: { type: 'integer' } });
  const selectableFields = ['.spec.color', '.spec.on', '.spec.size'].map((jsonPath) => ({ jsonPath }));
  const { path, object } = await defined(schema, { selectableFields });
  await http.post(path, object('full', { spec: { color: 'red', on: true, size: 3 } }));
  await http.post(path, object('none'));
  const found = async (selector: string) => {
    const { body } = await http.get(`${path}?fieldSelector=${encodeURIComponent(selector)}`);
    return body.items.map(({ metadata }) => metadata.name);
  };
  for (const selector of ['spec.color=red', 'spec.on=true', 'spec.size=3', 'spec.color!=']) {
    assert.deepEqual(await found(selector), ['full'], selector);
  }
  for (const selector of ['spec.color=', 'spec.on=', 'spec.size=', 'spec.color!=red']) {
    assert.deepEqual(await found(selector), ['none'], selector);
  }
});

test('CustomResourceDefinition: the main path does not change status, and /status nothing but status', async () => {
  const { path, object } = await defined(withSpec({ size: { type: 'integer' } }), {
    subresources: { status: {} },
  });
  const { body: made } = await http.post(path, object('a', { spec: { size: 1 }, status: { seen: 1 } }));
  assert.equal(made.status, undefined);
  const { body: told } = await http.put(`${path}/a/status`, {
    ...made,
    spec: { size: 2 },
    status: { seen: 2 },
  });
  assert.deepEqual([told.spec, told.status], [{ size: 1 }, { seen: 2 }]);
  const { body: changed } = await http.put(`${path}/a`, { ...told, spec: { size: 3 }, status: { seen: 3 } });
  assert.deepEqual([changed.spec, changed.status], [{ size: 3 }, { seen: 2 }]);
});

test('CustomResourceDefinition: /scale is a Scale, with 0 replicas and no selector if these are missing', async () => {
  const scale = {
    specReplicasPath: '.spec.size',
    statusReplicasPath: '.status.size',
    labelSelectorPath: '.status.who',
  };
  const { path, object } = await defined(withSpec({ size: { type: 'integer' } }), {
    subresources: { status: {}, scale },
  });
  const { body: made } = await http.post(path, object('a', { spec: { size: 2 } }));
  const { body: before } = await http.get(`${path}/a/scale`);
  assert.deepEqual([before.kind, before.apiVersion], ['Scale', 'autoscaling/v1']);
  assert.deepEqual([before.spec, before.status], [{ replicas: 2 }, { replicas: 0 }]);
  await http.put(`${path}/a/status`, { ...made, status: { size: 1, who: 'a=b' } });
  const { body: after } = await http.get(`${path}/a/scale`);
  assert.deepEqual(after.status, { replicas: 1, selector: 'a=b' });
  await http.put(`${path}/a/scale`, { ...after, spec: { replicas: 7 } });
  assert.deepEqual((await http.get(`${path}/a`)).body.spec, { size: 7 });
});

test('CustomResourceDefinition: the conversion None changes only the apiVersion', async () => {
  const { group, path, object } = await defined(anything, {}, [{ name: 'v2' }]);
  const { body: made } = await http.post(path, object('a', { spec: { any: ['thing'] } }));
  const { body: shown } = await http.get(`${path.replace('/v1/', '/v2/')}/a`);
  assert.equal(shown.apiVersion, `${group}/v2`);
  assert.deepEqual(shown.spec, made.spec);
  assert.equal(shown.metadata.uid, made.metadata.uid);
});

test('CustomResourceDefinition: an object that violates a rule is rejected with the field path', async () => {
  const { path, object } = await defined(
    withSpec({ size: { type: 'integer', 'x-orch-validations': [{ rule: 'self % 2 == 0' }] } }),
  );
  const tried = (size: number) => http.post(`${path}?dryRun=All`, object('a', { spec: { size } }));
  assert.equal((await tried(2)).code, 201);
  assertInvalid(await tried(3), 'spec.size', /failed rule: self % 2 == 0/);
});
