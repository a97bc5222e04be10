// Watches and lists of large objects, which a worker thread encodes. Two servers share a store, one with and one without
// worker threads: both must send the same bytes.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { MemoryStore } from '../../src/store/memory/memory-store.ts';
import { RealServer } from '../hardening/real-server.ts';

const options = { featureGates: { CBORServingAndStorage: true }, controllers: [] };
const store = new MemoryStore({ clock: systemClock });
const threaded = new RealServer({ ...options, writeThreads: 1 }, 'by hand');
const plain = new RealServer({ ...options, writeThreads: 0 }, 'by hand');

const core = '/api/v1/namespaces/default/configmaps';
const custom = '/apis/example.com/v1/namespaces/default/gadgets';
/** Kinds in a version that they are not stored in. */
const customV2 = '/apis/example.com/v2/namespaces/default/gizmos';
const autoscalers = '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers';
const version = (name: string, storage: boolean) => ({
  ...{ name, served: true, storage },
  schema: { openAPIV3Schema: { type: 'object', 'x-orch-preserve-unknown-fields': true } },
  additionalPrinterColumns: [{ name: 'First', type: 'string', jsonPath: '.data.k0' }],
});
const definition = (plural: string, kind: string, versions: readonly object[]) => ({
  apiVersion: 'apiextensions.orch.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.example.com` },
  spec: { group: 'example.com', scope: 'Namespaced', names: { plural, kind }, versions },
});
const definitions = [
  definition('gadgets', 'Gadget', [version('v1', true)]),
  definition('gizmos', 'Gizmo', [version('v1', true), version('v2', false)]),
];

/** Above minLargeBytes. */
const large = Object.fromEntries(Array.from({ length: 4_900 }, (_, i) => [`k${i}`, `value-${i}`]));
const small = { k0: 'v' };
const kinds: Readonly<Record<string, object>> = {
  [core]: { apiVersion: 'v1', kind: 'ConfigMap' },
  [custom]: { apiVersion: 'example.com/v1', kind: 'Gadget' },
  [customV2]: { apiVersion: 'example.com/v2', kind: 'Gizmo' },
  [autoscalers]: {
    ...{ apiVersion: 'autoscaling/v1', kind: 'HorizontalPodAutoscaler' },
    spec: { maxReplicas: 1, scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' } },
  },
};
const isInAnnotations = (path: string) => path.startsWith(autoscalers);
const bodyOf = (path: string, name: string, data: object, labels: object = { color: 'blue' }) => ({
  ...kinds[path],
  metadata: { name, labels, ...(isInAnnotations(path) && { annotations: data }) },
  ...(!isInAnnotations(path) && { data }),
});

async function write(method: string, path: string, body: unknown): Promise<void> {
  const { code, text } = await plain.send(method, path, body);
  assert.ok(code < 300, text.slice(0, 500));
}

async function replace(path: string, data: object, color = 'blue'): Promise<void> {
  const patch = [
    { op: 'replace', path: isInAnnotations(path) ? '/metadata/annotations' : '/data', value: data },
    { op: 'replace', path: '/metadata/labels/color', value: color },
  ];
  const headers = { 'content-type': 'application/json-patch+json' };
  const { code, text } = await plain.send('PATCH', path, patch, { headers });
  assert.equal(code, 200, text.slice(0, 500));
}

before(async () => {
  for (const server of [plain, threaded]) {
    server.store = store;
    await server.start();
  }
  for (const body of definitions) {
    await write('POST', '/apis/apiextensions.orch.io/v1/customresourcedefinitions', body);
  }
  for (const server of [plain, threaded]) {
    for (const path of [custom, customV2]) while ((await server.ask(path)).code !== 200);
  }
});
after(async () => {
  await threaded.stop();
  await plain.stop();
});

/** The bytes of a watch, up to the event of the object `last`. */
class OpenWatch {
  readonly #chunks: Buffer[] = [];
  readonly #request: http.ClientRequest;

  constructor(server: RealServer, path: string, accept: string) {
    this.#request = http.get({
      host: '127.0.0.1',
      port: server.plainPort,
      path,
      agent: false,
      headers: { accept },
    });
  }

  async open(): Promise<this> {
    const [response] = (await once(this.#request, 'response')) as [http.IncomingMessage];
    assert.equal(response.statusCode, 200);
    response.on('data', (chunk: Buffer) => this.#chunks.push(chunk));
    // The client closes the connection.
    response.on('error', () => {});
    return this;
  }

  async until(marker: string): Promise<Buffer> {
    // A chunk may end anywhere, so the last two are searched.
    while (!Buffer.concat(this.#chunks.slice(-2)).includes(marker)) await new Promise(setImmediate);
    this.#request.destroy();
    return Buffer.concat(this.#chunks);
  }
}

const table = 'application/json;as=Table;g=meta.orch.io;v=v1';
const metadataOf = (type: string) => `${type};as=PartialObjectMetadata;g=meta.orch.io;v=v1`;
const cbor = 'application/cbor';
const protobuf = 'application/vnd.orch.protobuf';
const builtInWatches: readonly [accept: string, query: string][] = [
  ['application/json', ''],
  [cbor, ''],
  [protobuf, ''],
  [metadataOf('application/json'), ''],
  [metadataOf(cbor), ''],
  [metadataOf(protobuf), ''],
  [table, ''],
  [table, '&includeObject=Object'],
  [table, '&includeObject=None'],
];
const customWatches = builtInWatches.filter(([accept]) => accept !== protobuf);

/** An age may be a second apart. */
const withoutAges = (bytes: Buffer) =>
  bytes
    .toString('latin1')
    .replace(/"\d+s"/g, '"age"')
    .replace(/- \d+s\n/g, '- age\n');

/** Creates, changes, deselects and deletes large objects between small ones. */
async function change(path: string): Promise<void> {
  await write('POST', path, bodyOf(path, 'small', small));
  await write('POST', path, bodyOf(path, 'large', large));
  await write('POST', path, bodyOf(path, 'small2', small));
  await replace(`${path}/large`, { ...large, k0: 'changed' });
  await replace(`${path}/large`, small);
  await replace(`${path}/large`, large);
  await replace(`${path}/large`, small, 'red');
  await write('DELETE', `${path}/initial`, {});
  await write('DELETE', `${path}/small`, {});
  await write('POST', path, bodyOf(path, 'finally', small));
}

async function compareWatches(path: string, formats: typeof builtInWatches): Promise<void> {
  await write('POST', path, bodyOf(path, 'first', small));
  await write('POST', path, bodyOf(path, 'initial', large));
  const selections = ['', '&labelSelector=color%3Dblue'];
  const watches = selections.flatMap((selection) =>
    formats.map(([accept, query]) => ({ accept, query: query + selection })),
  );
  const opened = await Promise.all(
    watches.map(({ accept, query }) =>
      Promise.all(
        [threaded, plain].map((server) => new OpenWatch(server, `${path}?watch=1${query}`, accept).open()),
      ),
    ),
  );
  await change(path);
  for (const [index, { accept, query }] of watches.entries()) {
    const [one, other] = await Promise.all(opened[index]!.map((watch) => watch.until('finally')));
    assert.ok(withoutAges(one!) === withoutAges(other!), `${accept} ${query}`);
  }
}

async function compareLists(path: string, types: readonly string[]): Promise<void> {
  await replace(`${path}/large`, large);
  for (const type of types) {
    for (const query of [
      '',
      '?includeObject=Object',
      '?includeObject=None',
      '?limit=2',
      '?labelSelector=color',
    ]) {
      const [one, other] = await Promise.all(
        [threaded, plain].map((server) => server.ask(path + query, { headers: { accept: type } })),
      );
      assert.equal(one!.code, 200, one!.text.slice(0, 500));
      assert.ok(withoutAges(one!.body) === withoutAges(other!.body), `${type} ${query}`);
    }
  }
}

const listsOf = (type: string) => metadataOf(type).replace('Metadata;', 'MetadataList;');
const yaml = 'application/yaml';
const yamlTable = table.replace('json', 'yaml');
const listTypes = [table, yamlTable, yaml, cbor, listsOf('application/json'), listsOf(yaml), listsOf(cbor)];

test('watches of a built-in kind send the events of large objects in order, in every format', () =>
  compareWatches(core, builtInWatches));

test('watches of a custom resource send the events of large objects in order, in every format', () =>
  compareWatches(custom, customWatches));

test('watches send large objects in other versions than they are stored in', async () => {
  await compareWatches(autoscalers, builtInWatches);
  await compareWatches(customV2, customWatches);
});

test('lists of a built-in kind have the rows and items of large objects', () =>
  compareLists(core, [...listTypes, protobuf, listsOf(protobuf)]));

test('lists of a custom resource have the rows and items of large objects', () =>
  compareLists(custom, listTypes));

test('lists and objects have large objects in other versions than they are stored in', async () => {
  const types = [...listTypes, 'application/json'];
  await compareLists(autoscalers, [...types, protobuf, listsOf(protobuf)]);
  await compareLists(customV2, types);
  for (const path of [autoscalers, customV2]) {
    for (const accept of ['application/json', yaml, cbor, table, metadataOf('application/json')]) {
      const [one, other] = await Promise.all(
        [threaded, plain].map((server) => server.ask(`${path}/large`, { headers: { accept } })),
      );
      assert.equal(one!.code, 200, one!.text.slice(0, 500));
      assert.ok(withoutAges(one!.body) === withoutAges(other!.body), `${path} ${accept}`);
    }
  }
});
