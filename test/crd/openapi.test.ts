import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from '../support/client.ts';

const api = testServer();
const definitions = '/apis/apiextensions.orch.io/v1/customresourcedefinitions';

const spec = { type: 'object', properties: { color: { type: 'string', default: 'red', nullable: true } } };

async function make(plural: string, group: string, schema: object = {}): Promise<void> {
  const kind = plural[0]!.toUpperCase() + plural.slice(1, -1);
  const { code, text } = await api.post(definitions, {
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          selectableFields: [{ jsonPath: '.spec.color' }],
          schema: { openAPIV3Schema: { type: 'object', properties: { spec }, ...schema } },
        },
      ],
    },
  });
  assert.equal(code, 201, text);
  await until(async () => (await api.get(`/apis/${group}/v1/${plural}`)).code === 200);
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if (await isSo()) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.fail('it never came');
}

interface Kind {
  readonly properties: { readonly spec: object };
  readonly [extension: `x-${string}`]: unknown;
}

interface Document {
  readonly info: { readonly title: string };
  readonly paths: Record<string, Record<string, { operationId: string }>>;
  readonly components: { readonly schemas: Record<string, Kind> };
  readonly definitions: Record<string, Kind>;
}

const document = async (path: string) => (await api.get(path)).body as unknown as Document;

/** The URL of each v3 document, by name. */
async function addresses(): Promise<Record<string, string>> {
  const { paths } = (await api.get('/openapi/v3')).body as unknown as {
    paths: Record<string, { serverRelativeURL: string }>;
  };
  return Object.fromEntries(Object.entries(paths).map(([name, { serverRelativeURL: url }]) => [name, url]));
}

test('OpenAPI v3 has the schema of a CRD, with the extension names of the dialect', async () => {
  await make('widgets', 'one.example.com');
  const { info, paths, components } = await document('/openapi/v3/apis/one.example.com/v1');
  assert.equal(info.title, 'Orch CRD Swagger');
  const root = '/apis/one.example.com/v1/namespaces/{namespace}/widgets';
  assert.deepEqual(Object.keys(paths).sort(), [
    root,
    `${root}/{name}`,
    `${root}/{name}/status`,
    '/apis/one.example.com/v1/widgets',
  ]);
  assert.equal(paths[`${root}/{name}`]?.put?.operationId, 'replaceOneExampleComV1NamespacedWidget');
  const widget = components.schemas['com.example.one.v1.Widget'];
  assert.deepEqual(widget?.properties.spec, spec);
  assert.deepEqual(widget?.['x-orch-group-version-kind'], [
    { group: 'one.example.com', kind: 'Widget', version: 'v1' },
  ]);
  assert.deepEqual(widget?.['x-orch-selectable-fields'], [{ fieldPath: 'spec.color' }]);
  assert.ok(components.schemas['com.example.one.v1.WidgetList']);
  assert.ok(components.schemas['io.orch.api.meta.v1.ObjectMeta']);
});

test('OpenAPI v2 has custom resources, without what v2 cannot express', async () => {
  await make('gears', 'two.example.com');
  const whole = await document('/openapi/v2');
  const gear = whole.definitions['com.example.two.v1.Gear'];
  assert.deepEqual(gear?.properties.spec, {
    type: 'object',
    properties: { color: {} },
  });
  assert.ok(whole.definitions['io.orch.api.core.v1.Pod']);
  assert.ok(whole.paths['/apis/two.example.com/v1/gears']);
  const zipped = await fetch(`${api.url}/openapi/v2`, { headers: { 'accept-encoding': 'gzip' } });
  assert.deepEqual(await zipped.json(), whole);
});

test('a changed CRD does not change the documents of other groups', async () => {
  await make('levers', 'three.example.com');
  await make('pulleys', 'four.example.com');
  const before = await addresses();
  assert.match(before['apis/three.example.com/v1'] ?? '', /\?hash=[0-9A-F]{128}$/);
  await make('cranks', 'three.example.com');
  const after = await addresses();
  assert.notEqual(after['apis/three.example.com/v1'], before['apis/three.example.com/v1']);
  delete before['apis/three.example.com/v1'];
  delete after['apis/three.example.com/v1'];
  assert.deepEqual(after, before);
});

test('the hash changes only with published content', async () => {
  await make('bolts', 'five.example.com');
  const before = (await addresses())['apis/five.example.com/v1']!;
  const label = { metadata: { labels: { a: 'b' } } };
  const merge = { 'content-type': 'application/merge-patch+json' };
  await api.request('PATCH', `${definitions}/bolts.five.example.com`, label, merge);
  assert.equal((await addresses())['apis/five.example.com/v1'], before);
  const { headers } = await api.get(before);
  assert.equal(headers.get('cache-control'), 'public, immutable');
  const [, hash] = before.split('hash=');
  const known = await api.request('GET', '/openapi/v3/apis/five.example.com/v1', undefined, {
    'if-none-match': `"${hash}"`,
  });
  assert.equal(known.code, 304);
});

test('documents of custom resources are served as Protobuf too', async () => {
  await make('nuts', 'six.example.com');
  for (const [path, version] of [
    ['/openapi/v3/apis/six.example.com/v1', 'v3'],
    ['/openapi/v2', 'v2'],
  ]) {
    const accept = `application/com.github.proto-openapi.spec.${version}@v1.0+protobuf`;
    const response = await fetch(`${api.url}${path}`, { headers: { accept, 'accept-encoding': '' } });
    assert.equal(response.status, 200);
    const bytes = Buffer.from(await response.arrayBuffer());
    assert.ok(bytes.includes('com.example.six.v1.NutList'), version);
  }
});

test('a deleted CRD is not in the documents', async () => {
  await make('rods', 'seven.example.com');
  assert.equal((await api.get('/openapi/v3/apis/seven.example.com/v1')).code, 200);
  await api.delete(`${definitions}/rods.seven.example.com`);
  await until(async () => (await api.get('/openapi/v3/apis/seven.example.com/v1')).code === 404);
  // Of several servers, each removes it once it has received the deletion.
  await until(async () => !('apis/seven.example.com/v1' in (await addresses())));
  await until(async () => !('com.example.seven.v1.Rod' in (await document('/openapi/v2')).definitions));
});
