import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import WebSocket from 'ws';
import { untilClosed } from '../support/http.ts';
import { hpackBomb } from '../support/http2-floods.ts';
import { preface } from '../support/http2-frames.ts';
import { ServerProcess } from '../support/server-process.ts';

async function startServer(t: TestContext, ...flags: string[]): Promise<ServerProcess> {
  const server = await ServerProcess.prepare(t);
  await server.start(...flags);
  return server;
}

/** A connection on which a request is sent verbatim. */
async function send(server: ServerProcess, request: string): Promise<Socket> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(request);
  return socket;
}

const head = (server: ServerProcess, method: string, path: string, headers = '') =>
  `${method} ${path} HTTP/1.1\r\nHost: ${new URL(server.url).host}\r\n${headers}\r\n`;

/** A POST in progress whose body is incomplete. */
async function beginCreation(server: ServerProcess, path: string, name: string) {
  const body = JSON.stringify({ metadata: { name } });
  const headers = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n`;
  const socket = await send(server, head(server, 'POST', path, headers));
  assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 100 Continue/);
  return { socket, body };
}

/** Resolves once the port no longer accepts connections. */
async function untilRefused(server: ServerProcess): Promise<void> {
  for (;;) {
    try {
      await fetch(`${server.url}/livez`, { headers: { connection: 'close' } });
    } catch (error) {
      const { cause } = error as { cause?: { code?: string } };
      if (cause?.code === 'ECONNREFUSED') return;
    }
    await setTimeout(10);
  }
}

function openSession(server: ServerProcess, settings = {}): ClientHttp2Session {
  return connectHttp2(server.secureUrl, { ...server.administrator(), settings });
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal} finishes open requests, refuses new connections and exits with 0`, async (t) => {
    const server = await startServer(t);
    const path = await server.namespace();
    const { socket, body } = await beginCreation(server, path, 'late');
    const idle = await send(server, head(server, 'GET', '/livez'));
    await once(idle, 'data');
    const [answered, left] = [untilClosed(socket), untilClosed(idle)];

    const ended = server.end(signal);
    await untilRefused(server);
    await left;
    socket.write(body);
    assert.match(await answered, /^HTTP\/1\.1 201 Created\r\n.*"name":"late"/s);
    const { code, stderr } = await ended;
    assert.deepEqual([code, stderr], [0, '']);

    await server.start();
    assert.equal((await server.get(`${path}/late`)).code, 200);
  });
}

test('watches end cleanly when the server does: chunked, HTTP/2 and WebSocket', async (t) => {
  const server = await startServer(t);
  const path = await server.namespace();
  const query = `${path}?watch=1`;
  const chunked = await send(server, head(server, 'GET', query));
  const received = untilClosed(chunked);
  const session = openSession(server);
  const stream = session.request({ ':path': query });
  let streamed = '';
  stream.setEncoding('utf8').on('data', (text) => {
    streamed += text;
  });
  const socket = new WebSocket(`${server.secureUrl.replace('https', 'wss')}${query}`, {
    ...server.administrator(),
    origin: server.secureUrl,
  });
  let messages = 0;
  socket.on('message', () => messages++);
  await Promise.all([once(stream, 'response'), once(socket, 'open'), once(chunked, 'data')]);
  await server.post(path, { metadata: { name: 'a' } });
  while (!streamed.includes('\n') || messages === 0) await setTimeout(5);

  const closings = Promise.all([once(stream, 'close'), once(session, 'goaway'), once(socket, 'close')]);
  const ended = server.end('SIGTERM');
  const [, [goaway], [closeCode]] = await closings;
  assert.deepEqual([goaway, stream.rstCode, closeCode, messages], [0, 0, 1000, 1]);
  assert.equal(streamed.trim().split('\n').length, 1);
  assert.match(await received, /"name":"a".*\n\r\n0\r\n\r\n$/s);
  assert.equal((await ended).code, 0);
});

test('a watch that arrives while the server drains ends at once', async (t) => {
  const server = await startServer(t);
  const path = await server.namespace();
  const { socket, body } = await beginCreation(server, path, 'a');
  const received = untilClosed(socket);
  const ended = server.end('SIGTERM');
  await untilRefused(server);
  // A second request after the first, which keeps the connection open.
  socket.write(body + head(server, 'GET', `${path}?watch=1`));
  assert.match(await received, /^HTTP\/1\.1 201 .*HTTP\/1\.1 200 OK.*\r\n0\r\n\r\n$/s);
  assert.equal((await ended).code, 0);
});

test('a response to a slow client is sent completely', async (t) => {
  const server = await startServer(t);
  const path = await server.namespace();
  const content = 'x'.repeat(300_000);
  await server.post(path, { metadata: { name: 'large' }, data: { content } });
  // The flow control window admits a tenth of the response until the client reads on.
  const session = openSession(server, { initialWindowSize: 30_000 });
  const stream = session.request({ ':path': `${path}/large` });
  await once(stream, 'response');
  const ended = server.end('SIGTERM');
  await untilRefused(server);
  let text = '';
  for await (const chunk of stream.setEncoding('utf8')) text += chunk;
  assert.equal(JSON.parse(text).data.content, content);
  assert.equal(stream.rstCode, 0);
  assert.equal((await ended).code, 0);
});

test('readyz fails during --shutdown-delay-duration, while everything is still served', async (t) => {
  const server = await startServer(t, '--shutdown-delay-duration', '3s');
  const path = await server.namespace();
  assert.equal((await server.get('/readyz')).code, 200);
  const watch = await server.watch(`${path}?watch=1`);
  const ended = server.end('SIGTERM');
  let readiness = await server.get('/readyz?verbose');
  while (readiness.code === 200) readiness = await server.get('/readyz?verbose');
  assert.equal(readiness.code, 500);
  assert.match(readiness.text, /\[-\]shutdown failed/);
  assert.equal((await server.get('/livez')).code, 200);
  assert.equal((await server.post(path, { metadata: { name: 'a' } })).code, 201);
  assert.equal((await watch.next())?.object.metadata.name, 'a');
  assert.deepEqual(await watch.rest(), []);
  await untilRefused(server);
  assert.equal((await ended).code, 0);
});

test('a second Ctrl-C stops a draining server', async (t) => {
  const server = await startServer(t, '--shutdown-delay-duration', '10m');
  const ended = server.end('SIGINT');
  while ((await server.get('/readyz')).code === 200) await setTimeout(10);
  // Simultaneous signals count as one.
  await setTimeout(1_100);
  server.again('SIGINT');
  assert.equal((await ended).code, 1);
});

test('during the delay a connection is closed with its next response, and HTTP/2 gets GOAWAY', async (t) => {
  const server = await startServer(t, '--shutdown-delay-duration', '3s');
  const path = await server.namespace();
  const session = openSession(server);
  const stream = session.request({ ':path': `${path}?watch=1` });
  let streamed = '';
  stream.setEncoding('utf8').on('data', (text) => {
    streamed += text;
  });
  await once(stream, 'response');
  const told = once(session, 'goaway');
  const ended = server.end('SIGTERM');
  const [code] = await told;
  assert.equal(code, 0);
  const answer = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ metadata: { name: 'late' } }),
  });
  assert.deepEqual([answer.status, answer.headers.get('connection')], [201, 'close']);
  // Requests in progress continue.
  while (!streamed.includes('"name":"late"')) await setTimeout(5);
  await once(stream, 'close');
  assert.equal(stream.rstCode, 0);
  assert.equal((await ended).code, 0);
});

test('a server whose HTTP/2 connections Node reads no longer stops as usual', async (t) => {
  const server = await startServer(t, '--storage', 'memory');
  const { port } = new URL(server.secureUrl);
  const socket = connectTls({
    port: Number(port),
    host: '127.0.0.1',
    rejectUnauthorized: false,
    ALPNProtocols: ['h2'],
  });
  t.after(() => void socket.destroy());
  socket.on('error', () => {}).resume();
  await once(socket, 'secureConnect');
  socket.write(preface());
  for (let index = 0; index < 200; index++) socket.write(hpackBomb('/version', 2 * index + 1));
  await server.get('/version');
  socket.destroy();
  const { code } = await server.end('SIGTERM');
  assert.equal(code, 0);
});
