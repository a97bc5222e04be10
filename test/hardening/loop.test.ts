// One request must not block the event loop for others.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { quickly } from './event-loop-limits.ts';
import type { Sent } from './loop-client.ts';
import { MeasuredLoop } from './measured-loop.ts';
import { RealServer } from './real-server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const pods = '/api/v1/namespaces/default/pods';
const objects = 2_000;

const server = new RealServer({ verbosity: 0 }, async (server) => {
  const { client } = server.running;
  const names = Array.from({ length: objects }, (_, i) => `c${i}`);
  await Promise.all(
    names.map((name) =>
      client.create({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name, namespace: 'default', labels: { a: name, b: 'x' } },
      }),
    ),
  );
  loop = new MeasuredLoop(server);
  for (let i = 0; i < 30; i++) await ask({ path: `${configMaps}/c1` });
  await ask({ path: `${configMaps}?labelSelector=b%3Dx` });
  // The document is built once, by the first request.
  await ask({ path: '/openapi/v2' });
});
let loop: MeasuredLoop;
after(() => loop?.stop());

const ask = (request: Partial<Sent>) => loop.ask(request);

const numbered = (count: number, text: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i));
const entries = (count: number, key: (i: number) => string, value: unknown) =>
  Object.fromEntries(numbered(count, key).map((name) => [name, value]));

/** The longest turn of the event loop by ordinary requests. */
let usual = 0;

async function usualTurn(): Promise<number> {
  for (let i = 0; usual === 0 || i < 3; i++) {
    const long = await ask({ path: `${configMaps}/c1?x=${'y'.repeat(60_000)}` });
    const list = await ask({ path: `${configMaps}?labelSelector=b%3Dx` });
    usual = Math.max(usual, long.turn, list.turn);
    if (i >= 2) break;
  }
  return usual;
}

const isAnswered = (code: number) => code >= 200 && code < 500;

/** The time that a small request may take, relative to the speed of this machine. */
async function isQuick(request: Partial<Sent>): Promise<void> {
  const limit = 50 + 10 * (usual || (await usualTurn()));
  const { code } = await quickly(limit, () => ask(request));
  assert.ok(isAnswered(code), String(code));
}

/** The cost of a body is proportional to its size: four times the elements are not sixteen times the work. */
async function growsEvenly(of: (count: number) => Partial<Sent>, most: number): Promise<void> {
  const few = of(most / 4);
  const many = of(most);
  await ask(few);
  const less = await ask(few);
  assert.ok(isAnswered(less.code), String(less.code));
  const { code } = await quickly(Math.max(100, 9 * less.turn), () => ask(many));
  assert.ok(isAnswered(code), String(code));
}

const post = (path: string, object: object): Partial<Sent> => ({
  method: 'POST',
  path: `${path}?dryRun=All`,
  body: JSON.stringify(object),
});
const patch = (type: string, path: string, body: object): Partial<Sent> => ({
  method: 'PATCH',
  path: `${path}?dryRun=All`,
  body: JSON.stringify(body),
  headers: { 'content-type': `application/${type}-patch+json` },
});

const definitions = '/apis/apiextensions.orch.io/v1/customresourcedefinitions';
const ruled = (rules: readonly string[]) => ({
  metadata: { name: 'foos.example.com' },
  spec: {
    group: 'example.com',
    names: { plural: 'foos', kind: 'Foo' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { f: { type: 'integer' } },
            'x-orch-validations': rules.map((rule) => ({ rule })),
          },
        },
      },
    ],
  },
});

describe('very long URLs are cheap', () => {
  for (const [what, path] of Object.entries({
    slashes: '/'.repeat(100_000),
    'slashes in a resource': `${configMaps}/${'/'.repeat(100_000)}`,
    'escaped slashes': `${configMaps}/${'%2f'.repeat(30_000)}`,
    'escapes that are no UTF-8': `${configMaps}/${'%ff'.repeat(30_000)}`,
    dots: `${configMaps}/${'../'.repeat(30_000)}`,
    parameters: `${configMaps}?${'a&'.repeat(50_000)}`,
    'parameters with broken escapes': `${configMaps}?${'%zz&'.repeat(25_000)}`,
    'parameters with question marks': `${configMaps}?${'?'.repeat(100_000)}token`,
    'a name': `${configMaps}/${'x'.repeat(100_000)}`,
    digits: `${configMaps}?limit=${'9'.repeat(100_000)}`,
    'a revision': `${configMaps}?resourceVersion=${'9'.repeat(100_000)}`,
    'a token to go on': `${configMaps}?continue=${'A'.repeat(100_000)}`,
    'a timeout': `${configMaps}?timeout=${'9h'.repeat(50_000)}`,
    'a path of a proxy': `/api/v1/nodes/n/proxy/${'../a/'.repeat(20_000)}`,
    'a path of documents': `/openapi/v3/${'a/'.repeat(50_000)}`,
  })) {
    test(what, () => isQuick({ path }));
  }
});

describe('selectors with very many terms are cheap on very many objects', () => {
  const label = (text: string) => ({ path: `${configMaps}?labelSelector=${encodeURIComponent(text)}` });
  const field = (text: string) => ({ path: `${configMaps}?fieldSelector=${encodeURIComponent(text)}` });
  for (const [what, request] of Object.entries({
    'labels that must be absent': label(numbered(8_000, (i) => `!k${i}`).join(',')),
    'values that a label may have': label(`a in (${numbered(15_000, (i) => `w${i}`).join(',')})`),
    'values that a label may not have': label(`a notin (${numbered(15_000, (i) => `w${i}`).join(',')})`),
    'one key of great length': label('k'.repeat(100_000)),
    parentheses: label('('.repeat(30_000)),
    commas: label(','.repeat(30_000)),
    blanks: label(' '.repeat(30_000)),
    'a number': label(`a>${'9'.repeat(90_000)}`),
    fields: field(numbered(4_000, (i) => `metadata.name!=c${i}`).join(',')),
    'backslashes in fields': field(`metadata.name=${'\\\\'.repeat(15_000)}`),
  })) {
    test(what, () => isQuick(request));
  }
});

describe('very long headers are cheap', () => {
  const header = (name: string, value: string | string[]) => ({
    path: `${configMaps}/c1`,
    headers: { [name]: value },
  });
  for (const [what, request] of Object.entries({
    'what is accepted': header('accept', 'a/b;q=0.1,'.repeat(10_000)),
    'parameters of what is accepted': header('accept', `application/json${';a=b'.repeat(20_000)}`),
    encodings: header('accept-encoding', 'x,'.repeat(50_000)),
    'a token': header('authorization', `Bearer ${'x'.repeat(100_000)}`),
    'a token with dots': header('authorization', `Bearer ${'.'.repeat(100_000)}`),
    'a token with spaces': header('authorization', `Bearer${' '.repeat(100_000)}`),
    'groups to be taken for': {
      path: `${configMaps}/c1`,
      headers: { 'impersonate-user': 'u', 'impersonate-group': numbered(900, (i) => `g${i}`) },
    },
    'extras to be taken for': {
      path: `${configMaps}/c1`,
      headers: {
        'impersonate-user': 'u',
        ...(entries(900, (i) => `impersonate-extra-${'%41'.repeat(20)}${i}`, 'x') as Record<string, string>),
      },
    },
    'protocols of a WebSocket': {
      path: `${configMaps}?watch=1`,
      headers: { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-protocol': 'a,'.repeat(40_000) },
    },
    'an agent': header('user-agent', 'x/'.repeat(50_000)),
    'a type of content': {
      method: 'POST',
      path: configMaps,
      body: '{}',
      headers: { 'content-type': `application/json${';'.repeat(90_000)}` },
    },
    'an etag': { path: '/openapi/v2', headers: { 'if-none-match': '"a",'.repeat(25_000) } },
  })) {
    test(what, () => isQuick(request as Partial<Sent>));
  }
});

describe('bodies with very many elements cost as much as their size', () => {
  const pod = (spec: object) =>
    post(pods, { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }], ...spec } });
  const container = (parts: object) => pod({ containers: [{ name: 'c', image: 'i', ...parts }] });
  const meta = (parts: object) => post(configMaps, { metadata: { name: 'big', ...parts } });
  const at = (n: number, text: string) => numbered(n, (i) => `${text}${i}`);
  const list = numbered(20_000, () => 'x');
  const jsonPatch = (n: number, step: object) =>
    patch('json', `${configMaps}/c1`, [
      { op: 'add', path: '/x', value: list },
      ...numbered(n, () => '').map(() => step),
    ]);
  const raw = (body: string) => ({
    method: 'POST',
    path: `${configMaps}?dryRun=All&fieldValidation=Strict`,
    body,
  });

  for (const [what, most, of] of [
    ['labels', 20_000, (n) => meta({ labels: entries(n, (i) => `k${i}`, 'v') })],
    ['a label', 800_000, (n) => meta({ labels: { [`a/${'b'.repeat(n)}`]: 'c'.repeat(n) } })],
    ['a name', 800_000, (n) => meta({ name: 'a.'.repeat(n) })],
    ['a prefix of names', 800_000, (n) => meta({ name: undefined, generateName: 'a-'.repeat(n) })],
    ['annotations', 20_000, (n) => meta({ annotations: entries(n, (i) => `k${i}`, 'v') })],
    ['finalizers', 20_000, (n) => meta({ finalizers: at(n, 'a.b/c') })],
    [
      'owners',
      8_000,
      (n) =>
        meta({
          ownerReferences: at(n, 'u').map((uid) => ({ apiVersion: 'v1', kind: 'Pod', name: 'x', uid })),
        }),
    ],
    [
      'data',
      20_000,
      (n) => post(configMaps, { metadata: { name: 'big' }, data: entries(n, (i) => `k${i}`, 'v') }),
    ],
    ['containers', 8_000, (n) => pod({ containers: at(n, 'c').map((name) => ({ name, image: 'i' })) })],
    [
      'containers of one name',
      8_000,
      (n) => pod({ containers: at(n, 'c').map(() => ({ name: 'c', image: 'i' })) }),
    ],
    ['variables', 20_000, (n) => container({ env: at(n, 'K').map((name) => ({ name, value: 'v' })) })],
    [
      'variables of one name',
      20_000,
      (n) => container({ env: at(n, 'K').map(() => ({ name: 'K', value: 'v' })) }),
    ],
    [
      'mounts',
      8_000,
      (n) => container({ volumeMounts: at(n, '/m').map((mountPath) => ({ name: 'v', mountPath })) }),
    ],
    ['volumes', 12_000, (n) => pod({ volumes: at(n, 'v').map((name) => ({ name, emptyDir: {} })) })],
    [
      'ports',
      12_000,
      (n) => container({ ports: at(n, 'p').map((name, i) => ({ name, containerPort: i + 1 })) }),
    ],
    [
      'ports of one number',
      12_000,
      (n) => container({ ports: at(n, 'p').map((name) => ({ name, containerPort: 1 })) }),
    ],
    [
      'tolerations',
      12_000,
      (n) => pod({ tolerations: at(n, 'k').map((key) => ({ key, operator: 'Exists' })) }),
    ],
    [
      'ports of a service',
      12_000,
      (n) =>
        post('/api/v1/namespaces/default/services', {
          metadata: { name: 's' },
          spec: { ports: at(n, 'p').map((name, i) => ({ name, port: i + 1 })) },
        }),
    ],
    [
      'addresses of endpoints',
      20_000,
      (n) =>
        post('/api/v1/namespaces/default/endpoints', {
          metadata: { name: 'e' },
          subsets: [
            {
              addresses: numbered(n, (i) => `10.0.${(i >> 8) & 255}.${i & 255}`).map((ip) => ({ ip })),
              ports: [{ port: 1 }],
            },
          ],
        }),
    ],
    [
      'rules of a role',
      8_000,
      (n) =>
        post('/apis/rbac.authorization.orch.io/v1/clusterroles', {
          metadata: { name: 'r' },
          rules: at(n, 'r').map((resource) => ({ verbs: ['get'], apiGroups: [''], resources: [resource] })),
        }),
    ],
    ['steps into the head of a list', 8_000, (n) => jsonPatch(n, { op: 'add', path: '/x/0', value: 'x' })],
    ['steps that remove from the head of a list', 8_000, (n) => jsonPatch(n, { op: 'remove', path: '/x/0' })],
    ['steps that move in a list', 8_000, (n) => jsonPatch(n, { op: 'move', from: '/x/0', path: '/x/1' })],
    [
      'steps that compare',
      8_000,
      (n) =>
        patch(
          'json',
          `${configMaps}/c1`,
          at(n, '').map(() => ({ op: 'test', path: '/data', value: null })),
        ),
    ],
    [
      'a merge patch',
      20_000,
      (n) => patch('merge', `${configMaps}/c1`, { data: entries(n, (i) => `k${i}`, 'v') }),
    ],
    [
      'a strategic patch with an order',
      20_000,
      (n) =>
        patch('strategic-merge', `${configMaps}/c1`, {
          metadata: { finalizers: at(n, 'a.b/c'), '$setElementOrder/finalizers': at(n, 'a.b/c') },
        }),
    ],
    [
      'a strategic patch that deletes',
      20_000,
      (n) =>
        patch('strategic-merge', `${configMaps}/c1`, {
          metadata: { '$deleteFromPrimitiveList/finalizers': at(n, 'a.b/c') },
        }),
    ],
    ['digits', 2_000_000, (n) => raw(`{"metadata":{"name":"n","generation":${'9'.repeat(n)}}}`)],
    ['lists in lists', 2_000_000, (n) => raw('['.repeat(n))],
    [
      'escapes in text',
      150_000,
      (n) => raw(`{"metadata":{"name":"n"},"data":{"k":"${'\\u0041'.repeat(n)}"}}`),
    ],
    [
      'unknown fields',
      20_000,
      (n) => raw(JSON.stringify({ metadata: { name: 'n' }, ...entries(n, (i) => `unknown${i}`, 1) })),
    ],
    ['rules of a custom kind', 20_000, (n) => post(definitions, ruled(numbered(n, (i) => `self.f == ${i}`)))],
    [
      'a rule with very many mistakes',
      20_000,
      (n) => post(definitions, ruled([numbered(n, () => 'a').join('||')])),
    ],
    [
      'fields that come twice',
      100_000,
      (n) => raw(`{"metadata":{"name":"n"},"data":{${numbered(n, () => '"k":"v"').join(',')}}}`),
    ],
  ] as const satisfies readonly (readonly [string, number, (n: number) => Partial<Sent>])[]) {
    test(what, () => growsEvenly(of, most));
  }
});

test('afterwards the server still responds', async () => {
  assert.equal((await server.ask('/readyz')).code, 200);
});
