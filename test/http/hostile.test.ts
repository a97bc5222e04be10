import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectHttp2, constants, createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { queryObjects } from 'node:v8';
import { readBody } from '../../src/transport/exchange.ts';
import { configMapPath, HttpFixture, object, shortTimeouts, untilClosed } from '../support/http.ts';
import { endHeaders, endStream, frame, frameType, headerBlock, preface } from '../support/http2-frames.ts';

const http = new HttpFixture();
const strict = new HttpFixture({ connectionLimits: shortTimeouts });

async function stillServes(): Promise<void> {
  assert.equal((await http.ask(configMapPath)).code, 200);
}

test('headers beyond the limit are 431', async () => {
  const socket = await http.raw();
  socket.write(`GET /version HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(200_000)}\r\n\r\n`);
  const text = await untilClosed(socket);
  assert.match(text, /^HTTP\/1\.1 431 /);
  assert.ok(text.endsWith('431 Request Header Fields Too Large'));
  await stillServes();
});

test('headers beyond the limit over HTTP/2 are rejected, and the server continues', async () => {
  const session = connectHttp2(`https://127.0.0.1:${http.securePort}`, {
    ca: http.pki.ca.certificate,
  });
  session.on('error', () => {});
  const headers = Object.fromEntries(Array.from({ length: 1_500 }, (_, i) => [`x-${i}`, 'y']));
  const stream = session.request({ ':path': '/version', ...headers });
  stream.on('error', () => {});
  stream.resume();
  await new Promise((resolve) => stream.once('close', resolve));
  assert.notEqual(stream.rstCode, constants.NGHTTP2_NO_ERROR);
  session.destroy();
  await stillServes();
});

test('a client that sends headers slowly is disconnected', async () => {
  const socket = await strict.raw(true);
  socket.write('GET /version HTTP/1.1\r\n');
  const dribble = setInterval(() => socket.write('X: y\r\n'), 50);
  assert.match(await untilClosed(socket), /^HTTP\/1\.1 408 /);
  clearInterval(dribble);
});

test('a client that sends its body slowly is disconnected', async () => {
  const before = strict.handle;
  let failed = false;
  strict.handle = async (exchange) => {
    await readBody(exchange).catch((error) => {
      failed = true;
      throw error;
    });
  };
  const socket = await strict.raw(true);
  const head = `Host: 127.0.0.1:${strict.plainPort}\r\nContent-Length: 1000\r\n`;
  socket.write(`POST /api/v1/namespaces HTTP/1.1\r\n${head}\r\n{`);
  const dribble = setInterval(() => socket.write(' '), 50);
  await untilClosed(socket);
  clearInterval(dribble);
  while (!failed) await new Promise(setImmediate);
  strict.handle = before;
});

test('an idle connection is closed: before TLS, after TLS and between requests', async () => {
  const silent = await strict.raw(true);
  assert.match(await untilClosed(silent), /^HTTP\/1\.1 408 |^$/);
  const idle = await strict.raw(true);
  idle.write(`GET ${configMapPath} HTTP/1.1\r\nHost: 127.0.0.1:${strict.plainPort}\r\n\r\n`);
  assert.match(await untilClosed(idle), /^HTTP\/1\.1 200 /);
  const session = connectHttp2(`https://127.0.0.1:${strict.securePort}`, {
    ca: strict.pki.ca.certificate,
  });
  await once(session, 'close');
});

test('TLS below 1.2 is rejected', async () => {
  const socket = connectTls({
    port: http.securePort,
    host: '127.0.0.1',
    rejectUnauthorized: false,
    minVersion: 'TLSv1',
    maxVersion: 'TLSv1.1',
    ciphers: 'ALL@SECLEVEL=0',
  });
  const [error] = await once(socket, 'error');
  assert.match(String(error), /alert|version|handshake/i);
});

/** Opens and resets streams of one HTTP/2 session until the server closes it. Acknowledges no settings. */
async function resetRapidly(): Promise<number> {
  const socket = connectTls({
    port: http.securePort,
    host: '127.0.0.1',
    ca: http.pki.ca.certificate,
    ALPNProtocols: ['h2'],
  });
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  let ended = false;
  // Not `once`, which would reject when the server resets the connection.
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      ended = true;
      resolve();
    });
  });
  socket.resume();
  socket.write(preface());
  const block = headerBlock(configMapPath, { authorization: 'Bearer admin-token' });
  const cancel = Buffer.from([0, 0, 0, constants.NGHTTP2_CANCEL]);
  let opened = 0;
  while (!ended && opened < 50_000) {
    const frames: Buffer[] = [];
    for (let i = 0; i < 100; i++) {
      const id = 2 * opened++ + 1;
      frames.push(frame(frameType.headers, endHeaders | endStream, id, block));
      frames.push(frame(frameType.reset, 0, id, cancel));
    }
    // The server pauses before it closes the session.
    if (!socket.write(Buffer.concat(frames))) {
      await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  assert.ok(ended, `${opened} streams were opened and reset`);
  return opened;
}

test('rapid reset closes the HTTP/2 session and does not affect other clients', async () => {
  let handled = 0;
  const before = http.handle;
  http.handle = async (exchange) => {
    handled++;
    await before(exchange);
  };
  await resetRapidly();
  assert.ok(handled < 100, `${handled} requests were handled`);
  http.handle = before;
  await stillServes();
});

test('sessions that the server closed are freed, also without acknowledged settings', async () => {
  const sessionClass = await serverSessionClass();
  const countSessions = () => queryObjects(sessionClass, { format: 'count' });
  const before = countSessions();
  await Promise.all(Array.from({ length: 20 }, resetRapidly));
  // The last ones may be closing.
  for (let tries = 0; countSessions() > before + 5 && tries < 50; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.ok(countSessions() <= before + 5, `${countSessions()} sessions`);
});

/** Node does not export it. */
async function serverSessionClass(): Promise<new () => unknown> {
  const server = createHttp2Server().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const [session] = await once(server, 'session');
  client.destroy();
  server.close();
  return session.constructor;
}

test('streams beyond the concurrency limit are rejected, not queued', async () => {
  const before = http.handle;
  http.handle = () => new Promise(() => {});
  const session = connectHttp2(`https://127.0.0.1:${http.securePort}`, {
    ca: http.pki.ca.certificate,
  });
  const [settings] = await once(session, 'remoteSettings');
  assert.equal(settings.maxConcurrentStreams, 250);
  session.destroy();
  http.handle = before;
});

const brokenRequests: Readonly<Record<string, string>> = {
  'no Host': 'GET / HTTP/1.1\r\n\r\n',
  'a bare line feed in a header': 'GET / HTTP/1.1\r\nHost: x\r\nA: b\nc\r\n\r\n',
  'two lengths': 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
  'a length and chunks':
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'a space before the colon': 'GET / HTTP/1.1\r\nHost : x\r\n\r\n',
  'no method': '/ HTTP/1.1\r\nHost: x\r\n\r\n',
  'a broken escape': 'GET /api/v1/namespaces/%zz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n',
};

for (const [what, request] of Object.entries(brokenRequests)) {
  test(`${what} is a bad request`, async () => {
    const socket = await http.raw();
    socket.write(request);
    assert.match(await untilClosed(socket), /^HTTP\/1\.1 400 /);
    await stillServes();
  });
}

test('unusual paths never reach a resource other than the authorized one', async () => {
  const before = http.handle;
  const seen: string[] = [];
  http.handle = async (exchange) => {
    const { resource, name, namespace, isRoutable } = exchange.info;
    seen.push(`${namespace}|${resource}|${name}|${isRoutable}`);
    exchange.response.end(object);
  };
  for (const path of ['..%2f..%2fsecrets', '%2e%2e/secrets/b', 'a/../../secrets/b', './b', 'a%00b']) {
    await http.ask(`/api/v1/namespaces/default/configmaps/${path}`);
  }
  assert.deepEqual(seen, [
    'default|configmaps|..|false',
    'default|configmaps|..|false',
    'default|configmaps|a|false',
    'default|configmaps|.|true',
    'default|configmaps|a\0b|true',
  ]);
  http.handle = before;
});

test('a client that disconnects at any time leaks nothing', async () => {
  const before = http.handle;
  let running = 0;
  http.handle = async (exchange) => {
    running++;
    if (!exchange.signal.aborted) await once(exchange.signal, 'abort');
    running--;
  };
  const sockets = await Promise.all(Array.from({ length: 20 }, () => http.raw(true)));
  for (const socket of sockets) {
    socket.write(`GET ${configMapPath} HTTP/1.1\r\nHost: 127.0.0.1:${http.plainPort}\r\n\r\n`);
  }
  while (running < 20) await new Promise(setImmediate);
  for (const socket of sockets) socket.destroy();
  while (running > 0) await new Promise(setImmediate);
  http.handle = before;
});
