/** Every resource of every group version, with every verb it has. Ends with a table of the results. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Body, TestClient } from '../support/client.ts';
import {
  collectionOf,
  minimalOf,
  operations,
  type ServedResource,
  servedResources,
} from '../support/served-resources.ts';
import { startServer } from '../support/servers.ts';

class Client extends TestClient {
  readonly url: string;

  constructor(url: string) {
    super();
    this.url = url;
  }
}

const server = await startServer({
  runtimeConfig: { 'api/all': true },
  featureGates: { AllAlpha: true, AllBeta: true },
  // The server would write the status of FlowSchemas during the test.
  enablePriorityAndFairness: false,
  // Controllers would change the objects during the test.
  controllers: ['serviceaccount-controller'],
});
after(() => server.stop());
const client = new Client(server.url);
const seen: string[][] = [];

for (const resource of await servedResources(client)) {
  test(`${resource.apiVersion} ${resource.name}: ${resource.verbs.join(', ')}`, async () => {
    const row = resource.verbs.includes('list') ? await live(resource) : await createOnly(resource);
    seen.push([resource.apiVersion, resource.name, ...row]);
  });
}

after(() => {
  const header = ['group version', 'resource', ...verbs];
  const widths = header.map((title, i) => Math.max(title.length, ...seen.map((row) => row[i]?.length ?? 0)));
  for (const row of [header, ...seen]) {
    console.log(
      row
        .map((cell, i) => cell.padEnd(widths[i]!))
        .join('  ')
        .trimEnd(),
    );
  }
  console.log(`${seen.length} resources`);
});

const verbs = ['create', 'get', 'list', 'watch', 'update', 'delete'];

/** Kinds whose status the server itself writes. */
const toldBy = new Set(['apiservices', 'customresourcedefinitions']);

/** An object once the server has written its status. */
async function told(item: string) {
  for (;;) {
    const read = await client.get(item);
    const { conditions = [] } = (read.body.status ?? {}) as { conditions?: unknown[] | null };
    if ((conditions ?? []).length > 0) return read;
  }
}

/** Does what the deletion of an object waits for. */
async function release(item: string): Promise<void> {
  const { body } = await client.get(item);
  const { code, text } = await client.put(item, { ...body, metadata: { ...body.metadata, finalizers: [] } });
  assert.equal(code, 200, text);
}

/** Runs all verbs on an object and returns the result of each. */
async function live(resource: ServedResource): Promise<string[]> {
  const { apiVersion, kind } = resource;
  const collection = collectionOf(resource);
  if (!resource.verbs.includes('create')) {
    const list = await client.get(collection);
    assert.equal(list.code, 200, list.text);
    const first = list.body.items[0]!.metadata.name;
    assert.equal((await client.get(`${collection}/${first}`)).code, 200);
    return ['-', 'yes', 'yes', '-', '-', '-'];
  }
  const { name = 'smallest', body } = minimalOf(resource);
  const item = `${collection}/${name}`;
  const events = watched(`${collection}?watch=1&timeoutSeconds=20&fieldSelector=metadata.name=${name}`);

  const created = await client.post(collection, { ...body, apiVersion, kind, metadata: { name } });
  assert.equal(created.code, 201, created.text);
  assert.equal(created.body.kind, kind);
  assert.equal(created.body.apiVersion, apiVersion);
  const read = toldBy.has(resource.name) ? await told(item) : await client.get(item);
  assert.equal(read.code, 200);
  if (toldBy.has(resource.name)) assert.deepEqual(read.body.spec, created.body.spec);
  else assert.deepEqual(read.body, created.body);
  const list = await client.get(collection);
  assert.ok(list.body.items.some(({ metadata }) => metadata.uid === created.body.metadata.uid));
  let updated = await client.put(item, relabelled(read.body));
  // Every server may write its status.
  while (updated.code === 409 && toldBy.has(resource.name)) {
    updated = await client.put(item, relabelled((await client.get(item)).body));
  }
  assert.equal(updated.code, 200, updated.text);
  assert.deepEqual(updated.body.metadata.labels?.seen, 'yes');
  const deleted = await client.delete(`${item}?gracePeriodSeconds=0`);
  assert.equal(deleted.code, 200, deleted.text);
  if (deleted.body.metadata.finalizers && !toldBy.has(resource.name)) await release(item);
  const types = await events;
  assert.deepEqual(types.slice(0, 2), ['ADDED', 'MODIFIED']);
  return verbs.map(() => 'yes');
}

function relabelled(object: Body): Body {
  return { ...object, metadata: { ...object.metadata, labels: { ...object.metadata.labels, seen: 'yes' } } };
}

/** The types of the first events of a watch: the object is added, modified, and usually deleted. */
async function watched(path: string): Promise<string[]> {
  const response = await fetch(client.url + path);
  const types: string[] = [];
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    const lines = text.split('\n');
    text = lines.pop()!;
    for (const line of lines) types.push((JSON.parse(line) as { type: string }).type);
    if (types.length >= 3) break;
  }
  return types;
}

/** A virtual kind: its create is answered and not stored. */
async function createOnly(resource: ServedResource): Promise<string[]> {
  const { apiVersion, name, kind } = resource;
  const answer = await client.post(collectionOf(resource), { ...operations[name]!, apiVersion, kind });
  assert.ok(answer.code === 201 || (name === 'bindings' && answer.code === 404), answer.text);
  return ['yes', '-', '-', '-', '-', '-'];
}
