import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { get } from 'node:https';
import { test } from 'node:test';
import WebSocket from 'ws';
import { jsonType, sendJsonBytes } from '../../src/transport/response.ts';
import { openWatchStream } from '../../src/transport/watch-response.ts';
import type { WatchStream } from '../../src/transport/watch-stream.ts';
import { HttpFixture, object, objectLine, untilClosed } from '../support/http.ts';

const http = new HttpFixture();
const path = '/api/v1/namespaces/default/configmaps?watch=1';
const event = (n: number) => Buffer.from(`{"type":"ADDED","object":{"n":${n}}}\n`);

const streams: WatchStream[] = [];
/** How many clients have disconnected by themselves. */
let gone = 0;

http.handle = async (exchange) => {
  if (exchange.info.verb !== 'watch') return sendJsonBytes(exchange, 200, object, false);
  const stream = await openWatchStream(exchange, jsonType);
  const { signal, response } = exchange;
  streams.push(stream);
  const left = once(signal, 'abort').then(() => gone++);
  await Promise.race([left, once('stream' in response ? response.stream : response, 'finish')]);
};

async function nextStream(): Promise<WatchStream> {
  const count = streams.length;
  while (streams.length === count) await new Promise(setImmediate);
  return streams.at(-1)!;
}

async function untilGone(count: number): Promise<void> {
  while (gone < count) await new Promise(setImmediate);
}

function secure() {
  return {
    host: '127.0.0.1',
    port: http.securePort,
    path,
    agent: false,
    ca: http.pki.ca.certificate,
    headers: { authorization: 'Bearer admin-token' },
  };
}

test('events are sent one by one over HTTP/1.1, and the stream ends cleanly', async () => {
  const opening = nextStream();
  const request = get(secure());
  const [response] = await once(request, 'response');
  assert.equal(response.headers['transfer-encoding'], 'chunked');
  const stream = await opening;
  response.setEncoding('utf8');
  stream.write(event(1));
  const [first] = await once(response, 'data');
  assert.equal(first, event(1).toString());
  stream.write(Buffer.concat([event(2), event(3)]));
  stream.close('complete');
  let rest = '';
  for await (const chunk of response) rest += chunk;
  assert.equal(rest, `${event(2)}${event(3)}`);
  assert.equal(response.complete, true);
  assert.equal(stream.write(event(4)), true);
});

test('a watch leaves the connection usable for the next request', async () => {
  const opening = nextStream();
  const socket = await http.raw(true);
  const head = `Host: 127.0.0.1:${http.plainPort}\r\n`;
  socket.write(`GET ${path} HTTP/1.1\r\n${head}\r\n`);
  const stream = await opening;
  stream.write(event(1));
  stream.close('complete');
  socket.write(`GET /api/v1/namespaces/a HTTP/1.1\r\n${head}Connection: close\r\n\r\n`);
  const text = await untilClosed(socket);
  assert.match(text, /"n":1\}\}\n\r\n0\r\n\r\nHTTP\/1\.1 200 OK/);
  assert.equal(text.slice(-objectLine.length), objectLine);
});

test('the handler is aborted when its client disconnects', async () => {
  const before = gone;
  const opening = nextStream();
  const request = get(secure());
  request.on('error', () => {});
  await once(request, 'response');
  await opening;
  request.destroy();
  await untilGone(before + 1);
});

test('events are sent over HTTP/2 beside other requests, and a reset stream aborts the handler', async () => {
  const before = gone;
  const session = connectHttp2(`https://127.0.0.1:${http.securePort}`, {
    ca: http.pki.ca.certificate,
  });
  const opening = nextStream();
  const watch = session.request({ ':path': path, authorization: 'Bearer admin-token' });
  watch.setEncoding('utf8');
  const stream = await opening;
  stream.write(event(1));
  assert.equal((await once(watch, 'data'))[0], event(1).toString());
  const other = session.request({ ':path': '/api/v1/namespaces/a', authorization: 'Bearer admin-token' });
  assert.equal((await once(other, 'response'))[0][':status'], 200);
  other.resume();
  watch.close();
  await untilGone(before + 1);
  session.close();
});

test('unread bytes count as buffered, and closing the stream as broken disconnects the client', async () => {
  const opening = nextStream();
  const request = get(secure());
  request.on('error', () => {});
  const [response] = await once(request, 'response');
  response.on('error', () => {});
  response.pause();
  const stream = await opening;
  const large = Buffer.alloc(1024 * 1024, 120);
  let writes = 0;
  while (stream.write(large) || stream.buffered() < 8 * 1024 * 1024) {
    assert.ok(++writes < 200);
    await new Promise(setImmediate);
  }
  const before = gone;
  stream.close('broken');
  await untilGone(before + 1);
  response.destroy();
});

function openSocket(protocols: string[], headers = {}): WebSocket {
  return new WebSocket(`wss://127.0.0.1:${http.securePort}${path}`, protocols, {
    ca: http.pki.ca.certificate,
    headers,
  });
}

test('each event is a WebSocket text message, and the close code is 1000', async () => {
  const opening = nextStream();
  const socket = openSocket([], { authorization: 'Bearer admin-token' });
  const stream = await opening;
  const messages: string[] = [];
  socket.on('message', (data, isBinary) => messages.push(`${isBinary ? 'binary' : 'text'} ${data}`));
  stream.write(Buffer.concat([event(1), event(2)]));
  stream.close('complete');
  const [code] = await once(socket, 'close');
  assert.equal(code, 1000);
  assert.deepEqual(messages, [`text ${event(1)}`, `text ${event(2)}`]);
});

test('a WebSocket client may send its token as a subprotocol beside another one', async () => {
  const bearer = `base64url.bearer.authorization.orch.io.${Buffer.from('admin-token').toString('base64url')}`;
  const opening = nextStream();
  const socket = openSocket([bearer, 'binary.orch.io']);
  await Promise.all([opening, once(socket, 'open')]);
  assert.equal(socket.protocol, 'binary.orch.io');
  const before = gone;
  socket.close();
  await untilGone(before + 1);
  const alone = openSocket([bearer]);
  const [error] = await once(alone, 'error');
  assert.match(String(error), /403/);
});

test('a WebSocket client without permission gets the 403', async () => {
  const socket = openSocket([], { authorization: 'Bearer alice-token' });
  const [, response] = await once(socket, 'unexpected-response');
  assert.equal(response.statusCode, 403);
  let text = '';
  for await (const chunk of response) text += chunk;
  assert.match(text, /User \\"alice\\" cannot watch resource/);
});

test('an unsupported upgrade is a plain request with its body, the last of its connection', async () => {
  for (const plain of [true, false]) {
    const head = `Host: 127.0.0.1:${http.plainPort}\r\nAuthorization: Bearer admin-token\r\n`;
    const upgrade = `${head}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAA\r\n`;
    for (const request of [
      `POST /api/v1/namespaces HTTP/1.1\r\n${upgrade}Content-Length: 2\r\n\r\n{}`,
      `GET /api/v1/namespaces/a HTTP/1.1\r\n${upgrade}\r\n`,
    ]) {
      const socket = await http.raw(plain);
      socket.write(request);
      assert.match(await untilClosed(socket), /^HTTP\/1\.1 200 OK/);
    }
  }
});

test('an upgrade pipelined after an unanswered request closes the connection', async () => {
  const socket = await http.raw(true);
  const opening = nextStream();
  const head = `Host: 127.0.0.1:${http.plainPort}\r\n`;
  const upgrade = `${head}Connection: Upgrade\r\nUpgrade: websocket\r\n`;
  socket.write(`GET ${path} HTTP/1.1\r\n${head}\r\nGET ${path} HTTP/1.1\r\n${upgrade}\r\n`);
  await opening;
  await untilClosed(socket);
  assert.equal((await http.ask('/api/v1/namespaces/a')).code, 200);
});

test('the server drains: watches end cleanly on every protocol, requests finish, ports close', async () => {
  const opened = streams.length;
  const chunked = get(secure());
  const session = connectHttp2(`https://127.0.0.1:${http.securePort}`, {
    ca: http.pki.ca.certificate,
  });
  const h2 = session.request({ ':path': path, authorization: 'Bearer admin-token' });
  const socket = openSocket([], { authorization: 'Bearer admin-token' });
  const [response] = await once(chunked, 'response');
  while (streams.length < opened + 3) await new Promise(setImmediate);
  response.resume();
  h2.resume();
  const ends = Promise.all([
    once(response, 'end'),
    once(h2, 'end'),
    once(socket, 'close'),
    once(session, 'goaway'),
  ]);
  const drained = http.server.drain(5_000);
  const [, , [code]] = await ends;
  assert.equal(response.complete, true);
  assert.equal(code, 1000);
  await drained;
  await assert.rejects(http.ask('/healthz'), /ECONNREFUSED/);
  await http.open();
  assert.equal((await http.ask('/api/v1/namespaces/a')).code, 200);
});
