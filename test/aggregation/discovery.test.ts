import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  AggregatingServer,
  apiServices,
  type Backend,
  poll,
  serviceOf,
  startBackend,
} from '../support/aggregated-server.ts';

interface Version {
  readonly version: string;
  readonly freshness: string;
  readonly resources?: readonly { readonly resource: string; readonly subresources?: readonly object[] }[];
}
interface Item {
  readonly metadata: { readonly name: string };
  readonly versions: readonly Version[];
}

let api: AggregatingServer;
let backend: Backend;
before(async () => {
  [api, backend] = await Promise.all([AggregatingServer.start(), startBackend()]);
  await api.addService('backend', backend.port);
});
after(async () => {
  await Promise.all([api.close(), backend.stop()]);
});

const accept = 'application/json;g=apidiscovery.orch.io;v=v2;as=APIGroupDiscoveryList';
const aggregated = async () => {
  const { text } = await api.ask('/apis', { plain: true, headers: { accept } });
  return (JSON.parse(text) as { items: Item[] }).items;
};
const itemOf = async (group: string) => (await aggregated()).find(({ metadata }) => metadata.name === group);
const plainGroups = async () =>
  (await api.call<{ groups: { name: string; versions: { version: string }[] }[] }>('GET', '/apis')).body
    .groups;
const spec = () => ({ ...serviceOf(backend.port), caBundle: backend.caBundle });
const current = (group: string) =>
  poll(`${group} is known`, async () => {
    const item = await itemOf(group);
    return item?.versions[0]?.freshness === 'Current' ? item : undefined;
  });

test('aggregated discovery includes the aggregated discovery of an extension API server', async () => {
  await api.addApiService('things.example.com', spec());
  const item = await current('things.example.com');
  assert.deepEqual(
    item.versions[0]?.resources?.map(({ resource }) => resource),
    ['things'],
  );
  const { body } = await api.call('GET', '/apis/things.example.com');
  assert.deepEqual(body, {
    kind: 'APIGroup',
    apiVersion: 'v1',
    name: 'things.example.com',
    versions: [{ groupVersion: 'things.example.com/v1', version: 'v1' }],
    preferredVersion: { groupVersion: 'things.example.com/v1', version: 'v1' },
  });
});

test('a server without aggregated discovery is asked for its APIResourceList', async () => {
  await api.addApiService('listed.example.com', spec());
  const item = await current('listed.example.com');
  assert.deepEqual(item.versions[0]?.resources?.[0], {
    resource: 'things',
    responseKind: { group: '', version: '', kind: 'Thing' },
    scope: 'Namespaced',
    singularResource: 'thing',
    verbs: ['create', 'delete', 'get', 'list', 'watch'],
    shortNames: ['th'],
    subresources: [
      { subresource: 'status', responseKind: { group: '', version: '', kind: 'Thing' }, verbs: ['get'] },
    ],
  });
});

test('discovery of an unreachable server is served as Stale', async () => {
  await api.addApiService('stale.example.com', spec());
  const before = await current('stale.example.com');
  await backend.become('failing');
  const touch = () =>
    api.call('PATCH', '/api/v1/namespaces/behind/services/backend', {
      metadata: { annotations: { at: String(Date.now()) } },
    });
  await touch();
  const stale = await poll('it is stale', async () => {
    const item = await itemOf('stale.example.com');
    return item?.versions[0]?.freshness === 'Stale' ? item : undefined;
  });
  assert.deepEqual(stale.versions[0]?.resources, before.versions[0]?.resources);
  await backend.become('well');
  await touch();
  await current('stale.example.com');
});

test('the ETag changes with the resources of extension API servers', async () => {
  const etag = async () => (await api.ask('/apis', { plain: true, headers: { accept } })).headers.etag;
  const before = await etag();
  await api.addApiService('etag.example.com', spec());
  assert.notEqual(await etag(), before);
});

test('groups are sorted by groupPriorityMinimum and versions by versionPriority, then by name', async () => {
  const service = { namespace: 'nowhere', name: 'nobody' };
  const add = (group: string, version: string, groupPriorityMinimum: number, versionPriority: number) =>
    api.addApiService(
      group,
      { service, insecureSkipTLSVerify: true, groupPriorityMinimum, versionPriority },
      version,
    );
  await add('first.example.com', 'v1', 19_000, 1);
  await add('b.example.com', 'v1', 700, 5);
  await add('a.example.com', 'v2', 700, 5);
  await add('mixed.example.com', 'v1alpha1', 700, 30);
  await add('mixed.example.com', 'v1beta1', 600, 20);
  await add('mixed.example.com', 'v2', 600, 20);
  await add('mixed.example.com', 'v10', 600, 20);
  const mine = (name: string) => /^(first|a|b|mixed)\.example/.test(name);
  const plain = (await plainGroups()).filter(({ name }) => mine(name));
  // The APIService names: v1.b, v1alpha1.mixed, v2.a.
  assert.deepEqual(
    plain.map(({ name }) => name),
    ['first.example.com', 'b.example.com', 'mixed.example.com', 'a.example.com'],
  );
  assert.deepEqual(
    plain[2]?.versions.map(({ version }) => version),
    ['v1alpha1', 'v10', 'v2', 'v1beta1'],
  );
  const items = (await aggregated()).filter(({ metadata }) => mine(metadata.name));
  assert.deepEqual(
    items.map(({ metadata }) => metadata.name),
    ['first.example.com', 'a.example.com', 'b.example.com', 'mixed.example.com'],
  );
  assert.deepEqual(items[0]?.versions, [{ version: 'v1', freshness: 'Stale' }]);
});

test('a deleted APIService disappears from discovery at once', async () => {
  await api.addApiService('gone.example.com', spec());
  await current('gone.example.com');
  await api.call('DELETE', `${apiServices}/v1.gone.example.com`);
  assert.equal(await itemOf('gone.example.com'), undefined);
  assert.equal((await api.call('GET', '/apis/gone.example.com')).text, '404 page not found\n');
  assert.equal((await api.call('GET', '/apis/gone.example.com/v1/things')).text, '404 page not found\n');
});

test('/openapi/v3 lists the document of an extension API server by its hash and proxies it', async () => {
  await poll('it is described', async () => {
    const { body } = await api.call<{ paths: Record<string, { serverRelativeURL: string }> }>(
      'GET',
      '/openapi/v3',
    );
    const address = body.paths['apis/things.example.com/v1']?.serverRelativeURL;
    return address === '/openapi/v3/apis/things.example.com/v1?hash=ABC' ? address : undefined;
  });
  const { body: index } = await api.call<{ paths: Record<string, { serverRelativeURL: string }> }>(
    'GET',
    '/openapi/v3',
  );
  // A server describes only its own group.
  assert.doesNotMatch(index.paths['apis/apps/v1']?.serverRelativeURL ?? '', /ABC$/);
  const { body } = await api.call<{ info: object }>('GET', '/openapi/v3/apis/things.example.com/v1?hash=ABC');
  assert.deepEqual(body.info, { title: 'things', version: 'v1' });
});

test('/openapi/v2 has the paths of an extension API server and all referenced definitions', async () => {
  interface Document {
    readonly paths: Record<string, object>;
    readonly definitions: Record<string, { description: string }>;
  }
  const { body } = await api.call<Document>('GET', '/openapi/v2');
  const path = '/apis/things.example.com/v1/namespaces/{namespace}/things/{name}';
  assert.ok(body.paths[path]);
  assert.equal(body.definitions['com.example.Thing']?.description, 'A thing.');
  assert.equal(body.definitions['com.example.Unused'], undefined);
  assert.doesNotMatch(JSON.stringify(body.paths['/api/v1/namespaces']), /readThing/);
  const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
  const protobuf = await api.ask('/openapi/v2', { plain: true, headers: { accept } });
  assert.ok(protobuf.body.includes('com.example.Thing'));
  const count = async () => (await api.call<Document>('GET', '/openapi/v2')).body.paths[path];
  await api.call('DELETE', `${apiServices}/v1.things.example.com`);
  assert.equal(await count(), undefined);
});
