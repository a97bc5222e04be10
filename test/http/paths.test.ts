import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { builtinKinds } from '../../src/apis/index.ts';
import { dialects } from '../../src/dialect/index.ts';
import { Discovery } from '../../src/discovery/discovery.ts';
import { HealthChecks } from '../../src/http/endpoints/health.ts';
import { addVersion, versionInfo } from '../../src/http/endpoints/version.ts';
import { everyFeature } from '../../src/kind/features/everything.fixture.ts';
import { FeatureGates } from '../../src/kind/features/gates.ts';
import { Registry } from '../../src/kind/registry.ts';
import { HttpFixture } from '../support/http.ts';

const http = new HttpFixture();
const dialect = dialects.orch;
const all = new Registry(builtinKinds({ dialect, features: everyFeature }), dialect);
/** The served resources; a test may replace them, as custom resources do. */
const registry = { resources: all.resources };
let storageIsWell = true;

before(() => {
  const health = new HealthChecks();
  health.add('storage', () => {
    if (!storageIsWell) throw new Error('the disk is full');
  });
  health.add('shutdown', () => {}, ['readyz']);
  health.addTo(http.table);
  addVersion(http.table, versionInfo('0.1.0'));
  http.table.addFamily(
    new Discovery(registry, dialect, new FeatureGates({ AggregatedDiscoveryRemoveBetaType: false })),
  );
});

async function json(path: string) {
  const { code, text } = await http.ask(path);
  assert.equal(code, 200, `${path} returned ${code} ${text}`);
  return JSON.parse(text);
}

test('/api and /apis list the served versions and groups', async () => {
  const api = await json('/api');
  assert.deepEqual(Object.keys(api), ['kind', 'versions', 'serverAddressByClientCIDRs']);
  assert.deepEqual(api.versions, ['v1']);
  assert.deepEqual(api.serverAddressByClientCIDRs, [
    { clientCIDR: '0.0.0.0/0', serverAddress: `127.0.0.1:${http.securePort}` },
  ]);
  const { kind, groups } = await json('/apis');
  assert.equal(kind, 'APIGroupList');
  const names = groups.map((group: { name: string }) => group.name);
  assert.deepEqual(
    names.filter((name: string) => ['apps', 'events.orch.io', 'coordination.orch.io'].includes(name)),
    ['apps', 'events.orch.io', 'coordination.orch.io'],
  );
  const apps = groups.find(({ name }: { name: string }) => name === 'apps');
  assert.deepEqual(apps, {
    name: 'apps',
    versions: [{ groupVersion: 'apps/v1', version: 'v1' }],
    preferredVersion: { groupVersion: 'apps/v1', version: 'v1' },
  });
  assert.deepEqual(await json('/apis/apps'), { kind: 'APIGroup', apiVersion: 'v1', ...apps });
});

test('/api/v1 lists resources and subresources', async () => {
  const { resources, ...rest } = await json('/api/v1/');
  assert.deepEqual(rest, { kind: 'APIResourceList', groupVersion: 'v1' });
  const names: string[] = resources.map((resource: { name: string }) => resource.name);
  assert.deepEqual(names, [...names].sort());
  const find = (name: string) => resources.find((resource: { name: string }) => resource.name === name);
  assert.deepEqual(find('configmaps'), {
    name: 'configmaps',
    singularName: 'configmap',
    namespaced: true,
    kind: 'ConfigMap',
    verbs: find('configmaps').verbs,
    shortNames: ['cm'],
    storageVersionHash: 'qFsyl6wFWjQ=',
  });
  assert.deepEqual(find('namespaces/finalize'), {
    name: 'namespaces/finalize',
    singularName: '',
    namespaced: false,
    kind: 'Namespace',
    verbs: ['update'],
  });
});

test('an unknown version is a Status, an unknown group or path is plain text', async () => {
  for (const path of ['/api/v2', '/apis/apps/v9', '/version/x']) {
    const { code, text } = await http.ask(path);
    assert.equal(code, 404);
    assert.equal(JSON.parse(text).message, 'the server could not find the requested resource');
  }
  for (const path of [
    '/apis/nope',
    '/apis/nope/v1',
    '/nope',
    '/metrics/',
    '/readyz/',
    '/readyz/nope',
    '//',
  ]) {
    const { code, text, headers } = await http.ask(path);
    assert.equal(code, 404);
    assert.equal(text, '404 page not found\n');
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
    assert.equal(headers['x-content-type-options'], 'nosniff');
  }
});

test('discovery accepts the same methods as upstream', async () => {
  const code = async (method: string, path: string) => (await http.ask(path, { method })).code;
  assert.deepEqual(
    await Promise.all(['/api', '/api/v1', '/apis/apps/v1', '/version'].map((path) => code('POST', path))),
    [405, 405, 405, 405],
  );
  assert.deepEqual(
    await Promise.all(['/apis', '/apis/apps', '/healthz', '/'].map((path) => code('POST', path))),
    [200, 200, 200, 200],
  );
  assert.equal(await code('HEAD', '/api'), 405);
  assert.equal(await code('HEAD', '/apis'), 200);
});

const aggregated = (version: string) =>
  `application/json;g=apidiscovery.orch.io;v=${version};as=APIGroupDiscoveryList`;

test('aggregated discovery is served in both versions, also beside plain JSON in Accept', async () => {
  for (const version of ['v2', 'v2beta1']) {
    const accept = `application/json, ${aggregated(version)}`;
    const { code, text, headers } = await http.ask('/apis', { headers: { accept } });
    assert.equal(code, 200);
    assert.equal(headers['content-type'], aggregated(version));
    assert.equal(headers['cache-control'], 'public');
    assert.equal(headers.vary, 'Accept');
    const { items, ...rest } = JSON.parse(text);
    assert.deepEqual(rest, {
      kind: 'APIGroupDiscoveryList',
      apiVersion: `apidiscovery.orch.io/${version}`,
      metadata: {},
    });
    const apps = items.find(({ metadata }: { metadata: { name: string } }) => metadata.name === 'apps');
    assert.deepEqual(apps.metadata, { name: 'apps', creationTimestamp: null });
    assert.equal(apps.versions[0].freshness, 'Current');
  }
  const { text } = await http.ask('/api', { headers: { accept: aggregated('v2') } });
  const [core] = JSON.parse(text).items;
  assert.deepEqual(core.metadata, { creationTimestamp: null });
  const namespaces = core.versions[0].resources.find(
    (r: { resource: string }) => r.resource === 'namespaces',
  );
  assert.equal(namespaces.scope, 'Cluster');
  assert.deepEqual(namespaces.subresources[0], {
    subresource: 'finalize',
    responseKind: { group: '', version: '', kind: 'Namespace' },
    verbs: ['update'],
  });
});

test('an unserved version of aggregated discovery is 406, or plain discovery if accepted', async () => {
  assert.equal((await http.ask('/apis', { headers: { accept: aggregated('v3') } })).code, 406);
  const { text } = await http.ask('/apis', { headers: { accept: `${aggregated('v3')}, application/json` } });
  assert.equal(JSON.parse(text).kind, 'APIGroupList');
});

test('If-None-Match with the ETag is 304 until discovery changes', async () => {
  const headers = { accept: aggregated('v2') };
  const first = await http.ask('/apis', { headers });
  const etag = String(first.headers.etag);
  assert.match(etag, /^"[0-9A-F]{128}"$/);
  const again = await http.ask('/apis', { headers: { ...headers, 'if-none-match': etag } });
  assert.equal(again.code, 304);
  assert.equal(again.body.length, 0);
  assert.equal(again.headers.etag, etag);
  registry.resources = all.resources.filter((resource) => resource.group !== 'apps');
  const changed = await http.ask('/apis', { headers: { ...headers, 'if-none-match': etag } });
  assert.equal(changed.code, 200);
  assert.notEqual(changed.headers.etag, etag);
  assert.equal((await http.ask('/apis/apps')).code, 404);
  registry.resources = all.resources;
});

test('health endpoints return ok, or one line per check with verbose', async () => {
  const text = async (path: string) => (await http.ask(path)).text;
  assert.equal(await text('/readyz'), 'ok');
  assert.equal(
    await text('/readyz?verbose'),
    '[+]ping ok\n[+]storage ok\n[+]shutdown ok\nreadyz check passed\n',
  );
  assert.equal(await text('/livez?verbose=1'), '[+]ping ok\n[+]storage ok\nlivez check passed\n');
  assert.equal(
    await text('/healthz?verbose&exclude=ping&exclude=nope&exclude=also'),
    '[+]ping excluded: ok\n[+]storage ok\nwarn: some health checks cannot be excluded: no matches for "also","nope"\nhealthz check passed\n',
  );
  assert.equal(await text('/readyz/ping'), 'ok');
});

test('a failed check is 500, and its reason needs permission on the check', async () => {
  storageIsWell = false;
  const summary = await http.ask('/readyz', { token: undefined });
  assert.equal(summary.code, 500);
  assert.equal(
    summary.text,
    '[+]ping ok\n[-]storage failed: reason withheld\n[+]shutdown ok\nreadyz check failed\n',
  );
  assert.equal((await http.ask('/readyz?exclude=storage')).code, 200);
  const single = await http.ask('/readyz/storage');
  assert.equal(single.code, 500);
  assert.equal(single.text, 'internal server error: the disk is full\n');
  assert.equal((await http.ask('/readyz/storage', { token: undefined })).code, 403);
  storageIsWell = true;
});

test('/version has the releases of the API and of this server', async () => {
  const { text, headers } = await http.ask('/version', { token: undefined });
  const version = JSON.parse(text);
  assert.equal(version.major, '1');
  assert.equal(version.minor, '33');
  assert.equal(version.gitVersion, 'v1.33.0+orch.0.1.0');
  assert.equal(text, JSON.stringify(version, null, 2));
  assert.equal(headers['content-type'], 'application/json');
});

test('/ lists every path', async () => {
  const { paths } = await json('/');
  assert.deepEqual(paths, [...paths].sort());
  for (const path of [
    '/api',
    '/api/v1',
    '/apis',
    '/apis/apps',
    '/apis/apps/v1',
    '/healthz',
    '/readyz/shutdown',
  ]) {
    assert.ok(paths.includes(path), path);
  }
});
