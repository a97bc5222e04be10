import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { untilClosed } from '../support/http.ts';
import { startServer } from '../support/servers.ts';

test('a failed WebSocket upgrade holds no seat', async (t) => {
  const server = await startServer();
  t.after(() => server.stop());
  const { host, hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const headers = [
    `Host: ${host}`,
    `Origin: ${server.url}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Protocol: a,,b',
  ];
  socket.write(`GET /api/v1/namespaces?watch=true HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
  assert.match(await untilClosed(socket), /^HTTP\/1\.1 400 Bad Request/);
  const requests = '/debug/api_priority_and_fairness/dump_requests?includeRequestDetails=true';
  assert.doesNotMatch(await (await fetch(server.url + requests)).text(), /watch/);
});

test('a watch releases its seat once it has started', async (t) => {
  const server = await startServer();
  t.after(() => server.stop());
  const watch = await fetch(`${server.url}/api/v1/namespaces?watch=true`);
  const events = watch.body!.getReader();
  await events.read();
  const requests = '/debug/api_priority_and_fairness/dump_requests?includeRequestDetails=true';
  assert.doesNotMatch(await (await fetch(server.url + requests)).text(), /watch/);
  await events.cancel();
});
