// Large writes of kinds that need more than stored objects: a worker thread runs their admission plugins, guards and
// reservations, and asks the serving thread. Each is sent to a server with and to one without worker threads.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Json, parsed, RealServer } from '../hardening/real-server.ts';

const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } };
const rbac = 'rbac.authorization.orch.io';

async function prepare(server: RealServer): Promise<void> {
  const labels = { 'pod-security.orch.io/enforce': 'baseline', 'pod-security.orch.io/warn': 'restricted' };
  const objects: [string, object][] = [
    ['/api/v1/namespaces', { metadata: { name: 'limited', labels } }],
    ['/api/v1/namespaces/limited/serviceaccounts', account],
    [
      '/api/v1/namespaces/limited/limitranges',
      { metadata: { name: 'l' }, spec: { limits: [{ type: 'Container', default: { cpu: '1' } }] } },
    ],
    [
      `/apis/scheduling.orch.io/v1/priorityclasses`,
      { metadata: { name: 'high' }, value: 7, globalDefault: true },
    ],
    [
      `/apis/${rbac}/v1/clusterroles`,
      {
        metadata: { name: 'role-writer' },
        rules: [
          { apiGroups: [rbac], resources: ['roles'], verbs: ['create', 'update', 'patch'] },
          { apiGroups: [''], resources: ['configmaps'], verbs: ['get'] },
        ],
      },
    ],
    [
      `/apis/${rbac}/v1/clusterrolebindings`,
      {
        metadata: { name: 'role-writer' },
        subjects: [{ kind: 'User', name: 'nobody', apiGroup: rbac }],
        roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'role-writer' },
      },
    ],
  ];
  for (const [path, object] of objects) {
    const { code, text } = await server.post(path, object);
    assert.ok(code === 201 || code === 409, text);
  }
}

const threaded = new RealServer({ writeThreads: 1 }, prepare);
const plain = new RealServer({ writeThreads: 0 }, prepare);

const times = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i));
/** Enough bytes to be a large write. */
const padding = { about: 'x'.repeat(250 * 1024) };
const metadata = { name: 'large', annotations: padding };
const containers = times(800, (i) => ({ name: `c${i}`, image: 'i' }));
const args = ['x'.repeat(250 * 1024)];
const pod = (spec: object = {}) => ({
  metadata: { name: 'large' },
  spec: { containers: [...containers, { name: 'c', image: 'i', args }], ...spec },
});
const service = (spec: object, count: number) => ({
  metadata,
  spec: { ...spec, ports: times(count, (i) => ({ name: `p${i}`, port: i + 1 })) },
});
const pods = '/api/v1/namespaces/limited/pods';
const services = '/api/v1/namespaces/default/services';
const roles = `/apis/${rbac}/v1/namespaces/default/roles`;

/** The response of each server, without the values that a server generates. */
async function both(
  method: string,
  path: string,
  body: unknown,
  request: Parameters<RealServer['send']>[3] = {},
): Promise<{ code: number; object: Json }> {
  const [one, other] = await Promise.all(
    [threaded, plain].map(async (server) => {
      const { code, text, headers } = await server.send(method, path, body, request);
      const comparable = text
        .replace(/"(uid|resourceVersion|creationTimestamp|time)":"[^"]*"/g, '"$1":""')
        .replace(/kube-api-access-\w{5}|orch-api-access-\w{5}|api-access-\w{5}/g, 'token')
        .replace(/"10\.\d+\.\d+\.\d+"/g, '"cluster IP"')
        .replace(/"nodePort":\d+/g, '"nodePort":0');
      return { code, text: comparable, warning: headers.warning, object: parsed({ text }) };
    }),
  );
  assert.equal(one!.code, other!.code, one!.text.slice(0, 500));
  assert.equal(one!.warning, other!.warning);
  assert.equal(...difference(one!.text, other!.text));
  return one!;
}

/** The parts of two texts that differ, with what is before them. The texts are too long to be printed. */
function difference(one: string, other: string): [string, string] {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return [one.slice(at - 100, at + 300), other.slice(at - 100, at + 300)];
}

const preparedBy = async (thread: string) => {
  const { text } = await threaded.ask('/metrics');
  return Number(new RegExp(`apiserver_prepared_writes_total\\{thread="${thread}"\\} (\\d+)`).exec(text)?.[1]);
};

/** Runs the writes, all of which a worker thread must prepare. */
async function onWorker(writes: () => Promise<void>): Promise<void> {
  const [worker, serving] = [await preparedBy('other'), await preparedBy('serving')];
  await writes();
  assert.ok((await preparedBy('other')) > worker);
  assert.equal(await preparedBy('serving'), serving);
}

test('a large Pod gets the values of all mutating plugins', () =>
  onWorker(async () => {
    const { code, object } = await both('POST', `${pods}?dryRun=All`, pod());
    assert.equal(code, 201);
    const { spec } = object;
    assert.equal(spec!.serviceAccountName, 'default');
    assert.equal(spec!.priorityClassName, 'high');
    assert.deepEqual(spec!.containers![799]!.resources!.limits, { cpu: '1' });
    assert.equal(spec!.containers![799]!.volumeMounts!.length, 1);
  }));

test('a large Pod is rejected by plugins with the same messages', () =>
  onWorker(async () => {
    assert.equal((await both('POST', pods, pod({ hostNetwork: true }))).code, 403);
    assert.equal((await both('POST', pods, pod({ serviceAccountName: 'none' }))).code, 403);
    assert.equal((await both('POST', pods, pod({ priorityClassName: 'none' }))).code, 403);
    assert.equal((await both('POST', pods, pod({ restartPolicy: 'Sometimes' }))).code, 422);
  }));

test('a large headless Service has the families of one with a selector, or of one without', () =>
  onWorker(async () => {
    const headless = { clusterIP: 'None' };
    for (const spec of [headless, { ...headless, selector: { app: 'a' } }]) {
      assert.equal((await both('POST', `${services}?dryRun=All`, service(spec, 500))).code, 201);
    }
  }));

test('a Service with very many families or addresses is rejected with the same messages', () =>
  onWorker(async () => {
    for (const spec of [
      { ipFamilies: times(5_000, () => 'IPv4') },
      { clusterIPs: times(5_000, () => '1.1.1.1') },
    ]) {
      assert.equal((await both('POST', services, service(spec, 1))).code, 422);
    }
  }));

test('the scale of a large Deployment is written', async () => {
  const deployments = '/apis/apps/v1/namespaces/default/deployments';
  const labels = { app: 'a' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i', args }] } };
  await onWorker(async () => {
    const made = await both('POST', deployments, {
      metadata,
      spec: { selector: { matchLabels: labels }, template },
    });
    assert.equal(made.code, 201);
    const scale = {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'large' },
      spec: { replicas: 3 },
    };
    const updated = await both('PUT', `${deployments}/large/scale`, scale);
    assert.deepEqual([updated.code, updated.object.spec!.replicas], [200, 3]);
    const type = { headers: { 'content-type': 'application/merge-patch+json' } };
    const patched = await both('PATCH', `${deployments}/large/scale`, { spec: { replicas: 4 } }, type);
    assert.deepEqual([patched.code, patched.object.spec!.replicas], [200, 4]);
    assert.equal(
      (await both('PUT', `${deployments}/large/scale`, { ...scale, spec: { replicas: -1 } })).code,
      422,
    );
  });
  assert.equal(parsed(await threaded.ask(`${deployments}/large`)).spec!.replicas, 4);
});

test('a large Service gets addresses and node ports, and returns them when it is deleted', () =>
  onWorker(async () => {
    const nodePort = service({ type: 'NodePort' }, 500);
    assert.equal((await both('POST', `${services}?dryRun=All`, nodePort)).code, 201);
    // Each write takes 500 of the 2,768 ports, and all are free again in the end.
    for (let round = 0; round < 7; round++) {
      const { code, object } = await both('POST', services, nodePort);
      assert.equal(code, 201);
      assert.notEqual(object.spec!.clusterIP, undefined);
      assert.equal((await both('PUT', `${services}/large`, nodePort)).code, 200);
      assert.equal((await both('DELETE', `${services}/large`, {})).code, 200);
    }
    assert.equal((await both('POST', services, service({ type: 'NodePort' }, 3_000))).code, 500);
    assert.equal((await both('POST', services, nodePort)).code, 201);
    const taken = { ...nodePort, metadata: { ...metadata, name: 'other' } };
    assert.equal((await both('POST', services, { ...taken, spec: { ...taken.spec, type: 'No' } })).code, 422);
    assert.equal((await both('POST', services, taken)).code, 201);
  }));

test('removing the last finalizer of a large object deletes it, and a Service returns its node ports', () =>
  onWorker(async () => {
    const held = { ...metadata, name: 'held', finalizers: ['example.com/hold'] };
    const withoutFinalizer = { ...held, finalizers: [] };
    const type = { headers: { 'content-type': 'application/merge-patch+json' } };
    const nodePort = service({ type: 'NodePort' }, 500);
    const configMaps = '/api/v1/namespaces/default/configmaps';
    const objects: [string, object][] = [
      [configMaps, { data: padding }],
      [services, nodePort],
    ];
    for (const [path, content] of objects) {
      // Each round of a Service takes 500 of the 2,768 ports.
      for (let round = 0; round < 7; round++) {
        assert.equal((await both('POST', path, { ...content, metadata: held })).code, 201);
        const marked = await both('DELETE', `${path}/held`, {});
        assert.equal(marked.code, 200);
        const ended =
          round % 2 === 0
            ? await both('PATCH', `${path}/held`, { metadata: { finalizers: null } }, type)
            : await both('PUT', `${path}/held`, { ...content, metadata: withoutFinalizer });
        assert.equal(ended.code, 200);
        assert.equal(ended.object.metadata!.finalizers, undefined);
        assert.equal((await threaded.ask(`${path}/held`)).code, 404);
      }
    }
  }));

test('a large Role may only contain permissions that its writer has', () =>
  onWorker(async () => {
    const role = (verb: string) => ({
      metadata,
      rules: times(900, () => ({ apiGroups: [''], resources: ['configmaps'], verbs: [verb] })),
    });
    const nobody = { token: 'nobody-token' };
    assert.equal((await both('POST', roles, role('delete'), nobody)).code, 403);
    assert.equal((await both('POST', roles, role('get'), nobody)).code, 201);
    assert.equal((await both('PUT', `${roles}/large`, role('delete'), nobody)).code, 403);
  }));
