import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  AggregatingServer,
  type Backend,
  poll,
  serviceOf,
  startBackend,
} from '../support/aggregated-server.ts';
import type { Body } from '../support/client.ts';

let api: AggregatingServer;
let backend: Backend;
const groups = ['things.example.com', 'collected.example.com'];
before(async () => {
  [api, backend] = await Promise.all([AggregatingServer.start(), startBackend()]);
  await api.addService('backend', backend.port);
  for (const group of groups) await addGroup(group);
});
after(async () => {
  await Promise.all([api.close(), backend.stop()]);
});

async function addGroup(group: string): Promise<void> {
  await api.addApiService(group, { ...serviceOf(backend.port), caBundle: backend.caBundle });
  await freshnessOf(group, 'Current');
}

const accept = 'application/json;g=apidiscovery.orch.io;v=v2;as=APIGroupDiscoveryList';

const freshnessOf = (group: string, wanted: string) =>
  poll(`${group} is ${wanted}`, async () => {
    const { text } = await api.ask('/apis', { plain: true, headers: { accept } });
    const { items } = JSON.parse(text) as {
      items: { metadata: { name: string }; versions: { freshness: string }[] }[];
    };
    const found = items.find(({ metadata }) => metadata.name === group);
    return found?.versions[0]?.freshness === wanted || undefined;
  });

const namespaces = '/api/v1/namespaces';
const thingsIn = (namespace: string, group: string) => `/apis/${group}/v1/namespaces/${namespace}/things`;

async function make(path: string, metadata: object): Promise<Body> {
  const { code, text, body } = await api.call<Body>('POST', path, { metadata });
  assert.equal(code, 201, text);
  return body;
}

const itemsAt = async (path: string) => (await api.call<Body>('GET', path)).body.items;

const isGone = (path: string) =>
  poll(`${path} is gone`, async () => (await api.call('GET', path)).code === 404 || undefined);

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

test('namespace deletion deletes the objects of extension API servers, by deletecollection or one by one', async () => {
  for (const name of ['doomed', 'spared']) await make(namespaces, { name });
  for (const group of groups) {
    for (const name of ['a', 'b', 'c']) await make(thingsIn('doomed', group), { name });
    await make(thingsIn('spared', group), { name: 'a' });
  }
  await make(`${namespaces}/doomed/configmaps`, { name: 'here' });
  await backend.seen();
  await api.call('DELETE', `${namespaces}/doomed`);
  await isGone(`${namespaces}/doomed`);
  const deletions = (await backend.seen()).filter(({ method }) => method === 'DELETE');
  // The controller may list more than once.
  assert.deepEqual([...new Set(deletions.map(({ url }) => url))].sort(), [
    thingsIn('doomed', 'collected.example.com'),
    ...['a', 'b', 'c'].map((name) => `${thingsIn('doomed', 'things.example.com')}/${name}`),
  ]);
  for (const { headers, groups, client } of deletions) {
    assert.equal(headers['x-remote-user'], 'system:serviceaccount:orch-system:namespace-controller');
    assert.ok(groups.includes('system:serviceaccounts'));
    assert.notEqual(client, '');
  }
  for (const group of groups) {
    assert.deepEqual(await itemsAt(thingsIn('doomed', group)), []);
    assert.equal((await itemsAt(thingsIn('spared', group))).length, 1);
  }
});

test('a namespace is not deleted while discovery of an extension API server fails', async () => {
  await make(namespaces, { name: 'held' });
  await make(thingsIn('held', 'things.example.com'), { name: 'a' });
  await make(`${namespaces}/held/configmaps`, { name: 'here' });
  const touch = () =>
    api.call('PATCH', `${namespaces}/behind/services/backend`, {
      metadata: { annotations: { at: String(Date.now()) } },
    });
  await backend.become('failing');
  await touch();
  for (const group of groups) await freshnessOf(group, 'Stale');
  await api.call('DELETE', `${namespaces}/held`);
  await isGone(`${namespaces}/held/configmaps/here`);
  const failure = await poll('it is said', async () => {
    const { body } = await api.call<Body>('GET', `${namespaces}/held`);
    const { conditions = [] } = body.status as { conditions?: Condition[] };
    return conditions.find(({ type }) => type === 'NamespaceDeletionDiscoveryFailure');
  });
  const [collected, things] = ['collected.example.com/v1', 'things.example.com/v1'];
  const { status, reason, message } = failure;
  assert.deepEqual(
    [status, reason, message],
    [
      'True',
      'DiscoveryFailed',
      'Discovery failed for some groups, 2 failing: unable to retrieve the complete list of server APIs: ' +
        `${collected}: stale GroupVersion discovery: ${collected}, ${things}: stale GroupVersion discovery: ${things}`,
    ],
  );
  await backend.become('well');
  await touch();
  await isGone(`${namespaces}/held`);
  assert.deepEqual(await itemsAt(thingsIn('held', 'things.example.com')), []);
});

test('an object with an owner in an extension API server is not garbage-collected', async () => {
  await make(namespaces, { name: 'owned' });
  await addGroup('shadow.example.com');
  // The same kind is served here, but requests for its group go to the other server.
  const schema = { openAPIV3Schema: { type: 'object' } };
  const definitions = '/apis/apiextensions.orch.io/v1/customresourcedefinitions';
  await api.call('POST', definitions, {
    metadata: { name: 'things.shadow.example.com' },
    spec: {
      group: 'shadow.example.com',
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  });
  await poll('the kind is established', async () => {
    const { body } = await api.call<Body>('GET', `${definitions}/things.shadow.example.com`);
    const { conditions } = body.status as { conditions: Condition[] | null };
    return conditions?.some(({ type, status }) => type === 'Established' && status === 'True') || undefined;
  });
  const maps = `${namespaces}/owned/configmaps`;
  for (const group of ['things.example.com', 'shadow.example.com']) {
    const { metadata } = await make(thingsIn('owned', group), { name: 'owner' });
    const owner = { apiVersion: `${group}/v1`, kind: 'Thing', name: 'owner', uid: metadata.uid };
    await make(maps, { name: group, ownerReferences: [owner] });
  }
  const absent = { apiVersion: 'v1', kind: 'ConfigMap', name: 'nobody', uid: 'no-such-uid' };
  await make(maps, { name: 'last', ownerReferences: [absent] });
  await isGone(`${maps}/last`);
  for (const group of ['things.example.com', 'shadow.example.com']) {
    assert.equal((await api.call('GET', `${maps}/${group}`)).code, 200, group);
  }
});
