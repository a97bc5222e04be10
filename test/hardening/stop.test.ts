// A server can always be stopped, whatever its clients do. Each test ends because `stop` resolves; none waits for real time.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { connect } from 'node:tls';
import WebSocket from 'ws';
import { frame, frameType, headerBlock, preface } from '../support/http2-frames.ts';
import { RealServer, tokens } from './real-server.ts';

const authorization = `Bearer ${tokens.admin}`;
const configMaps = '/api/v1/namespaces/default/configmaps';

async function started(t: TestContext): Promise<RealServer> {
  const server = RealServer.unstarted();
  await server.start();
  t.after(() => server.stop());
  return server;
}

/** Stops the server while the clock advances as fast as possible. */
async function stops(server: RealServer): Promise<void> {
  let isOver = false;
  const stopping = server.stop().then(() => {
    isOver = true;
  });
  while (!isOver) {
    server.clock.advance(1_000);
    await new Promise(setImmediate);
  }
  await stopping;
  await assert.rejects(server.ask('/version'), /ECONNREFUSED/);
}

/** A client that stays connected until it is closed. */
function stubborn(socket: Socket): Promise<unknown> {
  socket.on('error', () => {});
  return new Promise((resolve) => socket.once('close', resolve));
}

test('with requests whose headers or bodies never end', async (t) => {
  const server = await started(t);
  const closed = [];
  for (const plain of [true, false]) {
    const host = plain ? `127.0.0.1:${server.plainPort}` : 'x';
    for (const text of [
      '',
      'GET /version HTTP/1.1\r\nHost',
      `POST ${configMaps} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${authorization}\r\nContent-Length: 100\r\n\r\n{`,
      `POST ${configMaps} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${authorization}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{`,
    ]) {
      const socket = await server.raw(plain);
      if (text) socket.write(text);
      closed.push(stubborn(socket.resume()));
    }
  }
  await stops(server);
  await Promise.all(closed);
});

test('with HTTP/2 connections that are idle, half open, or have unread or unfinished streams', async (t) => {
  const server = await started(t);
  const open = async (...frames: Buffer[]) => {
    const socket = await server.raw(false, 'h2');
    socket.write(Buffer.concat([preface(Buffer.from([0, 4, 0, 0, 0, 0])), ...frames]));
    // Not read until the end of the test.
    return { socket, closed: stubborn(socket) };
  };
  const block = headerBlock(configMaps, { authorization });
  const clients = await Promise.all([
    open(),
    open(frame(frameType.headers, 0, 1, block)),
    open(frame(frameType.headers, 0x4, 1, block)),
    open(frame(frameType.headers, 0x5, 1, block)),
    open(frame(frameType.headers, 0x5, 1, headerBlock(`${configMaps}?watch=1`, { authorization }))),
  ]);
  const silent = await server.raw(false, 'h2');
  clients.push({ socket: silent, closed: stubborn(silent) });
  await server.ask('/version');
  await stops(server);
  for (const { socket, closed } of clients) {
    socket.resume();
    await closed;
  }
});

test('with watches, WebSockets and half-closed connections', async (t) => {
  const server = await started(t);
  const watching = await server.raw();
  watching.write(`GET ${configMaps}?watch=1 HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n\r\n`);
  await once(watching, 'data');
  const socket = new WebSocket(`wss://127.0.0.1:${server.securePort}${configMaps}?watch=1`, {
    ca: server.ca,
    origin: 'https://127.0.0.1',
    headers: { authorization },
  });
  await once(socket, 'open');
  // A client that never answers the close frame.
  (socket as unknown as { _socket: Socket })._socket.pause();
  const half = await server.raw(true);
  half.write(`GET ${configMaps}?watch=1 HTTP/1.1\r\nHost: 127.0.0.1:${server.plainPort}\r\n\r\n`);
  await once(half, 'data');
  half.end();
  await stops(server);
  socket.terminate();
});

test('with very many connections', async (t) => {
  const server = await started(t);
  const sockets = await Promise.all(Array.from({ length: 100 }, (_, i) => server.raw(i % 2 === 0)));
  const closed = sockets.map((socket) => stubborn(socket.resume()));
  await stops(server);
  await Promise.all(closed);
});

test('right after a client aborted its TLS handshake', async (t) => {
  const server = await started(t);
  // The client does not trust the CA of the server.
  const socket = connect({ host: '127.0.0.1', port: server.securePort });
  await assert.rejects(once(socket, 'secureConnect'), /certificate/);
  await stops(server);
});

test('twice', async (t) => {
  const server = await started(t);
  await Promise.all([stops(server), server.running.stop()]);
});
