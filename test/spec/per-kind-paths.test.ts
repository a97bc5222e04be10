/** SPEC's tables of kinds, of operations and of paths: each kind at its path, through every operation that it has. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Body } from '../support/client.ts';
import { everythingServed, type Kind, kind } from './support.ts';

const http = await everythingServed();

interface Row {
  readonly kind: string;
  /** The path, with `*` where the namespace goes. */
  readonly path: string;
  readonly status?: true;
  readonly deleteAnswersObject?: true;
  /** The server itself writes the status and does what a deletion waits for. */
  readonly isTold?: true;
  /** Namespaces do not support deletecollection. */
  readonly noDeleteCollection?: true;
}

const rows: readonly Row[] = [
  { kind: 'ClusterTrustBundle', path: '/apis/certificates.orch.io/v1alpha1/clustertrustbundles' },
  { kind: 'Role', path: '/apis/rbac.authorization.orch.io/v1/*roles' },
  { kind: 'Endpoints', path: '/api/v1/*endpoints' },
  { kind: 'ControllerRevision', path: '/apis/apps/v1/*controllerrevisions' },
  { kind: 'FlowSchema', path: '/apis/flowcontrol.apiserver.orch.io/v1/flowschemas', status: true },
  { kind: 'LimitRange', path: '/api/v1/*limitranges' },
  { kind: 'ResourceQuota', path: '/api/v1/*resourcequotas', status: true, deleteAnswersObject: true },
  { kind: 'ConfigMap', path: '/api/v1/*configmaps' },
  { kind: 'Secret', path: '/api/v1/*secrets' },
  { kind: 'Namespace', path: '/api/v1/namespaces', status: true, noDeleteCollection: true },
  { kind: 'DeviceClass', path: '/apis/resource.orch.io/v1beta1/deviceclasses', deleteAnswersObject: true },
  { kind: 'APIService', path: '/apis/apiregistration.orch.io/v1/apiservices', status: true },
  { kind: 'Event', path: '/apis/events.orch.io/v1/*events' },
  { kind: 'IPAddress', path: '/apis/networking.orch.io/v1beta1/ipaddresses' },
  { kind: 'CronJob', path: '/apis/batch/v1/*cronjobs', status: true },
  {
    kind: 'StorageVersionMigration',
    path: '/apis/storagemigration.orch.io/v1alpha1/storageversionmigrations',
    status: true,
  },
  { kind: 'PriorityClass', path: '/apis/scheduling.orch.io/v1/priorityclasses' },
  { kind: 'CSIDriver', path: '/apis/storage.orch.io/v1/csidrivers', deleteAnswersObject: true },
  { kind: 'CSINode', path: '/apis/storage.orch.io/v1/csinodes', deleteAnswersObject: true },
  { kind: 'CSIStorageCapacity', path: '/apis/storage.orch.io/v1/*csistoragecapacities' },
  {
    kind: 'CustomResourceDefinition',
    path: '/apis/apiextensions.orch.io/v1/customresourcedefinitions',
    status: true,
    // It waits until its objects are deleted.
    isTold: true,
  },
];

for (const row of rows) {
  const collection = row.path.replace('*', 'namespaces/default/');
  const everywhere = row.path.replace('*', '');

  test(`${row.kind}: get, list, create, update, patch, delete and deletecollection at ${everywhere}`, async () => {
    const of = kind(http, collection);
    const made = await createdAndRead(of, row);
    await listed(of, everywhere, made);
    await updated(of, made);
    await patched(`${collection}/${made.metadata.name}`, made);
    if (row.status) await statusServed(`${collection}/${made.metadata.name}`, made);
    else assert.equal((await http.get(`${collection}/${made.metadata.name}/status`)).code, 404);
    await deleted(`${collection}/${made.metadata.name}`, row);
    await collectionDeleted(of, row);
  });
}

async function createdAndRead(of: Kind, row: Row): Promise<Body> {
  const made = await of.create();
  assert.equal(made.kind, row.kind);
  const groupVersion = row.path.split('/').slice(2, row.path.startsWith('/api/') ? 3 : 4);
  assert.equal(made.apiVersion, groupVersion.join('/'));
  assert.equal(made.metadata.namespace, row.path.includes('*') ? 'default' : undefined);
  const item = `${of.collection}/${made.metadata.name}`;
  if (row.isTold) return until(item, ({ status }) => JSON.stringify(status).includes('"conditions":[{'));
  const read = await http.get(item);
  assert.equal(read.code, 200);
  assert.deepEqual(read.body, made);
  return made;
}

async function until(path: string, holds: (body: Body) => boolean): Promise<Body> {
  for (;;) {
    const { body } = await http.get(path);
    if (holds(body)) return body;
  }
}

async function listed(of: Kind, everywhere: string, made: Body): Promise<void> {
  for (const path of [of.collection, everywhere]) {
    const { code, body } = await http.get(path);
    assert.equal(code, 200);
    assert.equal(body.kind, `${made.kind}List`);
    assert.equal(body.apiVersion, made.apiVersion);
    assert.match(body.metadata.resourceVersion, /^\d+$/);
    assert.ok(body.items.some(({ metadata }) => metadata.uid === made.metadata.uid));
  }
}

async function updated(of: Kind, made: Body): Promise<void> {
  const written = await of.update(made, { metadata: { labels: { updated: 'yes' } } });
  assert.equal(written.metadata.labels.updated, 'yes');
}

async function patched(item: string, made: Body): Promise<void> {
  const { code, body } = await merged(item, { metadata: { annotations: { patched: 'yes' } } });
  assert.equal(code, 200);
  assert.equal(body.metadata.annotations.patched, 'yes');
  assert.equal(body.metadata.uid, made.metadata.uid);
}

const merged = (path: string, patch: unknown) =>
  http.request('PATCH', path, patch, { 'content-type': 'application/merge-patch+json' });

async function statusServed(item: string, made: Body): Promise<void> {
  const read = await http.get(`${item}/status`);
  assert.equal(read.code, 200);
  assert.equal(read.body.metadata.uid, made.metadata.uid);
  const put = await http.put(`${item}/status`, read.body);
  assert.equal(put.code, 200, put.text);
  const patch = await merged(`${item}/status`, { status: {} });
  assert.equal(patch.code, 200, patch.text);
}

async function deleted(item: string, row: Row): Promise<void> {
  const { code, body } = await http.delete(item);
  assert.equal(code, 200);
  assert.equal(body.kind, row.deleteAnswersObject ? row.kind : 'Status');
  if (row.isTold) await until(item, (response) => response.code === 404);
}

async function collectionDeleted(of: Kind, row: Row): Promise<void> {
  if (row.noDeleteCollection) {
    assert.equal((await http.delete(of.collection)).code, 405);
    return;
  }
  await of.create({ metadata: { labels: { to: 'go' } } });
  const { code, body } = await http.delete(`${of.collection}?labelSelector=to=go`);
  assert.equal(code, 200);
  assert.equal(body.kind, 'Status');
  const left = `${of.collection}?labelSelector=to=go`;
  if (row.isTold) await until(left, ({ items }) => items.length === 0);
  assert.deepEqual((await http.get(left)).body.items, []);
}

test('ComponentStatus: get and list at /api/v1/componentstatuses, and nothing else', async () => {
  const { body } = await http.get('/api/v1/componentstatuses');
  assert.equal(body.kind, 'ComponentStatusList');
  const item = `/api/v1/componentstatuses/${body.items[0]!.metadata.name}`;
  assert.equal((await http.get(item)).body.kind, 'ComponentStatus');
  for (const method of ['PUT', 'PATCH', 'DELETE'])
    assert.equal((await http.request(method, item, {})).code, 405);
});

test('Namespace: PUT /api/v1/namespaces/{name}/finalize, and no other method', async () => {
  const namespaces = kind(http, '/api/v1/namespaces');
  const made = await namespaces.create({ metadata: { name: 'finalized' } });
  const path = '/api/v1/namespaces/finalized/finalize';
  assert.equal((await http.put(path, made)).code, 200);
  for (const method of ['GET', 'DELETE']) assert.equal((await http.request(method, path)).code, 405);
});

test('subresources cannot be reached across several resources', async () => {
  await kind(http, '/apis/batch/v1/namespaces/default/cronjobs').create({ metadata: { name: 'one' } });
  assert.equal((await http.get('/apis/batch/v1/namespaces/default/cronjobs/one/status')).code, 200);
  for (const path of [
    '/apis/batch/v1/cronjobs/status',
    '/apis/batch/v1/cronjobs/one/status',
    '/apis/batch/v1/namespaces/default/cronjobs/*/status',
    '/apis/batch/v1/namespaces/default/cronjobs//status',
  ]) {
    assert.equal((await http.get(path)).code, 404, path);
  }
});
