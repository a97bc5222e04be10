import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Body, testServer } from '../support/client.ts';
import { controllersIdle, customKind, until, untilDeleted } from '../support/controllers.ts';

const api = testServer();

type Owner = Pick<Body, 'apiVersion' | 'kind' | 'metadata'>;

const reference = ({ apiVersion, kind, metadata: { name, uid } }: Owner, more: object = {}) => ({
  ...{ apiVersion, kind, name, uid },
  ...more,
});

const blocking = { blockOwnerDeletion: true };

async function make(path: string, name: string, owners: object[] = [], more: object = {}): Promise<Body> {
  const metadata = { name, ...(owners.length > 0 && { ownerReferences: owners }), ...more };
  const { code, body, text } = await api.post(path, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
  assert.equal(code, 201, text);
  return body;
}

/** An owner, its dependent, and a dependent of that. */
async function family(path: string): Promise<Body[]> {
  const parent = await make(path, 'parent');
  const child = await make(path, 'child', [reference(parent, blocking)]);
  const grandchild = await make(path, 'grandchild', [reference(child, blocking)]);
  return [parent, child, grandchild];
}

const ownersOf = ({ metadata }: Body) =>
  (metadata as unknown as { ownerReferences?: object[] }).ownerReferences;

test('background: dependents are deleted after their owner, transitively', async () => {
  const path = await api.namespace();
  await family(path);
  assert.equal((await api.delete(`${path}/parent`, { propagationPolicy: 'Background' })).body.kind, 'Status');
  await untilDeleted(api, `${path}/child`);
  await untilDeleted(api, `${path}/grandchild`);
});

test('foreground: the owner is deleted after its dependents', async () => {
  const path = await api.namespace();
  const [parent] = await family(path);
  const watch = await api.watch(`${path}?watch=1&resourceVersion=${parent!.metadata.resourceVersion}`);
  assert.equal((await api.delete(`${path}/parent`, { propagationPolicy: 'Foreground' })).code, 200);
  let marked = await watch.next();
  while (marked?.type !== 'MODIFIED') marked = await watch.next();
  assert.deepEqual(marked.object.metadata.finalizers, ['foregroundDeletion']);
  await untilDeleted(api, `${path}/parent`);
  const order: string[] = [];
  while (order.length < 3) {
    const event = await watch.next();
    if (event?.type === 'DELETED') order.push(event.object.metadata.name);
  }
  watch.close();
  assert.deepEqual(order, ['grandchild', 'child', 'parent']);
});

test('orphan: dependents stay, without the owner reference', async () => {
  const path = await api.namespace();
  await family(path);
  await api.delete(`${path}/parent`, { propagationPolicy: 'Orphan' });
  await untilDeleted(api, `${path}/parent`);
  const { body: child } = await api.get(`${path}/child`);
  assert.equal(ownersOf(child), undefined);
  const { body: grandchild } = await api.get(`${path}/grandchild`);
  assert.equal(ownersOf(grandchild)?.length, 1);
});

test('foreground: only dependents with blockOwnerDeletion keep the owner', async () => {
  const path = await api.namespace();
  const finalizers = ['example.com/hold'];
  const parent = await make(path, 'parent');
  await make(path, 'blocking', [reference(parent, blocking)], { finalizers });
  await make(path, 'free', [reference(parent)], { finalizers });
  await api.delete(`${path}/parent`, { propagationPolicy: 'Foreground' });
  for (const name of ['blocking', 'free']) {
    await until(
      () => api.get(`${path}/${name}`),
      ({ body }) => body.metadata.deletionTimestamp !== undefined,
    );
  }
  await controllersIdle(api);
  assert.equal((await api.get(`${path}/parent`)).code, 200);
  await api.put(`${path}/blocking`, { metadata: { name: 'blocking' } });
  await untilDeleted(api, `${path}/parent`);
  assert.equal((await api.get(`${path}/free`)).code, 200);
  await api.put(`${path}/free`, { metadata: { name: 'free' } });
});

test('foreground: the owner is deleted once no dependent blocks it', async () => {
  const path = await api.namespace();
  const parent = await make(path, 'parent');
  await make(path, 'child', [reference(parent, blocking)], { finalizers: ['example.com/hold'] });
  await api.delete(`${path}/parent`, { propagationPolicy: 'Foreground' });
  await controllersIdle(api);
  const { body: child } = await api.get(`${path}/child`);
  const changed = { ...child.metadata, ownerReferences: [reference(parent, { blockOwnerDeletion: false })] };
  await api.put(`${path}/child`, { ...child, metadata: changed });
  await untilDeleted(api, `${path}/parent`);
});

test('a dependent with another owner stays, and loses the reference to the deleted owner', async () => {
  const path = await api.namespace();
  const [one, other] = [await make(path, 'one'), await make(path, 'other')];
  await make(path, 'shared', [reference(one, blocking), reference(other, blocking)]);
  await api.delete(`${path}/one`, { propagationPolicy: 'Foreground' });
  await untilDeleted(api, `${path}/one`);
  const { body: shared } = await api.get(`${path}/shared`);
  assert.deepEqual(ownersOf(shared), [reference(other, blocking)]);
  await api.delete(`${path}/other`);
  await untilDeleted(api, `${path}/shared`);
});

test('two objects that own each other are deleted together', async () => {
  const path = await api.namespace();
  const one = await make(path, 'one');
  const other = await make(path, 'other', [reference(one, blocking)]);
  const owners = [reference(other, blocking)];
  await api.put(`${path}/one`, { metadata: { name: 'one', ownerReferences: owners } });
  await api.delete(`${path}/one`, { propagationPolicy: 'Foreground' });
  await untilDeleted(api, `${path}/one`);
  await untilDeleted(api, `${path}/other`);
});

test('a dependent of an absent owner is deleted: deleted, never created, or another uid', async () => {
  const path = await api.namespace();
  const never = { apiVersion: 'v1', kind: 'ConfigMap', name: 'never', uid: 'a-b-c' };
  await make(path, 'of-nobody', [never]);
  await untilDeleted(api, `${path}/of-nobody`);
  const parent = await make(path, 'parent');
  await make(path, 'of-another', [{ ...reference(parent), uid: 'another' }]);
  await untilDeleted(api, `${path}/of-another`);
  await make(path, 'of-one', [reference(parent), never]);
  const { body } = await until(
    () => api.get(`${path}/of-one`),
    (response) => ownersOf(response.body)?.length === 1,
  );
  assert.deepEqual(ownersOf(body), [reference(parent)]);
});

interface Event {
  readonly reason: string;
  readonly message: string;
  readonly type: string;
  readonly involvedObject: object;
  readonly source: object;
}

test('an owner in another namespace counts as absent, with an Event', async () => {
  const [here, there] = [await api.namespace(), await api.namespace()];
  const owner = await make(there, 'owner');
  const dependent = await make(here, 'dependent', [reference(owner)]);
  await untilDeleted(api, `${here}/dependent`);
  const events = `${here.slice(0, here.lastIndexOf('/'))}/events`;
  const { body } = await until(
    () => api.get(events),
    (response) => response.body.items.length > 0,
  );
  const { namespace, uid } = dependent.metadata;
  const [{ reason, message, type, involvedObject, source }] = body.items as unknown as [Event];
  const said = `[v1/ConfigMap, namespace: ${namespace}, name: owner, uid: ${owner.metadata.uid}]`;
  assert.deepEqual(
    { reason, message, type, involvedObject, source },
    {
      reason: 'OwnerRefInvalidNamespace',
      message: `ownerRef ${said} does not exist in namespace "${namespace}"`,
      type: 'Warning',
      involvedObject: { apiVersion: 'v1', kind: 'ConfigMap', name: 'dependent', namespace, uid },
      source: { component: 'garbage-collector-controller' },
    },
  );
  assert.equal((await api.get(`${there}/owner`)).code, 200);
});

test('a cluster-scoped object can have a cluster-scoped owner, and is never collected for a namespaced one', async () => {
  const path = await api.namespace();
  const owner = await make(path, 'owner');
  const node = await api.post('/api/v1/nodes', { metadata: { name: 'owning' } });
  const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/tmp' } };
  const volumes = '/api/v1/persistentvolumes';
  await api.post(volumes, { metadata: { name: 'stays', ownerReferences: [reference(owner)] }, spec });
  const goes = { name: 'goes', ownerReferences: [reference(node.body)] };
  await api.post(volumes, { metadata: goes, spec });
  const inNamespace = await make(path, 'of-the-node', [reference(node.body)]);
  await api.delete(`${path}/owner`);
  await api.delete('/api/v1/nodes/owning');
  await untilDeleted(api, `${volumes}/goes`);
  await untilDeleted(api, `${path}/${inNamespace.metadata.name}`);
  await controllersIdle(api);
  assert.equal((await api.get(`${volumes}/stays`)).code, 200);
});

test('custom resources are owners and dependents, also after their CRD was deleted', async () => {
  const path = await api.namespace();
  const namespace = path.slice('/api/v1/namespaces/'.length, path.lastIndexOf('/'));
  const group = 'owning.example.com';
  const definition = await customKind(api, group);
  const things = `/apis/${group}/v1/namespaces/${namespace}/things`;
  const thing = { apiVersion: `${group}/v1`, kind: 'Thing' };
  const { body: owner } = await api.post(things, { ...thing, metadata: { name: 'owner' } });
  const part = { name: 'part', ownerReferences: [reference(owner, blocking)] };
  await api.post(things, { ...thing, metadata: part });
  await make(path, 'dependent', [reference(owner, blocking)]);
  await api.delete(`${things}/owner`, { propagationPolicy: 'Foreground' });
  await untilDeleted(api, `${things}/owner`);
  for (const each of [`${things}/part`, `${path}/dependent`]) assert.equal((await api.get(each)).code, 404);
  const { body: last } = await api.post(things, { ...thing, metadata: { name: 'last' } });
  await make(path, 'left-behind', [reference(last)]);
  await api.delete(definition);
  await untilDeleted(api, `${path}/left-behind`);
});

test('a dependent of an unknown kind stays until the kind is served', async () => {
  const path = await api.namespace();
  const group = 'later.example.com';
  await make(path, 'early', [{ apiVersion: `${group}/v1`, kind: 'Thing', name: 'a', uid: 'u' }]);
  await controllersIdle(api);
  assert.equal((await api.get(`${path}/early`)).code, 200);
  await customKind(api, group);
  await untilDeleted(api, `${path}/early`);
});

test('ownerReferences inside a template are not those of the object', async () => {
  const path = await api.namespace('podtemplates');
  const never = { apiVersion: 'v1', kind: 'ConfigMap', name: 'never', uid: 'a-b-c' };
  const spec = { containers: [{ name: 'c', image: 'i' }] };
  const metadata = { name: 'a', annotations: { text: '{"ownerReferences":[{"uid":"a-b-c"}]' } };
  const template = { metadata: { ownerReferences: [never] }, spec };
  assert.equal((await api.post(path, { metadata, template })).code, 201);
  await controllersIdle(api);
  assert.equal((await api.get(`${path}/a`)).code, 200);
});

test('after a restore the owner graph is rebuilt', async () => {
  const path = await api.namespace();
  await family(path);
  const snapshot = api.server.snapshot();
  await api.delete(`${path}/parent`);
  await untilDeleted(api, `${path}/grandchild`);
  api.server.restore(snapshot);
  for (const name of ['parent', 'child', 'grandchild']) {
    assert.equal((await api.get(`${path}/${name}`)).code, 200);
  }
  await controllersIdle(api);
  await api.delete(`${path}/parent`, { propagationPolicy: 'Foreground' });
  await untilDeleted(api, `${path}/parent`);
  assert.equal((await api.get(`${path}/grandchild`)).code, 404);
});

test('foreground: an owner of many dependents is deleted after all of them', async () => {
  const path = await api.namespace();
  const namespace = path.slice('/api/v1/namespaces/'.length, path.lastIndexOf('/'));
  const parent = await make(path, 'parent');
  const ownerReferences = [reference(parent, blocking)] as never;
  const { client } = api.server;
  for (let i = 0; i < 2_000; i++) {
    const metadata = { name: `child-${i}`, namespace, ownerReferences };
    await client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
  }
  await api.delete(`${path}/parent`, { propagationPolicy: 'Foreground' });
  await untilDeleted(api, `${path}/parent`);
  const { body } = await api.get(`${path}?limit=10`);
  assert.deepEqual(
    body.items.map(({ metadata }) => metadata.name).filter((name) => name.startsWith('child')),
    [],
  );
});
