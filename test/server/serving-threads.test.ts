// Several serving threads behave as one server: each test would fail if a thread had state of its own.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { defaultOptions, type ServerOptions } from '../../src/server/options.ts';
import { runServer } from '../../src/server/server.ts';
import type { RunningServer } from '../../src/server/server-parts.ts';
import { servingThreadCount } from '../../src/server/threads/thread-count.ts';
import { findEtcd, TestEtcd } from '../../src/store/etcd/etcd.fixture.ts';
import { silentLogger } from '../../src/telemetry/log.ts';
import { startWebhook, type Webhook } from '../support/webhook.ts';

const threads = 4;
/** So many that every thread has some: the kernel distributes them. */
const connectionCount = 48;
const isSupported = servingThreadCount({ ...defaultOptions, servingThreads: 'auto' }, {}) > 1;
const skip = !isSupported && 'this machine has one processor, or its threads cannot share a port';

interface Answer {
  readonly code: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Connections of one client, used in turn. */
class Connections {
  readonly #url: string;
  readonly #agents = Array.from(
    { length: connectionCount },
    () => new Agent({ keepAlive: true, maxSockets: 1 }),
  );
  #next = 0;

  constructor(url: string) {
    this.#url = url;
  }

  send(method: string, path: string, body?: unknown, token?: string): Promise<Answer> {
    return this.#sendOn(this.#next++ % connectionCount, method, path, body, token);
  }

  /** The same request on every connection, at the same time. */
  sendOnAll(
    method: string,
    path: string,
    body?: (index: number) => unknown,
    token?: string,
  ): Promise<Answer[]> {
    return Promise.all(
      this.#agents.map((_, index) => this.#sendOn(index, method, path, body?.(index), token)),
    );
  }

  close(): void {
    for (const agent of this.#agents) agent.destroy();
  }

  #sendOn(index: number, method: string, path: string, body?: unknown, token?: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const headers = {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      };
      const sent = request(
        `${this.#url}${path}`,
        { method, agent: this.#agents[index], headers },
        async (response) => {
          let text = '';
          for await (const part of response.setEncoding('utf8')) text += part;
          resolve({ code: response.statusCode ?? 0, headers: response.headers, text });
        },
      );
      sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}

const configMaps = '/api/v1/namespaces/default/configmaps';
const codes = (answers: readonly Answer[]) => [...new Set(answers.map(({ code }) => code))].sort();
const countOf = (answers: readonly Answer[], code: number) =>
  answers.filter((answer) => answer.code === code).length;

interface Started {
  readonly server: RunningServer;
  readonly connections: Connections;
  readonly dir: string;
  stop(): Promise<void>;
}

async function start(
  options: Partial<ServerOptions> = {},
  prepare: (dir: string) => object = () => ({}),
): Promise<Started> {
  const dir = await mkdtemp(join(tmpdir(), 'orch-threads-'));
  const server = await runServer(
    {
      ...defaultOptions,
      dataDir: dir,
      certDir: join(dir, 'pki'),
      httpPort: 0,
      securePort: undefined,
      servingThreads: threads,
      ...options,
      ...prepare(dir),
    },
    { logger: silentLogger, staticTokens: [{ token: 'bob', user: 'bob', groups: [] }] },
  );
  await server.threads?.started;
  const connections = new Connections(server.url);
  return {
    ...{ server, connections, dir },
    async stop() {
      connections.close();
      await server.stop();
      await rm(dir, { recursive: true });
    },
  };
}

const found = findEtcd();

describe('serving threads', { skip }, () => {
  testAsOneServer(async () => ({ options: {}, stop: async () => {} }));
});

describe('serving threads on etcd', { skip: skip || ('missing' in found && found.missing) }, () => {
  testAsOneServer(async () => {
    const etcd = await TestEtcd.start('program' in found ? found.program : '');
    return { options: { storage: 'etcd', etcdServers: [etcd.url] }, stop: () => etcd.stop() };
  });
});

interface Backend {
  readonly options: Partial<ServerOptions>;
  stop(): Promise<void>;
}

function testAsOneServer(openBackend: () => Promise<Backend>): void {
  let backend: Backend;
  let started: Started;
  let connections: Connections;
  before(async () => {
    backend = await openBackend();
    started = await start(backend.options);
    ({ connections } = started);
  });
  after(async () => {
    await started.stop();
    await backend.stop();
  });

  test('a read on any thread sees every acknowledged write', async () => {
    for (let round = 0; round < 20; round++) {
      const path = `${configMaps}/read-${round}`;
      const created = await connections.send('POST', configMaps, { metadata: { name: `read-${round}` } });
      assert.equal(created.code, 201, created.text);
      assert.deepEqual(codes(await connections.sendOnAll('GET', path)), [200]);
      const lists = await connections.sendOnAll('GET', `${configMaps}?labelSelector=!none`);
      assert.ok(lists.every(({ text }) => text.includes(`"read-${round}"`)));
      assert.equal((await connections.send('DELETE', path)).code, 200);
      assert.deepEqual(codes(await connections.sendOnAll('GET', path)), [404]);
    }
  });

  test('of concurrent creates of one name, one wins', async () => {
    const answers = await connections.sendOnAll('POST', configMaps, () => ({ metadata: { name: 'one' } }));
    assert.equal(countOf(answers, 201), 1);
    assert.equal(countOf(answers, 409), connectionCount - 1);
  });

  test('no update is lost', async () => {
    await connections.send('POST', configMaps, { metadata: { name: 'counter' }, data: { count: '0' } });
    const increment = async () => {
      for (;;) {
        const { text } = await connections.send('GET', `${configMaps}/counter`);
        const object = JSON.parse(text) as { data: { count: string } };
        object.data.count = String(Number(object.data.count) + 1);
        if ((await connections.send('PUT', `${configMaps}/counter`, object)).code === 200) return;
      }
    };
    await Promise.all(Array.from({ length: 50 }, increment));
    const { text } = await connections.send('GET', `${configMaps}/counter`);
    assert.equal((JSON.parse(text) as { data: { count: string } }).data.count, '50');
  });

  test('permissions that were granted or revoked hold on every thread', async () => {
    const bindings = '/apis/rbac.authorization.orch.io/v1/clusterrolebindings';
    const binding = {
      metadata: { name: 'bob' },
      roleRef: { apiGroup: 'rbac.authorization.orch.io', kind: 'ClusterRole', name: 'view' },
      subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.orch.io', name: 'bob' }],
    };
    const codesOfBob = async () => codes(await connections.sendOnAll('GET', configMaps, undefined, 'bob'));
    assert.deepEqual(await codesOfBob(), [403]);
    assert.equal((await connections.send('POST', bindings, binding)).code, 201);
    assert.deepEqual(await codesOfBob(), [200]);
    assert.equal((await connections.send('DELETE', `${bindings}/bob`)).code, 200);
    assert.deepEqual(await codesOfBob(), [403]);
  });

  test('custom resources are served by every thread once they are established, and by none after their deletion', async () => {
    const definitions = '/apis/apiextensions.orch.io/v1/customresourcedefinitions';
    const created = await connections.send('POST', definitions, {
      metadata: { name: 'things.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'things', kind: 'Thing' },
        versions: [
          { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
        ],
      },
    });
    assert.equal(created.code, 201, created.text);
    const isEstablished = async () =>
      (await connections.send('GET', `${definitions}/things.example.com`)).text.includes(
        '"type":"Established"',
      );
    while (!(await isEstablished())) await sleep(5);
    const things = '/apis/example.com/v1/namespaces/default/things';
    const thing = (index: number) => ({
      apiVersion: 'example.com/v1',
      kind: 'Thing',
      metadata: { name: `t${index}` },
    });
    assert.deepEqual(codes(await connections.sendOnAll('POST', things, thing)), [201]);
    await connections.send('DELETE', `${definitions}/things.example.com`);
    const isGone = async () =>
      (await connections.send('GET', `${definitions}/things.example.com`)).code === 404;
    while (!(await isGone())) await sleep(20);
    assert.deepEqual(codes(await connections.sendOnAll('GET', things)), [404]);
  });

  test('a quota is not exceeded', async () => {
    await connections.send('POST', '/api/v1/namespaces', { metadata: { name: 'limited' } });
    const quota = { metadata: { name: 'q' }, spec: { hard: { 'count/configmaps': '10' } } };
    assert.equal(
      (await connections.send('POST', '/api/v1/namespaces/limited/resourcequotas', quota)).code,
      201,
    );
    const isCounted = async () =>
      (await connections.send('GET', '/api/v1/namespaces/limited/resourcequotas/q')).text.includes('"used"');
    while (!(await isCounted())) await sleep(5);
    const answers = await connections.sendOnAll('POST', '/api/v1/namespaces/limited/configmaps', (index) => ({
      metadata: { name: `c${index}` },
    }));
    const { text } = await connections.send('GET', '/api/v1/namespaces/limited/configmaps');
    const { items } = JSON.parse(text) as { items: { metadata: { name: string } }[] };
    assert.ok(items.length <= 10, `${items.length} objects`);
    assert.equal(countOf(answers, 201), items.filter(({ metadata }) => /^c\d/.test(metadata.name)).length);
  });

  test('a node port or cluster IP is given once', async () => {
    const answers = await connections.sendOnAll('POST', '/api/v1/namespaces/default/services', (index) => ({
      metadata: { name: `s${index}` },
      spec: { type: 'NodePort', ports: [{ port: 80 }] },
    }));
    assert.deepEqual(codes(answers), [201]);
    const specs = answers.map(
      ({ text }) => (JSON.parse(text) as { spec: { clusterIP: string; ports: { nodePort: number }[] } }).spec,
    );
    assert.equal(new Set(specs.map(({ clusterIP }) => clusterIP)).size, connectionCount);
    assert.equal(new Set(specs.map(({ ports }) => ports[0]!.nodePort)).size, connectionCount);
  });

  test('a watch on any thread receives every event in order', async () => {
    const { server } = started;
    const { text } = await connections.send('GET', configMaps);
    const { resourceVersion } = (JSON.parse(text) as { metadata: { resourceVersion: string } }).metadata;
    const names = Array.from({ length: 30 }, (_, index) => `event-${index}`);
    const watch = async () => {
      const url = `${server.url}${configMaps}?watch=1&resourceVersion=${resourceVersion}&timeoutSeconds=20`;
      const seen: string[] = [];
      const revisions: number[] = [];
      let pending = '';
      for await (const part of (await fetch(url)).body!.pipeThrough(new TextDecoderStream())) {
        const lines = (pending + part).split('\n');
        pending = lines.pop()!;
        for (const line of lines) {
          const { object } = JSON.parse(line) as {
            object: { metadata: { name: string; resourceVersion: string } };
          };
          seen.push(object.metadata.name);
          revisions.push(Number(object.metadata.resourceVersion));
        }
        if (seen.length >= names.length) break;
      }
      assert.deepEqual(
        [...revisions].sort((a, b) => a - b),
        revisions,
      );
      return seen.sort();
    };
    const watches = Array.from({ length: 16 }, watch);
    await Promise.all(names.map((name) => connections.send('POST', configMaps, { metadata: { name } })));
    for (const seen of await Promise.all(watches)) assert.deepEqual(seen, [...names].sort());
  });

  test('metrics are those of all threads, whichever is asked', async () => {
    await connections.sendOnAll('GET', '/version');
    const count = ({ text }: Answer) => {
      const lines = text.split('\n').filter((line) => /^apiserver_request_total\{.*POST/.test(line));
      return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
    };
    const pages = await connections.sendOnAll('GET', '/metrics');
    assert.equal(new Set(pages.map(count)).size, 1);
    assert.ok(count(pages[0]!) > 100);
    for (const { text } of pages) {
      const names = text.split('\n').flatMap((line) => /^# TYPE (\S+)/.exec(line)?.[1] ?? []);
      assert.equal(new Set(names).size, names.length);
    }
  });

  test('a thread that ends is replaced, and loses nothing that was acknowledged', async () => {
    const { server } = started;
    const acknowledged: string[] = [];
    let isDone = false;
    const write = async (writer: number) => {
      for (let index = 0; !isDone; index++) {
        const name = `crash-${writer}-${index}`;
        const answer = await connections
          .send('POST', configMaps, { metadata: { name } })
          .catch(() => undefined);
        if (answer?.code === 201) acknowledged.push(name);
      }
    };
    const writers = Array.from({ length: 8 }, (_, writer) => write(writer));
    for (const thread of [1, 2, 3]) {
      await sleep(100);
      await server.threads!.crash(thread);
    }
    await sleep(500);
    isDone = true;
    await Promise.all(writers);
    const lists = await connections
      .sendOnAll('GET', configMaps)
      .catch(() => connections.sendOnAll('GET', configMaps));
    for (const { text } of lists) {
      const { items } = JSON.parse(text) as { items: { metadata: { name: string } }[] };
      const stored = new Set(items.map(({ metadata }) => metadata.name));
      assert.deepEqual(
        acknowledged.filter((name) => !stored.has(name)),
        [],
      );
    }
    assert.ok(acknowledged.length > 0);
  });
}

describe('limits of serving threads', { skip }, () => {
  let webhook: Webhook;
  before(async () => {
    webhook = await startWebhook();
  });
  after(() => webhook.stop());

  /** Gives the requests of bob a priority level that lends and borrows no seats. */
  async function limitBob(connections: Connections): Promise<void> {
    const group = '/apis/flowcontrol.apiserver.orch.io/v1';
    const level = await connections.send('POST', `${group}/prioritylevelconfigurations`, {
      metadata: { name: 'bob' },
      spec: {
        type: 'Limited',
        limited: {
          nominalConcurrencyShares: 100,
          lendablePercent: 0,
          borrowingLimitPercent: 0,
          limitResponse: { type: 'Queue', queuing: { queues: 8, handSize: 4, queueLengthLimit: 50 } },
        },
      },
    });
    assert.equal(level.code, 201, level.text);
    const schema = await connections.send('POST', `${group}/flowschemas`, {
      metadata: { name: 'bob' },
      spec: {
        priorityLevelConfiguration: { name: 'bob' },
        matchingPrecedence: 10,
        rules: [
          {
            subjects: [{ kind: 'User', user: { name: 'bob' } }],
            resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'] }],
          },
        ],
      },
    });
    assert.equal(schema.code, 201, schema.text);
  }

  /** Creates ConfigMaps on all connections while a webhook holds them. Returns how many reached it, and the answers. */
  async function createWhileHeld(options: Partial<ServerOptions>, name: string, token?: string) {
    const started = await start(options);
    const { connections } = started;
    const held = { does: 'wait' } as const;
    try {
      const configured = await connections.send(
        'POST',
        '/apis/admissionregistration.orch.io/v1/validatingwebhookconfigurations',
        {
          metadata: { name: 'holds' },
          webhooks: [
            {
              name: 'holds.example.com',
              clientConfig: { url: webhook.url(held, name), caBundle: webhook.caBundle },
              rules: [
                { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] },
              ],
              sideEffects: 'None',
              admissionReviewVersions: ['v1'],
              timeoutSeconds: 20,
            },
          ],
        },
      );
      assert.equal(configured.code, 201, configured.text);
      await connections.send('POST', '/apis/rbac.authorization.orch.io/v1/clusterrolebindings', {
        metadata: { name: 'bob' },
        roleRef: { apiGroup: 'rbac.authorization.orch.io', kind: 'ClusterRole', name: 'edit' },
        subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.orch.io', name: 'bob' }],
      });
      await limitBob(connections);
      const creating = connections.sendOnAll(
        'POST',
        configMaps,
        (index) => ({ metadata: { name: `c${index}` } }),
        token,
      );
      await sleep(1_500);
      const { length } = await webhook.received(held, name);
      await webhook.release(held, name);
      return { reached: length, answers: await creating };
    } finally {
      await started.stop();
    }
  }

  test('requests in flight are limited together', async () => {
    const options = { enablePriorityAndFairness: false, maxMutatingRequestsInflight: 6 };
    const { reached, answers } = await createWhileHeld(options, 'in-flight', 'bob');
    assert.equal(reached, 6);
    assert.equal(countOf(answers, 201), 6);
    assert.equal(countOf(answers, 429), connectionCount - 6);
  });

  test('seats of priority and fairness are limited together, and waiting requests get them', async () => {
    const options = { maxRequestsInflight: 10, maxMutatingRequestsInflight: 10 };
    const alone = await createWhileHeld({ ...options, servingThreads: 1 }, 'seats-of-one', 'bob');
    const { reached, answers } = await createWhileHeld(options, 'seats', 'bob');
    assert.ok(alone.reached < connectionCount);
    assert.equal(reached, alone.reached);
    assert.deepEqual(codes(answers), [201]);
  });

  test('a new FlowSchema classifies the next request on every thread', async () => {
    const { connections, stop } = await start();
    try {
      await limitBob(connections);
      const group = '/apis/flowcontrol.apiserver.orch.io/v1/flowschemas';
      const { spec } = JSON.parse((await connections.send('GET', `${group}/bob`)).text) as { spec: object };
      for (let round = 0; round < 5; round++) {
        const schema = {
          metadata: { name: `round-${round}` },
          spec: { ...spec, matchingPrecedence: 9 - round },
        };
        const created = await connections.send('POST', group, schema);
        assert.equal(created.code, 201, created.text);
        const { uid } = (JSON.parse(created.text) as { metadata: { uid: string } }).metadata;
        const answers = await connections.sendOnAll('GET', configMaps, undefined, 'bob');
        const schemas = answers.map(({ headers }) => headers['x-orch-pf-flowschema-uid']);
        assert.deepEqual([...new Set(schemas)], [uid]);
      }
    } finally {
      await stop();
    }
  });

  test('the audit log has the events of all threads, one on each line', async () => {
    const started = await start({}, (dir) => {
      const policy = join(dir, 'policy.yaml');
      writeFileSync(policy, 'apiVersion: audit.orch.io/v1\nkind: Policy\nrules:\n- level: RequestResponse\n');
      return { auditPolicyFile: policy, auditLogPath: join(dir, 'audit.log') };
    });
    const { connections, dir } = started;
    await connections.sendOnAll('POST', configMaps, (index) => ({ metadata: { name: `audited-${index}` } }));
    await sleep(300);
    const text = readFileSync(join(dir, 'audit.log'), 'utf8');
    await started.stop();
    const events = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { stage: string; objectRef?: { name?: string } });
    const names = events
      .filter(
        ({ stage, objectRef }) => stage === 'ResponseComplete' && objectRef?.name?.startsWith('audited-'),
      )
      .map(({ objectRef }) => objectRef!.name);
    assert.equal(new Set(names).size, connectionCount);
  });

  test('a port that another program listens on is refused', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    await assert.rejects(start({ httpPort: port }), /EADDRINUSE/);
    other.close();
  });

  test('data is there after a restart, with any number of threads', async () => {
    const started = await start();
    const { connections, dir, server } = started;
    await connections.sendOnAll('POST', configMaps, (index) => ({ metadata: { name: `kept-${index}` } }));
    connections.close();
    await server.stop();
    const again = await runServer(
      { ...defaultOptions, dataDir: dir, certDir: join(dir, 'pki'), httpPort: 0, securePort: undefined },
      { logger: silentLogger },
    );
    const { items } = (await (await fetch(`${again.url}${configMaps}`)).json()) as { items: unknown[] };
    await again.stop();
    await rm(dir, { recursive: true });
    assert.ok(items.length >= connectionCount);
  });
});

test('more than one serving thread needs a store that threads can share', async () => {
  const message = (options: Partial<ServerOptions>) => {
    try {
      return servingThreadCount({ ...defaultOptions, ...options }, {});
    } catch (error) {
      return (error as Error).message;
    }
  };
  assert.match(
    String(message({ servingThreads: 2, storage: 'memory' })),
    /^--serving-threads 2: .*storage memory; use 1$/,
  );
  assert.match(String(message({ servingThreads: 0 })), /at least one/);
  assert.equal(message({ servingThreads: 'auto', storage: 'memory' }), 1);
});
