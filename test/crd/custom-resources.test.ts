import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigMap } from '../../src/apis/core/configmap.ts';
import { encodeMessage } from '../../src/codec/protobuf/encode.ts';
import { writeEnvelope } from '../../src/codec/protobuf/envelope.ts';
import { orch } from '../../src/dialect/index.ts';
import { testServer } from '../support/client.ts';
import { until } from '../support/controllers.ts';
import { ask, protobuf } from '../support/media-types.ts';

const api = testServer({ featureGates: { WatchList: true } });
const definitions = '/apis/apiextensions.orch.io/v1/customresourcedefinitions';

let made = 0;

interface Kind {
  readonly group: string;
  readonly name: string;
  /** The path of its objects in the namespace `default`. */
  readonly path: string;
  readonly apiVersion: string;
}

const anything = { type: 'object', 'x-orch-preserve-unknown-fields': true };

const versionOf = (schema: object, more: object = {}) => ({
  ...{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } },
  ...more,
});

/** Creates a CRD in its own group and waits until it is served. */
async function kindWith(
  versions: object[],
  names: object = {},
  scope = 'Namespaced',
  more: object = {},
): Promise<Kind> {
  const group = `g${++made}.example.com`;
  const name = `things.${group}`;
  const { code, text } = await api.post(definitions, {
    metadata: { name },
    spec: { group, scope, names: { plural: 'things', kind: 'Thing', ...names }, versions, ...more },
  });
  assert.equal(code, 201, text);
  await served(`/apis/${group}/v1`);
  const where = scope === 'Cluster' ? 'things' : 'namespaces/default/things';
  return { group, name, path: `/apis/${group}/v1/${where}`, apiVersion: `${group}/v1` };
}

async function served(path: string): Promise<void> {
  for (const end = performance.now() + 120_000; performance.now() < end; ) {
    if ((await api.get(path)).code === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  assert.fail(`${path} is not served`);
}

const thing = ({ apiVersion }: Kind, name: string, parts: object = {}) => ({
  ...{ apiVersion, kind: 'Thing', metadata: { name } },
  ...parts,
});

const withSpec = (properties: object, more: object = {}) => ({
  type: 'object',
  properties: { spec: { type: 'object', properties, ...more }, status: anything },
});

test('a CRD is established, in discovery and served', async () => {
  const kind = await kindWith([versionOf(anything)], { shortNames: ['th'], categories: ['all'] });
  const { body } = await api.get(`${definitions}/${kind.name}`);
  const { conditions, acceptedNames, storedVersions } = body.status as {
    conditions: { type: string; status: string; reason: string }[];
    acceptedNames: object;
    storedVersions: string[];
  };
  assert.deepEqual(
    conditions.map(({ type, status, reason }) => [type, status, reason]),
    [
      ['NamesAccepted', 'True', 'NoConflicts'],
      ['Established', 'True', 'InitialNamesAccepted'],
    ],
  );
  const names = {
    plural: 'things',
    singular: 'thing',
    shortNames: ['th'],
    kind: 'Thing',
    listKind: 'ThingList',
  };
  assert.deepEqual(acceptedNames, { ...names, categories: ['all'] });
  assert.deepEqual(storedVersions, ['v1']);
  const { body: list } = await api.get(`/apis/${kind.group}/v1`);
  assert.deepEqual(
    (list.resources as { name: string }[]).map(({ name }) => name),
    ['things'],
  );
  assert.equal((await api.get(kind.path)).body.kind, 'ThingList');
});

test('an object is created, read, replaced, patched, watched and deleted', async () => {
  const kind = await kindWith([versionOf(anything)]);
  const watch = await api.watch(`${kind.path}?watch=1&resourceVersion=0`);
  const { code, body } = await api.post(kind.path, thing(kind, 'a', { spec: { x: [1, { y: null }] } }));
  assert.equal(code, 201);
  assert.deepEqual(body.spec, { x: [1, { y: null }] });
  assert.equal(body.metadata.generation, 1);
  const { body: replaced } = await api.put(`${kind.path}/a`, { ...body, spec: { x: 2 } });
  assert.equal(replaced.metadata.generation, 2);
  const patched = await api.request(
    'PATCH',
    `${kind.path}/a`,
    { spec: { z: 1 } },
    {
      'content-type': 'application/merge-patch+json',
    },
  );
  assert.deepEqual(patched.body.spec, { x: 2, z: 1 });
  const { body: list } = await api.get(kind.path);
  assert.deepEqual(list.items, [patched.body]);
  assert.equal((await api.delete(`${kind.path}/a`)).code, 200);
  const types = [];
  for (let n = 0; n < 4; n++) types.push((await watch.next())?.type);
  assert.deepEqual(types, ['ADDED', 'MODIFIED', 'MODIFIED', 'DELETED']);
  watch.close();
});

test('unknown fields are pruned, and defaults are applied', async () => {
  const kind = await kindWith([
    versionOf(
      withSpec({
        size: { type: 'integer', default: 3 },
        kept: anything,
        port: {
          type: 'object',
          default: { name: 'a' },
          properties: { name: { type: 'string' }, no: { type: 'integer', default: 80 } },
        },
        may: { type: 'string', nullable: true, default: 'x' },
      }),
    ),
  ]);
  const sent = { size: null, kept: { a: 1 }, other: 2, may: null };
  const { body, headers } = await api.post(kind.path, thing(kind, 'a', { spec: sent, more: 1 }));
  assert.deepEqual(body.spec, { kept: { a: 1 }, may: null, port: { name: 'a', no: 80 }, size: 3 });
  assert.equal(body.more, undefined);
  assert.match(headers.get('warning') ?? '', /unknown field \\"spec.other\\"/);
  const strict = await api.post(
    `${kind.path}?fieldValidation=Strict`,
    thing(kind, 'b', { spec: { other: 1 } }),
  );
  assert.equal(strict.code, 400);
  assert.match(strict.body.message, /strict decoding error: unknown field "spec.other"/);
});

test('a new default applies to stored objects when they are read', async () => {
  const kind = await kindWith([versionOf(withSpec({ a: { type: 'string' } }))]);
  await api.post(kind.path, thing(kind, 'old', { spec: { a: 'x' } }));
  const { body } = await api.get(`${definitions}/${kind.name}`);
  const versions = [versionOf(withSpec({ a: { type: 'string' }, b: { type: 'string', default: 'new' } }))];
  const changed = await api.put(`${definitions}/${kind.name}`, { ...body, spec: { ...body.spec, versions } });
  assert.equal(changed.code, 200, changed.text);
  assert.deepEqual((await api.get(`${kind.path}/old`)).body.spec, { a: 'x', b: 'new' });
  assert.deepEqual((await api.get(kind.path)).body.items[0]!.spec, { a: 'x', b: 'new' });
});

test('values are validated against the schema', async () => {
  const kind = await kindWith([
    versionOf(
      withSpec(
        {
          name: { type: 'string', pattern: '^[a-z]+$' },
          size: { type: 'integer', minimum: 1 },
          tags: { type: 'array', 'x-orch-list-type': 'set', items: { type: 'string' } },
        },
        { required: ['name'] },
      ),
    ),
  ]);
  const { code, body } = await api.post(kind.path, thing(kind, 'a', { spec: { size: 0, tags: ['a', 'a'] } }));
  assert.equal(code, 422);
  assert.deepEqual(body.details.causes.map(({ field, reason }) => `${field} ${reason}`).sort(), [
    'spec.name FieldValueRequired',
    'spec.size FieldValueInvalid',
    'spec.tags[1] FieldValueDuplicate',
  ]);
  const wrong = await api.post(kind.path, thing(kind, 'a', { spec: { name: 5 } }));
  assert.match(wrong.body.message, /spec.name in body must be of type string: "integer"/);
});

test('status and scale are subresources', async () => {
  const scale = {
    specReplicasPath: '.spec.size',
    statusReplicasPath: '.status.size',
    labelSelectorPath: '.status.who',
  };
  const schema = withSpec({ size: { type: 'integer' } });
  const kind = await kindWith([versionOf(schema, { subresources: { status: {}, scale } })]);
  const { body } = await api.post(kind.path, thing(kind, 'a', { spec: { size: 2 }, status: { size: 9 } }));
  assert.equal(body.status, undefined);
  const sent = { ...body, spec: { size: 5 }, status: { size: 1, who: 'a=b' } };
  const { body: told } = await api.put(`${kind.path}/a/status`, sent);
  assert.deepEqual(
    [told.spec, told.status, told.metadata.generation],
    [{ size: 2 }, { size: 1, who: 'a=b' }, 1],
  );
  const { body: shown } = await api.get(`${kind.path}/a/scale`);
  assert.deepEqual([shown.spec, shown.status], [{ replicas: 2 }, { replicas: 1, selector: 'a=b' }]);
  await api.put(`${kind.path}/a/scale`, { ...shown, spec: { replicas: 7 } });
  assert.deepEqual((await api.get(`${kind.path}/a`)).body.spec, { size: 7 });
});

test('additionalProperties: true beside properties keeps unknown members and prunes their fields', async () => {
  const open = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: true };
  const kind = await kindWith([
    versionOf(withSpec({ open, shut: { type: 'object', additionalProperties: false } })),
  ]);
  const sent = { a: 'x', b: 1, c: { d: 1 }, e: [{ f: 1 }, null] };
  const { code, body } = await api.post(kind.path, thing(kind, 'a', { spec: { open: sent } }));
  assert.equal(code, 201);
  assert.deepEqual(body.spec, { open: { a: 'x', b: 1, c: {}, e: [{}, null] } });
  const wrong = await api.post(kind.path, thing(kind, 'b', { spec: { open: { a: 1 } } }));
  assert.match(wrong.body.message, /spec\.open\.a in body must be of type string/);
  const shut = await api.post(kind.path, thing(kind, 'b', { spec: { shut: { a: 1 } } }));
  assert.equal(shut.code, 422);
  assert.match(shut.body.message, /spec\.shut\.a in body is a forbidden property/);
});

test('scale sets replicas that were never set, also without a resourceVersion', async () => {
  const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' };
  const schema = withSpec({ size: { type: 'integer' } });
  const kind = await kindWith([versionOf(schema, { subresources: { scale } })]);
  await api.post(kind.path, thing(kind, 'a'));
  assert.equal((await api.get(`${kind.path}/a/scale`)).code, 500);
  const wanted = (replicas: number) => ({
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'a' },
    spec: { replicas },
  });
  for (const replicas of [3, 4]) {
    const { code, body } = await api.put(`${kind.path}/a/scale`, wanted(replicas));
    assert.equal(code, 200);
    assert.deepEqual(body.spec, { replicas });
    assert.deepEqual((await api.get(`${kind.path}/a`)).body.spec, { size: replicas });
  }
});

test('replicas must be an integer, and scale cannot write into a value that is not an object', async () => {
  const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' };
  const schema = { type: 'object', 'x-orch-preserve-unknown-fields': true };
  const kind = await kindWith([versionOf(schema, { subresources: { scale } })]);
  const halves = await api.post(kind.path, thing(kind, 'a', { spec: { size: 1.5 } }));
  assert.equal(halves.code, 422);
  assert.match(halves.body.message, /1\.5 is of the type float64, expected int64/);
  assert.equal((await api.post(kind.path, thing(kind, 'a', { spec: null }))).code, 201);
  const { code, body } = await api.put(`${kind.path}/a/scale`, {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'a' },
    spec: { replicas: 3 },
  });
  assert.equal(code, 500);
  assert.equal(body.message, 'value cannot be set because .spec is not a map[string]interface{}');
});

test('each version serves the same object by its own schema', async () => {
  const kind = await kindWith([
    versionOf(withSpec({ a: { type: 'string' }, b: { type: 'string' } })),
    versionOf(withSpec({ a: { type: 'string' } }), { name: 'v1alpha1', storage: false, deprecated: true }),
  ]);
  await api.post(kind.path, thing(kind, 'a', { spec: { a: '1', b: '2' } }));
  const { body, headers } = await api.get(`${kind.path.replace('/v1/', '/v1alpha1/')}/a`);
  assert.equal(body.apiVersion, `${kind.group}/v1alpha1`);
  assert.deepEqual(body.spec, { a: '1' });
  assert.match(headers.get('warning') ?? '', /v1alpha1 Thing is deprecated; use .*\/v1 Thing/);
});

test('managedFields follow the list and map types of the schema', async () => {
  const kind = await kindWith([
    versionOf(
      withSpec({
        ports: {
          type: 'array',
          'x-orch-list-type': 'map',
          'x-orch-list-map-keys': ['name'],
          items: {
            type: 'object',
            required: ['name'],
            properties: { name: { type: 'string' }, no: { type: 'integer' } },
          },
        },
        free: anything,
      }),
    ),
  ]);
  const apply = (manager: string, spec: object) =>
    api.request('PATCH', `${kind.path}/a?fieldManager=${manager}`, thing(kind, 'a', { spec }), {
      'content-type': 'application/apply-patch+yaml',
    });
  await apply('one', { ports: [{ name: 'x', no: 1 }], free: { a: 1 } });
  const { code, body, text } = await apply('two', { ports: [{ name: 'y', no: 2 }], free: { b: { c: 2 } } });
  assert.equal(code, 200, text);
  assert.deepEqual(body.spec, {
    ports: [
      { name: 'x', no: 1 },
      { name: 'y', no: 2 },
    ],
    free: { a: 1, b: { c: 2 } },
  });
  const fight = await apply('two', { ports: [{ name: 'x', no: 3 }] });
  assert.equal(fight.code, 409);
  assert.match(fight.body.message, /conflict with "one": \.spec\.ports\[name="x"\]\.no/);
  const { body: less } = await apply('one', {});
  assert.deepEqual(less.spec, { ports: [{ name: 'y', no: 2 }], free: { b: { c: 2 } } });
});

test('additionalPrinterColumns are Table columns', async () => {
  const additionalPrinterColumns = [
    { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  ];
  const kind = await kindWith([versionOf(anything, { additionalPrinterColumns })]);
  const conditions = [
    { type: 'Other', status: 'no' },
    { type: 'Ready', status: 'True' },
  ];
  await api.post(kind.path, thing(kind, 'a', { spec: { size: 4 }, status: { conditions } }));
  await api.post(kind.path, thing(kind, 'b'));
  const { body } = await api.get(kind.path, { accept: 'application/json;as=Table;g=meta.orch.io;v=v1' });
  assert.deepEqual(
    (body.rows as { cells: unknown[] }[]).map(({ cells }) => cells),
    [
      ['a', 4, 'True'],
      ['b', null, null],
    ],
  );
});

test('changed columns take effect at once', async () => {
  const columnsOf = (jsonPath: string) => [{ name: 'Shown', type: 'string', jsonPath }];
  const kind = await kindWith([versionOf(anything, { additionalPrinterColumns: columnsOf('.spec.one') })]);
  await api.post(kind.path, thing(kind, 'a', { spec: { one: '1', two: '2' } }));
  const shown = async () => {
    const { body } = await api.get(kind.path, { accept: 'application/json;as=Table;g=meta.orch.io;v=v1' });
    return (body.rows as { cells: unknown[] }[])[0]?.cells[1];
  };
  assert.equal(await shown(), '1');
  assert.equal(await shown(), '1');
  const { body } = await api.get(`${definitions}/${kind.name}`);
  const versions = [versionOf(anything, { additionalPrinterColumns: columnsOf('.spec.two') })];
  await api.put(`${definitions}/${kind.name}`, { ...body, spec: { ...body.spec, versions } });
  assert.equal(await until(shown, (cell) => cell !== '1'), '2');
});

test('selectableFields can be used in field selectors', async () => {
  const schema = withSpec({ color: { type: 'string' } });
  const kind = await kindWith([versionOf(schema, { selectableFields: [{ jsonPath: '.spec.color' }] })]);
  await api.post(kind.path, thing(kind, 'a', { spec: { color: 'red' } }));
  await api.post(kind.path, thing(kind, 'b', { spec: { color: 'blue' } }));
  const { body } = await api.get(`${kind.path}?fieldSelector=spec.color=blue`);
  assert.deepEqual(
    body.items.map(({ metadata }) => metadata.name),
    ['b'],
  );
  assert.equal((await api.get(`${kind.path}?fieldSelector=spec.size=1`)).code, 400);
});

test('a name in use in the group is not accepted until it is free', async () => {
  const kind = await kindWith([versionOf(anything)]);
  const names = { plural: 'items', kind: 'Item', shortNames: ['things'] };
  const name = `items.${kind.group}`;
  const spec = { group: kind.group, scope: 'Cluster', names, versions: [versionOf(anything)] };
  await api.post(definitions, { metadata: { name }, spec });
  const condition = async () => {
    const { body } = await api.get(`${definitions}/${name}`);
    return (body.status as { conditions?: { type: string; reason: string }[] }).conditions?.[0]?.reason;
  };
  while ((await condition()) === undefined) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(await condition(), 'ShortNamesConflict');
  assert.equal((await api.get(`/apis/${kind.group}/v1/items`)).code, 404);
  await api.delete(`${definitions}/${kind.name}`);
  await served(`/apis/${kind.group}/v1/items`);
  assert.equal(await condition(), 'NoConflicts');
});

test('deleting a CRD deletes its objects and ends its watches', async () => {
  const kind = await kindWith([versionOf(anything)]);
  for (const name of ['a', 'b']) await api.post(kind.path, thing(kind, name));
  const kept = { ...thing(kind, 'c'), metadata: { name: 'c', finalizers: ['example.com/wait'] } };
  const { body: last } = await api.post(kind.path, kept);
  const watch = await api.watch(`${kind.path}?watch=1&resourceVersion=${last.metadata.resourceVersion}`);
  const { code, body } = await api.delete(`${definitions}/${kind.name}`);
  assert.equal(code, 200);
  assert.equal(body.kind, 'Status');
  const { body: marked } = await api.get(`${definitions}/${kind.name}`);
  assert.deepEqual(marked.metadata.finalizers, ['customresourcecleanup.apiextensions.orch.io']);
  const first = [await watch.next(), await watch.next(), await watch.next()];
  assert.deepEqual(first.map((event) => event?.type).sort(), ['DELETED', 'DELETED', 'MODIFIED']);
  const refused = await api.post(kind.path, thing(kind, 'd'));
  assert.equal(refused.code, 405);
  const { body: waiting } = await api.get(`${kind.path}/c`);
  await api.put(`${kind.path}/c`, { ...waiting, metadata: { ...waiting.metadata, finalizers: [] } });
  assert.equal((await watch.next())?.type, 'DELETED');
  assert.equal(await watch.next(), undefined);
  assert.equal((await api.get(`${definitions}/${kind.name}`)).code, 404);
  assert.equal((await api.get(kind.path)).code, 404);
});

test('a CRD cannot replace a built-in resource', async () => {
  const group = 'apiextensions.orch.io';
  const name = `customresourcedefinitions.${group}`;
  const annotations = { 'api-approved.orch.io': 'https://github.com/orch/orch/pull/1' };
  const names = { plural: 'customresourcedefinitions', kind: 'CustomResourceDefinition' };
  const versions = [versionOf(anything, { name: 'v9' })];
  const kind = await kindWith([versionOf(anything)]);
  const sent = { metadata: { name, annotations }, spec: { group, scope: 'Cluster', names, versions } };
  const { code, text } = await api.post(definitions, sent);
  assert.equal(code, 201, text);
  assert.equal((await api.get(`/apis/${group}/v9/customresourcedefinitions`)).code, 404);
  await api.delete(`${definitions}/${name}`);
  while ((await api.get(`${definitions}/${name}`)).code === 200) await new Promise((r) => setImmediate(r));
  assert.equal((await api.get(`${definitions}/${kind.name}`)).code, 200);
});

test('custom resources support neither Protobuf nor strategic merge patch', async () => {
  const kind = await kindWith([versionOf(anything)]);
  await api.post(kind.path, thing(kind, 'a'));
  assert.equal((await api.get(`${kind.path}/a`, { accept: 'application/vnd.orch.protobuf' })).code, 406);
  const message = encodeMessage(ConfigMap, { metadata: { name: 'b' } });
  const body = writeEnvelope({ apiVersion: kind.apiVersion, kind: 'Thing', message }, orch.protobufMagic);
  for (const [method, path] of [
    ['POST', kind.path],
    ['PUT', `${kind.path}/a`],
  ] as const) {
    const { code, bytes } = await ask(api, method, path, { 'content-type': protobuf }, body);
    assert.equal(code, 415);
    assert.match(bytes.toString(), /accepted media types include: application\/json, application\/yaml"/);
  }
  const strategic = { 'content-type': 'application/strategic-merge-patch+json' };
  assert.equal((await api.request('PATCH', `${kind.path}/a`, {}, strategic)).code, 415);
});

test('deeply nested objects are rejected', async () => {
  const kind = await kindWith([versionOf(anything)]);
  for (const depth of [1_000, 9_000, 200_000]) {
    const deep = '{"a":'.repeat(depth) + 1 + '}'.repeat(depth);
    const text = `{"apiVersion":"${kind.apiVersion}","kind":"Thing","metadata":{"name":"deep"},"spec":${deep}}`;
    const { code, body } = await api.post(kind.path, text);
    assert.equal(code, 400, String(depth));
    assert.match(body.message, /nested|depth/);
  }
  assert.equal((await api.post(kind.path, thing(kind, 'flat', { spec: { a: { b: [1] } } }))).code, 201);
});

test('names of Object.prototype are ordinary names', async () => {
  const kind = await kindWith([versionOf(anything)]);
  const text = `{"apiVersion":"${kind.apiVersion}","kind":"Thing","metadata":{"name":"a"},"spec":{"__proto__":{"x":1},"constructor":2}}`;
  const { code } = await api.post(kind.path, text);
  assert.equal(code, 201);
  const { text: shown } = await api.get(`${kind.path}/a`);
  assert.match(shown, /"__proto__":\{"x":1\},"constructor":2/);
});

test('a CRD in a protected group has the condition for API approval', async () => {
  const group = 'approval.orch.io';
  const name = `things.${group}`;
  const annotation = 'api-approved.orch.io';
  const spec = {
    ...{ group, scope: 'Cluster', names: { plural: 'things', kind: 'Thing' } },
    versions: [versionOf(anything)],
  };
  const make = (annotations: object) => api.post(definitions, { metadata: { name, annotations }, spec });
  assert.equal((await make({})).code, 422);
  assert.equal((await make({ [annotation]: 'yes' })).code, 422);
  assert.equal((await make({ [annotation]: 'https://example.com/1' })).code, 201);
  await served(`/apis/${group}/v1`);
  const condition = async () => {
    const { body } = await api.get(`${definitions}/${name}`);
    const { conditions } = body.status as { conditions: { type: string; reason: string; message: string }[] };
    return conditions.find(({ type }) => type === 'OrchAPIApprovalPolicyConformant');
  };
  const approved = await condition();
  assert.deepEqual(
    [approved?.reason, approved?.message],
    ['ApprovedAnnotation', 'approved in https://example.com/1'],
  );
  const annotate = (value: string | null) =>
    api.request(
      'PATCH',
      `${definitions}/${name}`,
      { metadata: { annotations: { [annotation]: value } } },
      { 'content-type': 'application/merge-patch+json' },
    );
  assert.equal((await annotate(null)).code, 422);
  assert.equal((await annotate('unapproved, a try')).code, 200);
  while ((await condition())?.reason !== 'UnapprovedAnnotation') {
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.equal((await condition())?.message, 'not approved: "unapproved, a try"');
});

test('a new selectable field selects objects that were stored before', async () => {
  const schema = withSpec({ color: { type: 'string' } });
  const kind = await kindWith([versionOf(schema)]);
  for (const color of ['red', 'blue']) {
    assert.equal((await api.post(kind.path, thing(kind, color, { spec: { color } }))).code, 201);
  }
  const { body: definition } = await api.get(`${definitions}/${kind.name}`);
  const versions = [versionOf(schema, { selectableFields: [{ jsonPath: '.spec.color' }] })];
  const { code, text } = await api.put(`${definitions}/${kind.name}`, {
    ...definition,
    spec: { ...definition.spec, versions },
  });
  assert.equal(code, 200, text);
  const query = 'fieldSelector=spec.color=red';
  const { body } = await api.get(`${kind.path}?${query}`);
  assert.deepEqual(
    body.items.map(({ metadata }) => metadata.name),
    ['red'],
  );
  const watch = await api.watch(`${kind.path}?watch=1&${query}&resourceVersion=0`);
  assert.equal((await watch.next())?.object.metadata.name, 'red');
  watch.close();
  await api.delete(`${kind.path}?${query}`);
  assert.deepEqual(
    (await api.get(kind.path)).body.items.map(({ metadata }) => metadata.name),
    ['blue'],
  );
});

test('a bookmark of a custom resource has only kind, apiVersion and resourceVersion', async () => {
  const kind = await kindWith([versionOf(anything)]);
  const query = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
  const watch = await api.watch(`${kind.path}?${query}`);
  const event = await watch.next();
  watch.close();
  assert.deepEqual(Object.keys(event?.object ?? {}), ['apiVersion', 'kind', 'metadata']);
  const { annotations, ...metadata } = event!.object.metadata;
  assert.deepEqual(Object.keys(metadata), ['resourceVersion']);
  const list = Buffer.from(annotations['orch.io/initial-events-list-blueprint'] ?? '', 'base64').toString();
  assert.deepEqual(JSON.parse(list), { apiVersion: kind.apiVersion, items: [], kind: 'ThingList' });
});

test('a watch ends when the spec of its CRD changes, not when only labels change', async () => {
  const kind = await kindWith([versionOf(withSpec({ a: { type: 'string' } }))]);
  const path = `${definitions}/${kind.name}`;
  const change = (body: object) =>
    api.request('PATCH', path, body, { 'content-type': 'application/merge-patch+json' });
  const watch = await api.watch(`${kind.path}?watch=1`);
  assert.equal((await change({ metadata: { labels: { a: 'b' } } })).code, 200);
  await api.post(kind.path, thing(kind, 'a', { spec: { a: '1', b: '2' } }));
  assert.deepEqual((await watch.next())?.object.spec, { a: '1' });
  const versions = [versionOf(withSpec({ a: { type: 'string' }, b: { type: 'string' } }))];
  assert.equal((await change({ spec: { versions } })).code, 200);
  assert.deepEqual(await watch.rest(), []);
});

test('an embedded resource has a valid apiVersion, kind and metadata', async () => {
  const embedded = { ...anything, 'x-orch-embedded-resource': true };
  const kind = await kindWith([versionOf({ type: 'object', properties: { e: embedded } })]);
  const answer = async (e: object) => {
    const { code, body } = await api.post(`${kind.path}?dryRun=All`, { ...thing(kind, 'a'), e });
    return `${code} ${(body as { message?: string }).message ?? ''}`;
  };
  const pod = { apiVersion: 'v1', kind: 'Pod' };
  assert.match(await answer({ ...pod, metadata: null }), /^201/);
  for (const [change, expected] of [
    [
      { apiVersion: 'a/b/c' },
      /^422 .*e\.apiVersion: Invalid value: "a\/b\/c": unexpected GroupVersion string: a\/b\/c$/,
    ],
    [{ apiVersion: '' }, /^422 .*e\.apiVersion: Invalid value: "": must not be empty$/],
    [{ apiVersion: 5 }, /^400 .*e\.apiVersion: Invalid value: 5: must be a string$/],
    [{ kind: 'a_b' }, /^422 .*e\.kind: Invalid value: "a_b": may have mixed case/],
    [{ metadata: 5 }, /^400 .*e\.metadata: Invalid value: 5: json: cannot unmarshal number/],
    [{ metadata: { name: 5 } }, /^400 .*e\.metadata: .*Go struct field ObjectMeta\.name of type string$/],
    [{ metadata: { labels: { 'a b': 'c' } } }, /^422 .*e\.metadata\.labels: Invalid value: "a b"/],
  ] as const) {
    assert.match(await answer({ ...pod, ...change }), expected);
  }
});

test('numbers beyond 64-bit floats are rejected', async () => {
  const kind = await kindWith([versionOf(anything)]);
  const body = `{"apiVersion":"${kind.apiVersion}","kind":"Thing","metadata":{"name":"a"},"n":1e400}`;
  const { code, bytes } = await ask(api, 'POST', kind.path, { 'content-type': 'application/json' }, body);
  assert.equal(code, 400);
  assert.match(bytes.toString(), /json: cannot unmarshal number 1e400 into Go value of type float64/);
});
