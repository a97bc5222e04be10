// The options of startServer beyond flags: data on disk, groups, kinds, manifests, admission functions, tokens and the clock.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ApiError, type ApiObject, type EmbeddedKind, MovableClock, startServer } from '../../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'orch-embed-'));
after(() => rmSync(folder, { recursive: true }));

type Options = Parameters<typeof startServer>[0];
const start = async (t: { after(stop: () => unknown): void }, options: Options) => {
  const server = await startServer(options);
  t.after(() => server.stop());
  return server;
};
const forbidden = (message: RegExp) => (error: unknown) =>
  error instanceof ApiError && error.code === 403 && message.test(error.message);
const inDefault = (name: string) => ({ name, namespace: 'default' });
const configMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: inDefault(name) });

const orders: EmbeddedKind = {
  group: 'shop.example.com',
  kind: 'Order',
  shortNames: ['od'],
  schema: {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: { amount: { type: 'integer', minimum: 1 }, note: { type: 'string' } },
      },
      status: { type: 'object', properties: { phase: { type: 'string' } } },
    },
  },
};
const order = (name: string, spec: object) => ({
  apiVersion: 'shop.example.com/v1',
  kind: 'Order',
  metadata: inDefault(name),
  spec,
});

test('data on disk survives a restart, with its kinds and service account keys', async (t) => {
  const dataDir = join(folder, 'data');
  const first = await startServer({ dataDir, kinds: [orders] });
  await first.client.create(order('kept', { amount: 2 }));
  await first.stop();
  assert.throws(() => first.snapshot(), /a server with dataDir has no snapshots/);
  const second = await start(t, { dataDir, kinds: [orders] });
  const { spec } = await second.client.get({
    apiVersion: 'shop.example.com/v1',
    kind: 'Order',
    ...inDefault('kept'),
  });
  assert.deepEqual(spec, { amount: 2 });
});

test('a data directory of another dialect says how to go on', async () => {
  const dataDir = join(folder, 'dialect');
  await (await startServer({ dataDir, dialect: 'kubernetes' })).stop();
  await assert.rejects(startServer({ dataDir, dialect: 'orch' }), /dialect/);
});

test('only the groups asked for are served, and the group of definitions if there are any', async (t) => {
  const server = await start(t, { dialect: 'kubernetes', groups: ['', 'apps/v1'] });
  const status = async (path: string) => (await fetch(server.url + path)).status;
  assert.deepEqual(
    await Promise.all(['/api/v1', '/apis/apps/v1', '/apis/batch/v1'].map(status)),
    [200, 200, 404],
  );
  const { groups } = (await (await fetch(`${server.url}/apis`)).json()) as { groups: { name: string }[] };
  assert.deepEqual(
    groups.map(({ name }) => name),
    ['apps'],
  );
  const custom = await start(t, { dialect: 'kubernetes', groups: [], kinds: [orders] });
  await custom.client.create(order('only', { amount: 1 }));
  assert.equal((await fetch(`${custom.url}/api/v1/pods`)).status, 404);
  await assert.rejects(startServer({ dialect: 'kubernetes', groups: ['app'] }), {
    name: 'TypeError',
    message: 'startServer: groups has "app", which is not served (did you mean apps?)',
  });
});

test('kinds have schemas, statuses and admission functions', async (t) => {
  const server = await start(t, {
    kinds: [
      {
        ...orders,
        mutate({ object }) {
          const spec = object!.spec as { note?: string };
          spec.note ??= 'none';
        },
        validate({ object, oldObject }) {
          const amountOf = (value: ApiObject) => (value.spec as { amount: number }).amount;
          if (oldObject && amountOf(object!) < amountOf(oldObject)) throw new Error('an order only grows');
        },
      },
    ],
  });
  const created = await server.client.create(order('a', { amount: 3 }));
  assert.deepEqual(created.spec, { amount: 3, note: 'none' });
  await assert.rejects(
    server.client.update({ ...created, spec: { amount: 2 } }),
    forbidden(/^orders.shop.example.com "a" is forbidden: an order only grows$/),
  );
  await assert.rejects(
    server.client.create(order('b', { amount: 0 })),
    /should be greater than or equal to 1/,
  );
  const { status } = await server.client.updateStatus({ ...created, status: { phase: 'Done' } });
  assert.deepEqual(status, { phase: 'Done' });
});

test('admission functions see user, operation and objects, and can warn and reject', async (t) => {
  const seen: string[] = [];
  const server = await start(t, {
    plugins: [
      {
        name: 'audit',
        match: { kind: 'ConfigMap', operations: ['CREATE', 'DELETE'] },
        async validate({ operation, name, namespace, user, oldObject, warn }) {
          seen.push(`${operation} ${namespace}/${name} by ${user.name}, old: ${oldObject?.metadata.name}`);
          warn(`seen ${name}`);
          if (name === 'kept' && operation === 'DELETE') throw new ApiError(409, 'Conflict', 'kept stays');
        },
      },
    ],
  });
  const { client } = server;
  await client.create(configMap('kept'));
  await assert.rejects(client.delete({ ...configMap('kept'), ...inDefault('kept') }), /kept stays/);
  const response = await fetch(`${server.url}/api/v1/namespaces/default/configmaps`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ metadata: { name: 'warned' } }),
  });
  assert.equal(response.headers.get('warning'), '299 - "seen warned"');
  assert.deepEqual(
    seen.map((line) => line.replace(/ by \S+,/, ' by …,')),
    [
      'CREATE default/kept by …, old: undefined',
      'DELETE default/kept by …, old: kept',
      'CREATE default/warned by …, old: undefined',
    ],
  );
});

test('definitions and manifests come from folders, files and objects, in any order', async (t) => {
  const crds = join(folder, 'crds');
  const manifests = join(folder, 'manifests.yaml');
  mkdirSync(crds);
  writeFileSync(
    join(crds, 'things.yaml'),
    `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: things.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: things, kind: Thing }
  versions:
  - name: v1
    served: true
    storage: true
    schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`,
  );
  writeFileSync(join(crds, 'README.md'), 'not a manifest');
  writeFileSync(
    manifests,
    `apiVersion: example.com/v1
kind: Thing
metadata: { name: one, namespace: shop }
---
# A comment alone is no object.
---
apiVersion: v1
kind: List
items:
- { apiVersion: v1, kind: Namespace, metadata: { name: shop } }
- { apiVersion: v1, kind: ConfigMap, metadata: { name: in-default } }
`,
  );
  const server = await start(t, {
    dialect: 'kubernetes',
    crds: [crds],
    manifests: [manifests, configMap('object')],
  });
  const { client } = server;
  await client.get({ apiVersion: 'example.com/v1', kind: 'Thing', name: 'one', namespace: 'shop' });
  const names = async () =>
    (await client.list({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default' })).items
      .map(({ metadata }) => metadata.name)
      .filter((name) => !name?.startsWith('kube-'));
  assert.deepEqual(await names(), ['in-default', 'object']);
  await client.delete({ ...configMap('object'), ...inDefault('object') });
  server.reset();
  assert.deepEqual(await names(), ['in-default', 'object']);
});

test('a manifest that cannot be applied stops the start and is named', async () => {
  const wrong = { ...configMap('wrong'), data: 7 };
  await assert.rejects(startServer({ manifests: [wrong] }), /ConfigMap "wrong" cannot be applied: /);
  const file = join(folder, 'broken.yaml');
  writeFileSync(file, 'a: [');
  await assert.rejects(startServer({ manifests: [file] }), /broken\.yaml: /);
  await assert.rejects(startServer({ manifests: [{}] }), /without apiVersion, kind or metadata.name/);
  await assert.rejects(startServer({ manifests: [join(folder, 'absent')] }), /ENOENT/);
});

test('tokens authenticate their users', async (t) => {
  const tokens = { 'secret-1': 'jane', 'secret-2': { name: 'root', groups: ['system:masters'] } };
  const server = await start(t, { securePort: 0, auth: { tokens } });
  const whoAmI = async (token: string) => {
    const response = await fetch(`${server.url}/apis/authentication.orch.io/v1/selfsubjectreviews`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: '{}',
    });
    const { status } = (await response.json()) as { status: { userInfo: { username: string } } };
    return status.userInfo?.username;
  };
  assert.deepEqual([await whoAmI('secret-1'), await whoAmI('secret-2')], ['jane', 'root']);
  assert.match(server.secureUrl!, /^https:/);
  assert.match(server.kubeconfig, /server: "https:/);
});

test('a server runs on the given clock', async (t) => {
  const clock = new MovableClock();
  clock.set('2031-05-06T07:08:09Z');
  clock.freeze();
  const { client } = await start(t, { clock });
  const { metadata } = await client.create(configMap('timed'));
  assert.equal(metadata.creationTimestamp, '2031-05-06T07:08:09Z');
  clock.advance(1_000);
  const later = await client.create(configMap('later'));
  assert.equal(later.metadata.creationTimestamp, '2031-05-06T07:08:10Z');
});

test('bad options are rejected with what is expected', async () => {
  const mistakes: [object, string][] = [
    [{ groups: 'apps' }, 'startServer: groups must be an array of API groups, not "apps"'],
    [{ groups: [] }, 'startServer: groups is empty: name at least one group, or leave the option out'],
    [
      { manifests: 'a.yaml' },
      'startServer: manifests must be an array of files, folders and objects, not "a.yaml"',
    ],
    [{ crds: [1] }, 'startServer: crds must be an array of files, folders and objects, not [1]'],
    [{ plugins: {} }, 'startServer: plugins must be an array of admission functions, not {}'],
    [{ plugins: [{ name: 'x' }] }, 'startServer: plugin x has neither mutate nor validate'],
    [{ plugins: [{ mutate() {} }] }, 'startServer: a plugin needs a name'],
    [{ kinds: [{ kind: 'A' }] }, 'startServer: a kind needs a group'],
    [{ clock: 5 }, 'startServer: clock must be a MovableClock, not 5'],
    [
      { auth: {} },
      'startServer: auth must be an object with tokens, such as { tokens: { secret: "jane" } }, not {}',
    ],
    [{ manifest: [] }, 'startServer has no option manifest (did you mean manifests?)'],
    [{ httpPort: undefined }, 'startServer: set httpPort or securePort, so that clients can connect'],
  ];
  for (const [options, message] of mistakes) {
    await assert.rejects(startServer(options as Options), { name: 'TypeError', message });
  }
});

test('nothing is written unless it is asked for', async (t) => {
  const work = join(folder, 'work');
  mkdirSync(work);
  const before = process.cwd();
  process.chdir(work);
  t.after(() => process.chdir(before));
  await (await startServer({ securePort: 0, kinds: [orders], manifests: [configMap('a')] })).stop();
  assert.deepEqual(readdirSync(work), []);
});
