// Watches over WebSocket: clients that flood the server.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { RealServer, tokens } from './real-server.ts';

const server = new RealServer();

test('a client that sends pings and reads no pongs fills no memory', { timeout: 60_000 }, async () => {
  const socket = await server.raw();
  socket.write(
    `GET /api/v1/namespaces/default/configmaps?watch=1 HTTP/1.1\r\nHost: a\r\nOrigin: https://a\r\n` +
      `Authorization: Bearer ${tokens.admin}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
  );
  const [answer] = (await once(socket, 'data')) as [Buffer];
  assert.match(answer.toString('latin1'), /^HTTP\/1.1 101 /);
  socket.pause();
  const payload = Buffer.alloc(125, 'x');
  const ping = Buffer.concat([Buffer.from([0x89, 0x80 | payload.length, 0, 0, 0, 0]), payload]);
  const chunk = Buffer.concat(Array.from({ length: 1_000 }, () => ping));
  const chunks = 200;
  // The callback of a write says that the server reads on: it waits for no pong to be read.
  for (let sent = 0; sent < chunks; sent++) {
    await new Promise((resolve, reject) => {
      socket.write(chunk, (error) => (error ? reject(error) : resolve(undefined)));
    });
  }
  const closeFrame = Buffer.from([0x88, 0x80, 0, 0, 0, 0]);
  let received = 0;
  socket.on('data', (bytes) => {
    received += bytes.length;
  });
  socket.resume();
  socket.end(closeFrame);
  await once(socket, 'close');
  assert.ok(received > 0);
  // The rest was held by the operating system's buffers.
  assert.ok(received < (chunk.length * chunks) / 2, `${received} bytes of pongs were kept`);
});
