import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { requestOver } from '../hardening/real-server.ts';
import {
  AggregatingServer,
  type Backend,
  type ProxiedRequest,
  serviceOf,
  startBackend,
} from '../support/aggregated-server.ts';
import { untilClosed } from '../support/http.ts';

const folder = mkdtempSync(join(tmpdir(), 'orch-proxied-'));
const tokenAuthFile = join(folder, 'tokens.csv');
writeFileSync(
  tokenAuthFile,
  'admin-token,admin,admin-uid,"system:masters,crew"\nalice-token,alice,alice-uid\n',
);

let api: AggregatingServer;
let backend: Backend;
before(async () => {
  [api, backend] = await Promise.all([AggregatingServer.start({ tokenAuthFile }), startBackend()]);
  await api.addService('backend', backend.port);
  await api.until(await api.addApiService('things.example.com', spec()), 'Passed');
});
after(async () => {
  await Promise.all([api.close(), backend.stop()]);
  rmSync(folder, { recursive: true });
});

const spec = () => ({ ...serviceOf(backend.port), caBundle: backend.caBundle });
const root = '/apis/things.example.com/v1';
const things = `${root}/namespaces/default/things`;

const echo = async (headers: Record<string, string | string[]> = {}, path = `${root}/echo`) => {
  const { code, text } = await api.ask(path, { headers });
  assert.equal(code, 200, text);
  return JSON.parse(text) as ProxiedRequest & { body: string };
};

test('objects are created, read, listed and deleted on the extension API server', async () => {
  const object = { apiVersion: 'things.example.com/v1', kind: 'Thing', metadata: { name: 'one' } };
  assert.equal((await api.call('POST', things, object)).code, 201);
  assert.equal((await api.call('GET', `${things}/one`)).code, 200);
  const { body } = await api.call<{ items: unknown[] }>('GET', things);
  assert.equal(body.items.length, 1);
  assert.equal((await api.call('DELETE', `${things}/one`)).code, 200);
  assert.equal((await api.call('GET', `${things}/one`)).code, 404);
});

test('a watch streams each event, and ends on both sides when the client disconnects', async () => {
  const request = https.get({
    host: '127.0.0.1',
    port: api.securePort,
    ca: api.ca,
    path: `${things}?watch=true`,
    headers: { authorization: 'Bearer admin-token' },
  });
  const [response] = (await once(request, 'response')) as [import('node:http').IncomingMessage];
  response.setEncoding('utf8');
  for (const name of ['first', 'second']) {
    const next = once(response, 'data');
    await api.call('POST', things, { metadata: { name } });
    const [line] = (await next) as [string];
    const event = JSON.parse(line) as { type: string; object: { metadata: { name: string } } };
    assert.deepEqual([event.type, event.object.metadata.name], ['ADDED', name]);
  }
  request.destroy();
  for (const name of ['first', 'second']) await api.call('DELETE', `${things}/${name}`);
});

test('the proxied request has the identity of the user, a client certificate, and no credentials of the user', async () => {
  const seen = await echo({
    'X-Remote-User': 'eve',
    'X-Remote-Extra-a': 'b',
    'X-Forwarded-For': '192.0.2.9',
    'X-Forwarded-Proto': 'gopher',
    'Audit-ID': 'mine',
    'X-Other': 'stays',
  });
  assert.equal(seen.client, 'front-proxy-client');
  const { headers } = seen;
  assert.equal(headers['x-remote-user'], 'admin');
  assert.equal(headers['x-remote-uid'], 'admin-uid');
  assert.deepEqual(seen.groups, ['system:masters', 'crew', 'system:authenticated']);
  assert.equal(headers['x-remote-extra-a'], undefined);
  assert.equal(headers.authorization, undefined);
  assert.equal(headers['x-forwarded-for'], '192.0.2.9, 127.0.0.1');
  assert.equal(headers['x-forwarded-proto'], 'https');
  assert.equal(headers['x-forwarded-uri'], `${root}/echo`);
  assert.equal(headers['x-forwarded-host'], headers.host);
  assert.equal(headers['audit-id'], 'mine');
  assert.equal(headers['x-other'], 'stays');
});

test('the proxied request has the impersonated user', async () => {
  const seen = await echo({
    'Impersonate-User': 'bob',
    'Impersonate-Uid': '7',
    'Impersonate-Group': ['system:masters', 'räte'],
    'Impersonate-Extra-scopes%2fa': ['x', 'y'],
  });
  assert.equal(seen.headers['x-remote-user'], 'bob');
  assert.equal(seen.headers['x-remote-uid'], '7');
  assert.equal(Buffer.from(seen.groups[1]!, 'latin1').toString(), Buffer.from('räte', 'latin1').toString());
  assert.equal(seen.headers['x-remote-extra-scopes%2fa'], 'x, y');
  assert.equal(seen.headers['impersonate-user'], undefined);
});

test('path and query are proxied unchanged, and a path that leaves the group version is 404', async () => {
  const seen = await echo({}, `${root}/a%20b/echo?x=1%2F2&y`);
  assert.equal(seen.url, `${root}/a%20b/echo?x=1%2F2&y`);
  await backend.seen();
  for (const path of [`${root}/%2e%2e/%2e%2e/apps/v1/echo`, `${root}/./echo`]) {
    assert.equal((await api.ask(path)).code, 404);
  }
  assert.deepEqual(await backend.seen(), []);
});

test('an unauthorized request is not proxied', async () => {
  await backend.seen();
  const { code, text } = await api.ask(things, { token: 'alice-token' });
  assert.equal(code, 403);
  assert.match(
    text,
    /User \\"alice\\" cannot list resource \\"things\\" in API group \\"things.example.com\\"/,
  );
  assert.equal((await api.ask(things, { token: 'wrong' })).code, 401);
  assert.deepEqual(await backend.seen(), []);
  // Every authenticated user may read discovery.
  assert.equal((await api.ask(root, { token: 'alice-token' })).code, 200);
});

test('a redirect is neither followed nor proxied', async () => {
  const { code, text } = await api.ask(`${root}/redirect`);
  assert.equal(code, 502);
  assert.equal(text, 'the backend attempted to redirect this request, which is not permitted');
});

test('a broken connection is 503', async () => {
  const { code, text } = await api.ask(`${root}/cut`);
  assert.equal(code, 503);
  assert.equal(text, 'error trying to reach service: EOF\n');
});

test('headers that both servers set are sent once', async () => {
  const { headers } = await api.ask(`${root}/twice`, { headers: { 'audit-id': 'mine' } });
  assert.equal(headers['audit-id'], 'mine');
  assert.equal(headers['cache-control'], 'public');
  assert.equal(headers['x-own'], 'yes');
});

test('a certificate for another host is rejected', async () => {
  await api.call('POST', '/api/v1/namespaces/behind/services', {
    metadata: { name: 'liar' },
    spec: { type: 'NodePort', clusterIP: '127.77.3.10', ports: [{ port: backend.misnamedPort }] },
  });
  const relay = await startBackend('127.77.3.10');
  try {
    await api.call('PATCH', '/api/v1/namespaces/behind/services/liar', {
      spec: { ports: [{ port: relay.misnamedPort }] },
    });
    const trusting = { ...serviceOf(relay.misnamedPort, 'liar'), caBundle: relay.caBundle };
    await api.until(await api.addApiService('liar.example.com', trusting), 'Passed');
    const lied = await api.ask('/apis/liar.example.com/v1/echo');
    assert.equal(lied.code, 503);
    assert.match(lied.text, /x509: certificate is valid for other.example.com, not liar.behind.svc\n$/);

    const stranger = { ...serviceOf(relay.misnamedPort, 'liar'), caBundle: backend.caBundle };
    await api.until(await api.addApiService('stranger.example.com', stranger), 'Passed');
    assert.match(
      (await api.ask('/apis/stranger.example.com/v1/echo')).text,
      /x509: certificate signed by unknown authority\n$/,
    );
    const unknown = serviceOf(relay.misnamedPort, 'liar');
    await api.until(await api.addApiService('unknown.example.com', unknown), 'Passed');
    assert.match(
      (await api.ask('/apis/unknown.example.com/v1/echo')).text,
      /x509: certificate signed by unknown authority\n$/,
    );
    const junk = { ...unknown, caBundle: Buffer.from('junk').toString('base64') };
    await api.until(await api.addApiService('junk.example.com', junk), 'Passed');
    const mistaken = await api.ask('/apis/junk.example.com/v1/echo');
    assert.equal(mistaken.code, 500);
    assert.equal(mistaken.text, 'unable to load root certificates: unable to parse bytes as PEM block\n');
    const careless = { ...unknown, insecureSkipTLSVerify: true };
    await api.until(await api.addApiService('careless.example.com', careless), 'Passed');
    assert.equal((await api.ask('/apis/careless.example.com/v1/echo')).code, 200);
    // No other server received the identity of the user.
    const told = (await relay.seen()).map(({ url }) => url);
    assert.deepEqual(told, ['/apis/careless.example.com/v1/echo']);
  } finally {
    await relay.stop();
  }
});

test('a proxied request that times out is 504 and delays no other', async () => {
  const slow = api.ask(`${root}/hang?timeout=2s`);
  const first = await Promise.race([slow, api.ask(`${root}/echo`)]);
  assert.equal(first.code, 200);
  const { code, text } = await slow;
  assert.equal(code, 504);
  assert.match(text, /request did not complete within the allotted timeout/);
});

test('a request body is proxied with backpressure', async () => {
  const request = https.request({
    host: '127.0.0.1',
    port: api.securePort,
    ca: api.ca,
    path: `${root}/deaf`,
    method: 'POST',
    headers: { authorization: 'Bearer admin-token' },
  });
  request.on('error', () => {});
  const chunk = Buffer.alloc(1024 * 1024);
  let sent = 0;
  for (let isHeldBack = false; !isHeldBack && sent < 200; sent++) {
    if (request.write(chunk)) continue;
    const drained = once(request, 'drain').then(() => false);
    isHeldBack = await Promise.race([
      drained,
      new Promise<boolean>((resolve) => setTimeout(() => resolve(true), 1_000)),
    ]);
  }
  request.destroy();
  assert.ok(sent < 100, `${sent} MB were taken`);
});

const upgrading = async (path: string, protocol = 'websocket', token = 'admin-token') => {
  const socket = await api.raw();
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: api\r\nAuthorization: Bearer ${token}\r\n` +
      `Connection: Upgrade\r\nUpgrade: ${protocol}\r\nX-Remote-User: eve\r\n\r\n`,
  );
  return socket;
};

for (const protocol of ['websocket', 'SPDY/3.1']) {
  test(`a ${protocol} upgrade is proxied once the server accepts it`, async () => {
    await backend.seen();
    const socket = await upgrading(`${root}/namespaces/default/things/a/talk`, protocol);
    const [head] = (await once(socket, 'data')) as [Buffer];
    assert.match(head.toString(), /^HTTP\/1.1 101 Switching Protocols\r\n/);
    socket.write('hello');
    const [said] = (await once(socket, 'data')) as [Buffer];
    assert.equal(said.toString(), 'HELLO');
    const [seen] = await backend.seen();
    assert.equal(seen?.headers['x-remote-user'], 'admin');
    assert.equal(seen.headers.authorization, undefined);
    socket.destroy();
  });
}

test('an unauthorized upgrade is not proxied', async () => {
  await backend.seen();
  const socket = await upgrading(`${root}/things/a/talk`, 'websocket', 'alice-token');
  assert.match(await untilClosed(socket), /^HTTP\/1.1 403 Forbidden\r\n/);
  assert.deepEqual(await backend.seen(), []);
});

test('a rejected upgrade closes the connection', async () => {
  const responses = {
    refuses: /^HTTP\/1.1 403 Forbidden\r\n[\s\S]*\r\n\r\nno\n$/,
    stays: /^HTTP\/1.1 503 Service Unavailable\r\n[\s\S]*invalid upgrade response: status code 200\n$/,
    redirects: /^HTTP\/1.1 503 Service Unavailable\r\n[\s\S]*invalid upgrade response: status code 302\n$/,
  };
  for (const [how, expected] of Object.entries(responses)) {
    await backend.seen();
    const socket = await upgrading(`${root}/${how}`);
    // As a client that assumes that the upgrade succeeded.
    socket.write(
      'GET /apis/things.example.com/v1/smuggled HTTP/1.1\r\nHost: backend\r\nX-Remote-User: root\r\n\r\n',
    );
    assert.match(await untilClosed(socket), expected);
    const seen = await backend.seen();
    assert.deepEqual(
      seen.map(({ url }) => url),
      [`${root}/${how}`],
    );
  }
});

for (const [protocol, text] of [
  ['x', 'backend tried to switch protocol "x" when "" was requested\n'],
  ['ä"', 'backend tried to switch to invalid protocol "ä\\""\n'],
  ['', 'internal error: 101 switching protocols response with non-writable body\n'],
] as const) {
  test(`a server that switches to ${JSON.stringify(protocol)} unasked is 503`, async () => {
    const path = `${root}/switches?to=${encodeURIComponent(protocol)}`;
    const response = await api.ask(path);
    assert.deepEqual([response.code, response.text], [503, text]);
    assert.equal(response.headers['content-type'], 'text/plain; charset=utf-8');
    const session = connectHttp2(`https://127.0.0.1:${api.securePort}`, { ca: api.ca });
    try {
      assert.deepEqual(await requestOver(session, { ':path': path }), { code: 503, text });
    } finally {
      session.destroy();
    }
  });
}

test('the CA of the proxy client certificate is published in extension-apiserver-authentication', async () => {
  const { body } = await api.call<{ data: Record<string, string> }>(
    'GET',
    '/api/v1/namespaces/orch-system/configmaps/extension-apiserver-authentication',
  );
  assert.equal(body.data['requestheader-allowed-names'], '["front-proxy-client"]');
  assert.equal(body.data['requestheader-username-headers'], '["X-Remote-User"]');
  assert.equal(body.data['requestheader-uid-headers'], '["X-Remote-Uid"]');
  assert.equal(body.data['requestheader-group-headers'], '["X-Remote-Group"]');
  assert.equal(body.data['requestheader-extra-headers-prefix'], '["X-Remote-Extra-"]');
  assert.match(body.data['requestheader-client-ca-file'] ?? '', /^-----BEGIN CERTIFICATE-----/);
  assert.notEqual(body.data['requestheader-client-ca-file'], body.data['client-ca-file']);
});
