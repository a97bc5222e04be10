import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { ResetRate } from './reset-rate.ts';

test('nothing is read for a second from a connection that resets streams too fast', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [socket] = (await once(server, 'connection')) as [Socket];
  const rate = new ResetRate(socket);
  let received = '';
  socket.setEncoding('utf8').on('data', (text) => {
    received += text;
  });

  for (let reset = 0; reset < 50; reset++) rate.add();
  client.write('a');
  await once(socket, 'data');
  const startMs = performance.now();
  while (performance.now() - startMs < 10) rate.add();
  client.write('b');
  await once(socket, 'data');
  assert.ok(performance.now() - startMs >= 990, 'read during the pause');
  assert.equal(received, 'ab');

  client.destroy();
  socket.destroy();
  server.close();
});
