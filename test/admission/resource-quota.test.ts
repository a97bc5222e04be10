import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Body, type TestClient, TestServer, testServer } from '../support/client.ts';
import { startServer } from '../support/servers.ts';

const api = testServer();

type Amounts = Record<string, string>;
interface Quota extends Body {
  status: { hard?: Amounts; used?: Amounts };
}

/** A namespace with a quota whose usage is counted. */
async function limited(hard: Amounts, spec: object = {}, client: TestClient = api) {
  const quotas = await client.namespace('resourcequotas');
  const of = (plural: string) => quotas.replace(/resourcequotas$/, plural);
  assert.equal((await client.post(quotas, { metadata: { name: 'q' }, spec: { hard, ...spec } })).code, 201);
  const quota = `${quotas}/q`;
  await untilUsed(quota, ({ status }) => status.used !== undefined, client);
  return { of, quota };
}

/** Waits until the quota meets the condition. */
async function untilUsed(
  quota: string,
  isAsExpected: (quota: Quota) => boolean,
  client: TestClient = api,
): Promise<Quota> {
  const { body } = await client.get(quota);
  if (isAsExpected(body as Quota)) return body as Quota;
  const [collection, name] = [quota.replace(/\/[^/]+$/, ''), quota.replace(/^.*\//, '')];
  const from = `resourceVersion=${body.metadata.resourceVersion}`;
  const watch = await client.watch(`${collection}?watch=true&fieldSelector=metadata.name=${name}&${from}`);
  try {
    for (let event = await watch.next(); event; event = await watch.next()) {
      if (isAsExpected(event.object as Quota)) return event.object as Quota;
    }
  } finally {
    watch.close();
  }
  throw new Error('the watch has ended');
}

const used = async (quota: string) => ((await api.get(quota)).body as Quota).status.used;
const configMap = (name: string, fields: object = {}) => ({ metadata: { name }, ...fields });
const pod = (name: string, resources: object = {}, fields: object = {}) => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i:1', resources }], ...fields },
});
const codes = (answers: readonly { code: number }[]) =>
  answers.reduce<Record<number, number>>((counts, { code }) => {
    counts[code] = (counts[code] ?? 0) + 1;
    return counts;
  }, {});
const range = (count: number) => Array.from({ length: count }, (_, i) => i);

test('status.used includes objects that existed before the quota', async () => {
  const configmaps = await api.namespace();
  for (const name of ['a', 'b']) await api.post(configmaps, configMap(name));
  const quotas = configmaps.replace(/configmaps$/, 'resourcequotas');
  await api.post(quotas, { metadata: { name: 'q' }, spec: { hard: { configmaps: '5', pods: '1' } } });
  const { status } = await untilUsed(`${quotas}/q`, (quota) => quota.status.used !== undefined);
  assert.deepEqual(status, { hard: { configmaps: '5', pods: '1' }, used: { configmaps: '2', pods: '0' } });
});

test('a write that exceeds a quota is 403 with requested, used and limited amounts', async () => {
  const { of, quota } = await limited({ 'requests.cpu': '1', pods: '5' });
  assert.equal((await api.post(of('pods'), pod('a', { requests: { cpu: '600m' } }))).code, 201);
  const { code, body } = await api.post(of('pods'), pod('b', { requests: { cpu: '600m' } }));
  assert.equal(code, 403);
  assert.equal(
    body.message,
    'pods "b" is forbidden: exceeded quota: q, requested: requests.cpu=600m, used: requests.cpu=600m, limited: requests.cpu=1',
  );
  assert.deepEqual(await used(quota), { pods: '1', 'requests.cpu': '600m' });
});

test('a dry run is checked against the quota but not charged', async () => {
  const { of, quota } = await limited({ configmaps: '1' });
  const dry = `${of('configmaps')}?dryRun=All`;
  assert.equal((await api.post(dry, configMap('a'))).code, 201);
  assert.deepEqual(await used(quota), { configmaps: '0' });
  await api.post(of('configmaps'), configMap('a'));
  assert.equal((await api.post(dry, configMap('b'))).code, 403);
});

test('deletion releases usage', async () => {
  const { of, quota } = await limited({ configmaps: '1' });
  await api.post(of('configmaps'), configMap('a'));
  await api.delete(`${of('configmaps')}/a`);
  await untilUsed(quota, ({ status }) => status.used?.configmaps === '0');
  assert.equal((await api.post(of('configmaps'), configMap('b'))).code, 201);
});

test('a terminated pod only counts as an object', async () => {
  const { of, quota } = await limited({ cpu: '1', pods: '1', 'count/pods': '2' });
  const { body } = await api.post(of('pods'), pod('a', { requests: { cpu: '1' } }));
  await api.put(`${of('pods')}/a/status`, { ...body, status: { phase: 'Succeeded' } });
  const { status } = await untilUsed(quota, (each) => each.status.used?.pods === '0');
  assert.deepEqual(status.used, { cpu: '0', pods: '0', 'count/pods': '1' });
});

test('a Service that changes its type releases usage', async () => {
  const { of, quota } = await limited({ 'services.loadbalancers': '1' });
  const service = (type: string) => ({ metadata: { name: 's' }, spec: { type, ports: [{ port: 80 }] } });
  await api.post(of('services'), service('LoadBalancer'));
  assert.deepEqual(await used(quota), { 'services.loadbalancers': '1' });
  assert.equal((await api.put(`${of('services')}/s`, service('ClusterIP'))).code, 200);
  await untilUsed(quota, ({ status }) => status.used?.['services.loadbalancers'] === '0');
});

test('a changed limit applies once usage is recounted', async () => {
  const { of, quota } = await limited({ configmaps: '1' });
  await api.post(of('configmaps'), configMap('a'));
  const { body } = await api.get(quota);
  await api.put(quota, { ...body, spec: { hard: { 'count/configmaps': '2', secrets: '1' } } });
  const { status } = await untilUsed(quota, (each) => each.status.hard?.secrets !== undefined);
  assert.deepEqual(status.used, { 'count/configmaps': '1', secrets: '0' });
  assert.equal((await api.post(of('configmaps'), configMap('b'))).code, 201);
  assert.equal((await api.post(of('configmaps'), configMap('c'))).code, 403);
});

test('usage that another client writes is corrected', async () => {
  const { of, quota } = await limited({ configmaps: '3' });
  await api.post(of('configmaps'), configMap('a'));
  const { body } = await api.get(quota);
  await api.put(`${quota}/status`, {
    ...body,
    status: { hard: { configmaps: '3' }, used: { configmaps: '0' } },
  });
  await untilUsed(quota, ({ status }) => status.used?.configmaps === '1');
});

for (const round of range(5)) {
  test(`200 concurrent creates against a limit of 50 admit exactly 50, round ${round}`, async () => {
    const { of, quota } = await limited({ configmaps: '50' });
    const answers = await Promise.all(range(200).map((i) => api.post(of('configmaps'), configMap(`c${i}`))));
    assert.deepEqual(codes(answers), { 201: 50, 403: 150 });
    assert.equal((await api.get(of('configmaps'))).body.items.length, 50);
    assert.deepEqual(await used(quota), { configmaps: '50' });
  });
}

test('a limit applies as soon as it is written', async () => {
  for (const round of range(5)) {
    const configmaps = await api.namespace();
    const quotas = configmaps.replace(/configmaps$/, 'resourcequotas');
    await api.post(quotas, { metadata: { name: 'q' }, spec: { hard: { configmaps: '50' } } });
    const answers = await Promise.all(range(100).map((i) => api.post(configmaps, configMap(`c${i}`))));
    assert.deepEqual(codes(answers), { 201: 50, 403: 50 }, `round ${round}`);
    const { body } = await api.get(`${quotas}/q`);
    await api.put(`${quotas}/q`, { ...body, spec: { hard: { configmaps: '60', 'count/configmaps': '55' } } });
    const more = await Promise.all(range(100).map((i) => api.post(configmaps, configMap(`d${i}`))));
    assert.deepEqual(codes(more), { 201: 5, 403: 95 }, `round ${round}`);
  }
});

test('a write that fails after it was charged is refunded', async () => {
  const { of, quota } = await limited({ configmaps: '50' });
  // One create of each name succeeds, and the others get AlreadyExists.
  const answers = await Promise.all(
    range(200).map((i) => api.post(of('configmaps'), configMap(`c${i % 20}`))),
  );
  const made = (await api.get(of('configmaps'))).body.items.length;
  assert.equal(made, 20);
  assert.equal(codes(answers)[201], 20);
  await untilUsed(quota, ({ status }) => status.used?.configmaps === '20');
});

test('the limit holds under concurrent creates, conflicts and deletions, and no usage leaks', async () => {
  const { of, quota } = await limited({ configmaps: '50', 'count/configmaps': '50' });
  let most = 0;
  const watch = await api.watch(`${of('configmaps')}?watch=true`);
  const present = new Set<string>();
  const counting = (async () => {
    for (let event = await watch.next().catch(() => undefined); event; ) {
      const { name } = event.object.metadata;
      if (event.type === 'DELETED') present.delete(name);
      else present.add(name);
      most = Math.max(most, present.size);
      if (name === 'last') break;
      event = await watch.next().catch(() => undefined);
    }
  })();
  await Promise.all(
    range(400).map(async (i) => {
      const name = `c${i % 150}`;
      await api.post(of('configmaps'), configMap(name));
      if (i % 3 === 0) await api.delete(`${of('configmaps')}/${name}`);
    }),
  );
  const left = (await api.get(of('configmaps'))).body.items.length;
  await untilUsed(quota, ({ status }) => status.used?.configmaps === String(left));
  if (left === 50) await api.delete(`${of('configmaps')}/${[...present][0]}`);
  const fill = await Promise.all(range(60).map((i) => api.post(of('configmaps'), configMap(`f${i}`))));
  assert.ok(codes(fill)[403]! >= 10);
  await api.request('DELETE', of('configmaps'));
  await untilUsed(quota, ({ status }) => status.used?.configmaps === '0');
  await api.post(of('configmaps'), configMap('last'));
  await counting;
  watch.close();
  assert.ok(most <= 50, `there were ${most} at once`);
  const { status } = await untilUsed(quota, (each) => each.status.used?.configmaps === '1');
  assert.deepEqual(status.used, { configmaps: '1', 'count/configmaps': '1' });
});

test('two quotas are charged together or not at all', async () => {
  const { of, quota } = await limited({ configmaps: '50' });
  const other = quota.replace(/q$/, 'r');
  await api.post(of('resourcequotas'), {
    metadata: { name: 'r' },
    spec: { hard: { 'count/configmaps': '30' } },
  });
  await untilUsed(other, ({ status }) => status.used !== undefined);
  const answers = await Promise.all(range(100).map((i) => api.post(of('configmaps'), configMap(`c${i}`))));
  assert.deepEqual(codes(answers), { 201: 30, 403: 70 });
  assert.deepEqual(await used(quota), { configmaps: '30' });
  assert.deepEqual(await used(other), { 'count/configmaps': '30' });
});

test('a quota with a scope counts only matching pods', async () => {
  const { of, quota } = await limited({ pods: '1' }, { scopes: ['BestEffort'] });
  assert.equal((await api.post(of('pods'), pod('a', { requests: { cpu: '1' } }))).code, 201);
  assert.equal((await api.post(of('pods'), pod('b'))).code, 201);
  assert.equal((await api.post(of('pods'), pod('c'))).code, 403);
  assert.deepEqual(await used(quota), { pods: '1' });
});

test('without the controller, a write is still charged and refunded', async () => {
  const alone = new TestServer();
  alone.server = await startServer({ controllers: ['*', '-resourcequota-controller'] });
  try {
    const quotas = await alone.namespace('resourcequotas');
    const configmaps = quotas.replace(/resourcequotas$/, 'configmaps');
    const hard = { configmaps: '25' };
    const { body } = await alone.post(quotas, { metadata: { name: 'q' }, spec: { hard } });
    assert.deepEqual(body.status, {});
    await alone.put(`${quotas}/q/status`, { ...body, status: { hard, used: { configmaps: '0' } } });
    const answers = await Promise.all(range(200).map((i) => alone.post(configmaps, configMap(`c${i % 20}`))));
    assert.equal(codes(answers)[201], 20);
    const { status } = (await alone.get(`${quotas}/q`)).body as Quota;
    assert.deepEqual(status.used, { configmaps: '20' });
  } finally {
    await alone.server.stop();
  }
});
