// The kubelet API of simulated nodes: logs, exec, attach, portforward and the proxy subresources.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { WebSocket } from 'ws';
import { testServer } from '../support/client.ts';
import { until } from '../support/controllers.ts';

const folder = mkdtempSync(join(tmpdir(), 'orch-logs-'));
after(() => rmSync(folder, { recursive: true }));
const nodeStages = join(folder, 'stages.yaml');
writeFileSync(
  nodeStages,
  `stages: [{ name: hold, match: { phase: Pending, labels: app=held }, delay: { duration: 1h }, next: {} }]
logs: [{ match: { labels: app=web }, text: "one\\ntwo\\nthree" }]`,
);

const api = testServer({ nodes: 1, nodeStages });
const pods = '/api/v1/namespaces/default/pods';

async function create(name: string, metadata: object = {}, phase = 'Running'): Promise<string> {
  const spec = { nodeName: 'node-0', containers: [{ name: 'web', image: 'nginx' }] };
  const { code, text } = await api.post(pods, { metadata: { name, ...metadata }, spec });
  assert.equal(code, 201, text);
  await until(
    () => api.get(`${pods}/${name}`),
    ({ body }) => (body.status as { phase: string }).phase === phase,
  );
  return `${pods}/${name}`;
}

/** A client of the channel protocol. */
class ChannelClient {
  readonly #socket: WebSocket;
  readonly #received = new Map<number, string>();
  readonly closed: Promise<void>;

  constructor(path: string, protocol = 'v5.channel.k8s.io') {
    this.#socket = new WebSocket(`${api.url.replace('http', 'ws')}${path}`, protocol);
    this.#socket.on('message', (data: Buffer) => {
      const channel = data[0]!;
      this.#received.set(channel, this.received(channel) + data.subarray(1).toString('latin1'));
    });
    this.closed = new Promise((resolve, reject) => {
      this.#socket.once('close', () => resolve());
      this.#socket.once('error', reject);
    });
  }

  async open(): Promise<this> {
    await new Promise((resolve) => this.#socket.once('open', resolve));
    return this;
  }

  send(channel: number, text: string): void {
    this.#socket.send(Buffer.concat([Buffer.from([channel]), Buffer.from(text)]));
  }

  /** v5: closes a channel. */
  end(channel: number): void {
    this.#socket.send(Buffer.from([255, channel]));
  }

  received(channel: number): string {
    return this.#received.get(channel) ?? '';
  }

  until(channel: number, text: string): Promise<unknown> {
    return until(
      async () => this.received(channel),
      (received) => received.includes(text),
    );
  }

  close(): void {
    this.#socket.close();
  }
}

const success = '{"metadata":{},"status":"Success"}';

test('the log is that of the annotation, of the stage file, or a line about the simulation', async () => {
  const plain = await create('plain');
  const annotated = await create('annotated', { annotations: { 'simulation.orch.io/logs': 'hello' } });
  const configured = await create('configured', { labels: { app: 'web' } });
  const log = async (path: string, query = '') => (await api.get(`${path}/log${query}`)).text;
  assert.equal(await log(plain), 'container web of pod default/plain is simulated: no process runs\n');
  assert.equal(await log(annotated), 'hello\n');
  assert.equal(await log(configured), 'one\ntwo\nthree\n');
  assert.equal(await log(configured, '?tailLines=1'), 'three\n');
  assert.equal(await log(configured, '?limitBytes=5'), 'one\nt');
  assert.match(await log(configured, '?timestamps=true&tailLines=1'), /^20\S+Z three\n$/);
  api.server.clock.advance(60_000);
  assert.equal(await log(configured, '?sinceSeconds=30'), '');
});

test('a followed log ends with its container', async () => {
  const path = await create('followed', { annotations: { 'simulation.orch.io/logs': 'hello' } });
  const response = await fetch(`${api.url}${path}/log?follow=true`);
  const reading = response.text();
  await api.delete(path);
  await until(
    () => {
      api.server.clock.advance(500);
      return api.get(path);
    },
    ({ code }) => code === 404,
  );
  api.server.clock.advance(500);
  assert.equal(await reading, 'hello\n');
});

test('a container that waits has no log, and one that has not restarted no previous log', async () => {
  const held = await create('held', { labels: { app: 'held' } }, 'Pending');
  const { code, body } = await api.get(`${held}/log`);
  assert.deepEqual(
    [code, body.message],
    [400, 'container "web" in pod "held" is waiting to start: ContainerCreating'],
  );
  const path = await create('first-run');
  const { body: previous } = await api.get(`${path}/log?previous=true`);
  assert.equal(previous.message, 'previous terminated container "web" in pod "first-run" not found');
});

test('exec prints the command, and cat echoes standard input', async () => {
  const path = await create('exec');
  const printed = await new ChannelClient(
    `${path}/exec?command=sh&command=-c&command=echo%20hi&stdout=true`,
  ).open();
  await printed.closed;
  assert.equal(printed.received(1), 'sh -c echo hi\n');
  assert.equal(printed.received(3), success);
  const cat = await new ChannelClient(`${path}/exec?command=cat&stdin=true&stdout=true`).open();
  cat.send(0, 'first ');
  await cat.until(1, 'first ');
  cat.send(0, 'second');
  cat.end(0);
  await cat.closed;
  assert.deepEqual([cat.received(1), cat.received(3)], ['first second', success]);
});

test('exec in a container that does not run fails, as does a request without an upgrade', async () => {
  await assert.rejects(
    new ChannelClient(`${pods}/held/exec?command=ls&stdout=true`).closed,
    /Unexpected server response: 500/,
  );
  const { code, body } = await api.get(`${pods}/exec/exec?command=ls&stdout=true`);
  assert.deepEqual([code, body.message], [400, 'Upgrade request required']);
});

test('attach sends the log and echoes standard input', async () => {
  const path = await create('attach', { annotations: { 'simulation.orch.io/logs': 'hello' } });
  const client = await new ChannelClient(`${path}/attach?stdin=true&stdout=true`).open();
  await client.until(1, 'hello\n');
  client.send(0, 'echo');
  await client.until(1, 'hello\necho');
  client.end(0);
  await client.closed;
});

test('portforward echoes bytes', async () => {
  const path = await create('forward');
  const client = await new ChannelClient(
    `${path}/portforward?ports=80&ports=8080`,
    'v4.channel.k8s.io',
  ).open();
  await client.until(2, '\x90\x1f');
  client.send(2, 'ping');
  await client.until(2, 'ping');
  assert.equal(client.received(0), '\x50\x00');
  assert.equal(client.received(3), '\x90\x1f');
  client.close();
  await client.closed;
});

test('the proxies of simulated pods and nodes answer without a connection', async () => {
  const path = await create('proxied');
  const { code, text } = await api.get(`${path}:8080/proxy/index.html`);
  assert.deepEqual([code, text], [200, 'pod default/proxied is simulated: GET /index.html\n']);
  const ports = [{ port: 80 }];
  await api.post('/api/v1/namespaces/default/services', { metadata: { name: 'shop' }, spec: { ports } });
  const { status } = (await api.get(path)).body as { status: { podIP: string } };
  const targetRef = { kind: 'Pod', namespace: 'default', name: 'proxied' };
  const subsets = [{ addresses: [{ ip: status.podIP, targetRef }], ports }];
  await api.post('/api/v1/namespaces/default/endpoints', { metadata: { name: 'shop' }, subsets });
  const { text: answer } = await api.get('/api/v1/namespaces/default/services/shop:80/proxy/cart');
  assert.equal(answer, 'pod default/proxied is simulated: GET /cart\n');
  assert.equal((await api.get('/api/v1/nodes/node-0/proxy/healthz')).text, 'ok');
  assert.equal((await api.get('/api/v1/nodes/node-0/proxy/other')).code, 404);
});

test('a failed node answers nothing', async () => {
  const path = await create('unreachable');
  await api.request(
    'PATCH',
    '/api/v1/nodes/node-0',
    { metadata: { annotations: { 'simulation.orch.io/failed': 'true' } } },
    { 'content-type': 'application/merge-patch+json' },
  );
  const { code, body } = await api.get(`${path}/log`);
  assert.deepEqual(
    [code, body.message],
    [500, 'error dialing backend: dial tcp 172.16.0.1:10250: i/o timeout'],
  );
});
