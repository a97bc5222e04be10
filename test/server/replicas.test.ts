import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { publicAddress } from '../../src/controllers/kubernetesservice/kubernetes-service.ts';
import { createLogger } from '../../src/telemetry/log.ts';
import { noEtcd, type Replica, ServersOnEtcd } from '../replicas/servers-on-etcd.ts';
import type { TestResponse } from '../support/client.ts';

const groups = (items: readonly string[]) => new Set(items).size;

describe('two servers on one etcd', { skip: noEtcd }, () => {
  const servers = new ServersOnEtcd(['a', 'b'], {
    serviceNodePortRange: { first: 30_000, last: 30_039 },
    serviceClusterIpRange: ['10.3.0.0/24'],
  });

  /** This many concurrent requests, alternating between both servers. */
  const atBoth = (count: number, request: (replica: Replica, i: number) => Promise<TestResponse>) =>
    Promise.all(Array.from({ length: count }, (_, i) => request(servers.pair[i % 2]!, i)));

  const service = (name: string, spec: object = {}) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { ports: [{ port: 80 }], ...spec },
  });

  test('allocate each cluster IP and node port once', async () => {
    const path = '/api/v1/namespaces/default/services';
    const created = await atBoth(40, (at, i) => at.post(path, service(`s${i}`, { type: 'NodePort' })));
    assert.deepEqual(
      created.map(({ code }) => code),
      Array(40).fill(201),
      created.find(({ code }) => code !== 201)?.text,
    );
    const specs = created.map(
      ({ body }) => body.spec as { clusterIP: string; ports: { nodePort: number }[] },
    );
    assert.equal(groups(specs.map(({ clusterIP }) => clusterIP)), 40);
    assert.equal(groups(specs.map(({ ports }) => `${ports[0]!.nodePort}`)), 40);
    const [a, b] = servers.pair;
    assert.match((await b.post(path, service('full', { type: 'NodePort' }))).text, /range is full/);

    assert.equal((await a.delete(`${path}/s0`)).code, 200);
    const { nodePort } = specs[0]!.ports[0]!;
    const wanting = (name: string) =>
      service(name, { type: 'NodePort', ports: [{ port: 80, nodePort }], clusterIP: specs[0]!.clusterIP });
    const results = await atBoth(10, (at, i) => at.post(path, wanting(`same-${i}`)));
    assert.deepEqual(results.map(({ code }) => code).sort(), [201, ...Array(9).fill(422)]);
  });

  test('enforce a quota together, also during a recount', async () => {
    const [a, b] = servers.pair;
    const path = await a.namespace('resourcequotas');
    await a.post(path, { metadata: { name: 'few' }, spec: { hard: { 'count/configmaps': '20' } } });
    const used = async () =>
      ((await b.get(`${path}/few`)).body.status as { used?: Record<string, string> }).used?.[
        'count/configmaps'
      ];
    while ((await used()) === undefined) await new Promise((resolve) => setTimeout(resolve, 20));
    const configMaps = path.replace('resourcequotas', 'configmaps');
    const before = Number(await used());
    const created = await atBoth(80, (at, i) => at.post(configMaps, { metadata: { name: `c${i}` } }));
    assert.deepEqual(created.map(({ code }) => code).sort(), [
      ...Array(20 - before).fill(201),
      ...Array(60 + before).fill(403),
    ]);
    assert.equal((await a.get(configMaps)).body.items.length, 20);
    const [first] = created.filter(({ code }) => code === 201);
    assert.equal((await b.delete(`${configMaps}/${first!.body.metadata.name}`)).code, 200);
    while ((await used()) !== '19') await new Promise((resolve) => setTimeout(resolve, 50));
    const again = await atBoth(4, (at, i) => at.post(configMaps, { metadata: { name: `again-${i}` } }));
    assert.deepEqual(again.map(({ code }) => code).sort(), [201, 403, 403, 403]);
  });

  test('do not treat an object as unchanged that the other changed', async () => {
    const [a, b] = servers.pair;
    const path = await a.namespace();
    const object = (value: string) => ({ metadata: { name: 'x' }, data: { value } });
    await a.post(path, object('first'));
    for (let i = 0; i < 30; i++) {
      const [here, there] = i % 2 ? [a, b] : [b, a];
      assert.equal((await here.put(`${path}/x`, object(`${i}`))).code, 200);
      assert.equal((await there.put(`${path}/x`, object('first'))).code, 200);
      assert.equal((await here.get(`${path}/x`)).body.data.value, 'first');
      const patch = { 'content-type': 'application/merge-patch+json' };
      await here.request('PATCH', `${path}/x`, { data: { value: 'second' } }, patch);
      await there.request('PATCH', `${path}/x`, { data: { value: 'first' } }, patch);
      assert.equal((await here.get(`${path}/x`)).body.data.value, 'first');
    }
  });

  test('nor a large one, which a worker thread prepares', async () => {
    const [a, b] = servers.pair;
    const path = await a.namespace();
    const object = (value: string) => ({ metadata: { name: 'x' }, data: { value: value.repeat(300_000) } });
    await a.post(path, object('-'));
    for (let i = 0; i < 6; i++) {
      const [here, there] = i % 2 ? [a, b] : [b, a];
      assert.equal((await here.put(`${path}/x`, object(`${i}`))).code, 200);
      assert.equal((await there.put(`${path}/x`, object('-'))).code, 200);
      assert.equal((await here.get(`${path}/x`)).body.data.value?.[0], '-');
    }
  });

  test('serve a CRD that was created at the other, and delete it with its objects', async () => {
    const [a, b] = servers.pair;
    const definitions = '/apis/apiextensions.orch.io/v1/customresourcedefinitions';
    for (let i = 0; i < 5; i++) {
      const plural = `widgets${i}`;
      const name = `${plural}.example.com`;
      const schema = { openAPIV3Schema: { type: 'object', 'x-orch-preserve-unknown-fields': true } };
      const created = await a.post(definitions, {
        metadata: { name },
        spec: {
          group: 'example.com',
          scope: 'Namespaced',
          names: { plural, kind: `Widget${i}` },
          versions: [{ name: 'v1', served: true, storage: true, schema }],
        },
      });
      assert.equal(created.code, 201, created.text);
      while (
        !/"type":"Established","status":"True"|"status":"True"[^}]*"type":"Established"/.test(
          (await a.get(`${definitions}/${name}`)).text,
        )
      );
      const objects = `/apis/example.com/v1/namespaces/default/${plural}`;
      const made = await b.post(objects, {
        apiVersion: 'example.com/v1',
        kind: `Widget${i}`,
        metadata: { name: 'one' },
      });
      assert.equal(made.code, 201, made.text);
      assert.equal((await a.delete(`${definitions}/${name}`)).code, 200);
      for (const at of [b, a]) while ((await at.get(`${definitions}/${name}`)).code !== 404);
      assert.equal((await b.get(`/apis/example.com/v1/${plural}`)).code, 404);
    }
  });

  test('apply permissions of the other at once, and accept its tokens', async () => {
    const [a, b] = servers.pair;
    for (let i = 0; i < 5; i++) {
      const name = `reader-${i}`;
      const accounts = '/api/v1/namespaces/default/serviceaccounts';
      assert.equal((await a.post(accounts, { metadata: { name } })).code, 201);
      const { body } = await a.post(`${accounts}/${name}/token`, {
        apiVersion: 'authentication.orch.io/v1',
        kind: 'TokenRequest',
        spec: {},
      });
      const { token } = body.status as { token: string };
      const rbac = '/apis/rbac.authorization.orch.io/v1';
      const rules = [{ apiGroups: [''], resources: ['secrets'], verbs: ['list'] }];
      await a.post(`${rbac}/clusterroles`, { metadata: { name }, rules });
      const granted = await a.post(`${rbac}/clusterrolebindings`, {
        metadata: { name },
        roleRef: { apiGroup: 'rbac.authorization.orch.io', kind: 'ClusterRole', name },
        subjects: [{ kind: 'ServiceAccount', name, namespace: 'default' }],
      });
      assert.equal(granted.code, 201, granted.text);
      const listed = await b.get('/api/v1/secrets', { authorization: `Bearer ${token}` });
      assert.equal(listed.code, 200, listed.text);
      const secrets = await b.get('/api/v1/nodes', { authorization: `Bearer ${token}` });
      assert.equal(secrets.code, 403);
    }
  });

  const reached = publicAddress('0.0.0.0');
  const alone = reached === undefined && 'this machine has no address by which others reach it';

  test('publish the endpoints of reachable servers, and not of one that shuts down', {
    skip: alone,
  }, async () => {
    const [a, b] = servers.pair;
    const endpoints = '/api/v1/namespaces/default/endpoints/orch';
    const slices = '/apis/discovery.orch.io/v1/namespaces/default/endpointslices/orch';
    const { running } = await servers.start('open', { securePort: 0, bindAddress: '0.0.0.0' });
    for (const path of [endpoints, slices])
      assert.ok((await a.get(path)).text.includes(`"${reached}"`), path);
    await running.stop();
    for (const path of [endpoints, slices])
      assert.ok(!(await b.get(path)).text.includes(`"${reached}"`), path);
    assert.equal((await a.get('/api/v1/namespaces/default/services/orch')).code, 200);
  });

  test('warn if one rejects what the other signs', async () => {
    const lines: string[] = [];
    const logger = createLogger({
      verbosity: 0,
      destination: { write: (line: string) => void lines.push(line) },
    });
    const other = await servers.start('c', { certDir: join(servers.root, 'other') }, { logger });
    assert.ok(other);
    assert.match(
      lines.join(''),
      /another server on this etcd signs service account tokens that this server rejects/,
    );
  });
});
