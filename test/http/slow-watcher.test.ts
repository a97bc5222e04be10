import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import WebSocket from 'ws';
import { untilClosed } from '../support/http.ts';
import { ServerProcess } from '../support/server-process.ts';

const MEGABYTE = 1024 * 1024;
const bulk = 'x'.repeat(900_000);
const EVENTS = 120;
/** A generous bound for bytes buffered for a client in the server and in the kernel. */
const MOST_WAITING = 40 * MEGABYTE;
/** A bound for the memory of a few stalled clients; all events together are more. */
const MOST_MEMORY = 100 * MEGABYTE;

/** Opens a watch over every protocol and reads nothing from any; each reports how it was closed. */
async function standStill(server: ServerProcess, query: string): Promise<(() => Promise<void>)[]> {
  const admin = server.administrator();
  const { host, port } = new URL(server.url);
  const request = `GET ${query} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  const plain = connect(Number(port), '127.0.0.1');
  plain.write(request);
  const tls = connectTls({ ...admin, host: '127.0.0.1', port: Number(new URL(server.secureUrl).port) });
  tls.write(request);
  const session = connectHttp2(server.secureUrl, admin);
  const stream = session.request({ ':path': query });
  const reset = assert.rejects(once(stream, 'end'), { code: 'ERR_HTTP2_STREAM_ERROR' });
  const socket = new WebSocket(`${server.secureUrl.replace('https', 'wss')}${query}`, {
    ...admin,
    origin: server.secureUrl,
  });
  socket.once('open', () => socket.pause());
  const closed = once(socket, 'close');
  const received = [plain, tls].map((each) => async () => {
    const text = await untilClosed(each);
    assert.match(text, /^HTTP\/1\.1 200 OK/);
    assert.ok(!text.endsWith('\r\n0\r\n\r\n'), 'the watch ended as if its time were up');
  });
  return [
    ...received,
    async () => {
      stream.resume();
      await reset;
      // Other requests on the connection are not affected.
      const other = session.request({ ':path': '/livez' });
      assert.equal((await once(other, 'response'))[0][':status'], 200);
      session.destroy();
    },
    async () => {
      socket.resume();
      assert.equal((await closed)[0], 1006);
    },
  ];
}

async function openWatches(server: ServerProcess): Promise<number> {
  const { text } = await server.get('/metrics');
  return Number(/^apiserver_registered_watchers\{.*kind="ConfigMap".*\} (\d+)/m.exec(text)?.[1]);
}

/** The resident memory of the process without mapped files. Only Linux reports it; elsewhere it is 0. */
function memoryOf({ pid }: ServerProcess): number {
  if (process.platform !== 'linux') return 0;
  const kilobytes = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}

test('watchers that do not read are disconnected with bounded memory, while another gets every event', async (t) => {
  const server = await ServerProcess.prepare(t);
  await server.start();
  const path = await server.namespace();
  // Memory for encoding such large objects is allocated before the first sample.
  await server.post(path, { metadata: { name: 'large' }, data: { content: bulk } });
  const { body: made } = await server.post(path, { metadata: { name: 'a' } });
  const query = `${path}?watch=1&resourceVersion=${made.metadata.resourceVersion}`;
  const change = async (number: number) => {
    const content = `${number} ${bulk}`;
    const { code } = await server.put(`${path}/a`, { metadata: { name: 'a' }, data: { content } });
    assert.equal(code, 200);
  };
  const endings = await standStill(server, query);
  const reader = await server.watch(query);
  while ((await openWatches(server)) < endings.length + 1) await setTimeout(10);

  const before = memoryOf(server);
  // Retained memory is in every sample; garbage comes and goes.
  let kept = Number.POSITIVE_INFINITY;
  let cutOffAfter: number | undefined;
  for (let number = 0; number < EVENTS; number++) {
    await change(number);
    assert.ok((await reader.next())?.object.data.content?.startsWith(`${number} `));
    if (cutOffAfter === undefined && (await openWatches(server)) === 1) cutOffAfter = number * bulk.length;
    if (number > EVENTS / 2) kept = Math.min(kept, memoryOf(server) - before);
  }
  assert.ok(cutOffAfter !== undefined && cutOffAfter < MOST_WAITING, `cut off after ${cutOffAfter} bytes`);
  await Promise.all(endings.map((assertBroken) => assertBroken()));
  assert.ok(kept < MOST_MEMORY, `${kept} bytes more in memory`);
  t.diagnostic(`cut off after ${cutOffAfter} bytes, ${kept} bytes more in memory`);

  // A watcher that still replays is paused instead: its unread events stay in the history only.
  const late = await server.watch(query);
  for (let number = EVENTS; number < EVENTS + 20; number++) await change(number);
  for (let number = 0; number < EVENTS + 20; number++) {
    assert.ok((await late.next())?.object.data.content?.startsWith(`${number} `));
  }
  late.close();
  reader.close();
});
