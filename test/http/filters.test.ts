import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notFound } from '../../src/errors/catalogue.ts';
import type { Exchange } from '../../src/transport/exchange.ts';
import { sendJsonBytes } from '../../src/transport/response.ts';
import { configMapPath, HttpFixture, object, objectLine } from '../support/http.ts';

const http = new HttpFixture({ maxRequestsInflight: 1, maxMutatingRequestsInflight: 1 });

const serveObject = (exchange: Exchange) => sendJsonBytes(exchange, 200, object, false);

test('a valid token is accepted', async () => {
  const { code, text, headers } = await http.ask(configMapPath);
  assert.equal(code, 200);
  assert.equal(text, objectLine);
  assert.equal(headers['cache-control'], 'no-cache, private');
  assert.equal(headers['content-type'], 'application/json');
  assert.match(String(headers['audit-id']), /^[0-9a-f-]{36}$/);
});

test('an unknown token is 401, on every path and on the plain port', async () => {
  for (const plain of [false, true]) {
    for (const path of [configMapPath, '/healthz']) {
      const { code, text, headers } = await http.ask(path, {
        plain,
        headers: { authorization: 'Bearer nope' },
      });
      assert.equal(code, 401);
      assert.deepEqual(JSON.parse(text), {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'Unauthorized',
        reason: 'Unauthorized',
        code: 401,
      });
      assert.equal(headers['x-content-type-options'], undefined);
    }
  }
});

test('a token with a space before it is ignored, with a warning', async () => {
  const { code, headers } = await http.ask('/api', { headers: { authorization: 'Bearer  admin-token' } });
  assert.equal(code, 403);
  assert.equal(
    headers.warning,
    '299 - "the provided Authorization header contains extra space before the bearer token, and is ignored"',
  );
});

test('a request without credentials is anonymous and 403', async () => {
  const { code, text, headers } = await http.ask(configMapPath, { token: undefined });
  assert.equal(code, 403);
  assert.equal(headers['x-content-type-options'], 'nosniff');
  const status = JSON.parse(text);
  assert.equal(
    status.message,
    'configmaps "a" is forbidden: User "system:anonymous" cannot get resource "configmaps" in API group "" in the namespace "default"',
  );
  assert.deepEqual(status.details, { name: 'a', kind: 'configmaps' });
});

test("403 messages for paths, subresources and cluster-wide requests are upstream's", async () => {
  const message = async (path: string, method = 'GET') =>
    JSON.parse((await http.ask(path, { token: 'alice-token', method })).text).message;
  assert.equal(await message('/nope'), 'forbidden: User "alice" cannot get path "/nope"');
  assert.equal(await message('/nope', 'POST'), 'forbidden: User "alice" cannot post path "/nope"');
  assert.equal(
    await message('/apis/apps/v1/namespaces/x/deployments/y/scale'),
    'deployments.apps "y" is forbidden: User "alice" cannot get resource "deployments/scale" in API group "apps" in the namespace "x"',
  );
  assert.equal(
    await message('/api/v1/configmaps', 'DELETE'),
    'configmaps is forbidden: User "alice" cannot deletecollection resource "configmaps" in API group "" at the cluster scope',
  );
});

test('a client certificate of the CA sets the user', async () => {
  const { admin } = http.pki;
  assert.equal((await http.ask(configMapPath, { token: undefined, cert: admin })).code, 200);
});

test('a client certificate of another CA is 401, unless the request has a valid token', async () => {
  const { createCA, issueClientCertificate } = await import('../../src/pki/issue.ts');
  const foreign = await issueClientCertificate(
    await createCA('other', Date.now()),
    'chief',
    ['system:masters'],
    Date.now(),
  );
  assert.equal((await http.ask(configMapPath, { token: undefined, cert: foreign })).code, 401);
  assert.equal((await http.ask(configMapPath, { cert: foreign })).code, 200);
});

test('on the plain port the caller is admin without credentials', async () => {
  assert.equal((await http.ask(configMapPath, { plain: true })).code, 200);
});

test('the plain port rejects cross-origin requests and other host names', async () => {
  const code = async (headers: Record<string, string>) =>
    (await http.ask(configMapPath, { plain: true, headers })).code;
  const port = http.plainPort;
  assert.equal(await code({ host: 'evil.example' }), 403);
  assert.equal(await code({ host: `evil.example:${port}` }), 403);
  assert.equal(await code({ host: '127.0.0.1' }), 403);
  assert.equal(await code({ host: `127.0.0.1.evil.example:${port}` }), 403);
  assert.equal(await code({ origin: 'https://evil.example' }), 403);
  assert.equal(await code({ origin: 'null' }), 403);
  assert.equal(await code({ 'sec-fetch-site': 'cross-site' }), 403);
  assert.equal(await code({ host: `localhost:${port}`, origin: `http://localhost:${port}` }), 200);
  assert.equal(await code({ host: `[::1]:${port}`, 'sec-fetch-site': 'same-origin' }), 200);
});

test('the plain port listens on loopback only', () => {
  assert.throws(() => http.server.listenPlain('0.0.0.0', 0), /loopback only/);
});

test('a request beyond the max-in-flight limit is 429 with Retry-After; system:masters and the other limit are not affected', async () => {
  const before = http.handle;
  const waiting: (() => void)[] = [];
  http.handle = (exchange) => new Promise((resolve) => waiting.push(() => resolve(serveObject(exchange))));
  const first = http.ask(configMapPath);
  while (waiting.length < 1) await new Promise(setImmediate);
  const refused = await http.ask(configMapPath, { token: 'alice-token' });
  assert.equal(refused.code, 429);
  assert.equal(refused.headers['retry-after'], '1');
  assert.equal(refused.text, 'Too many requests, please try again later.\n');
  const second = http.ask(configMapPath);
  while (waiting.length < 2) await new Promise(setImmediate);
  const writing = await http.ask(configMapPath, { token: 'alice-token', method: 'DELETE' });
  assert.equal(writing.code, 403);
  for (const go of waiting) go();
  assert.deepEqual([(await first).code, (await second).code], [200, 200]);
  http.handle = before;
});

test('a request that times out is 504, and its handler is aborted', async () => {
  const before = http.handle;
  let signal: AbortSignal | undefined;
  http.handle = (exchange) =>
    new Promise((_, reject) => {
      signal = exchange.signal;
      signal.addEventListener('abort', () => reject(signal?.reason));
    });
  const answer = http.ask(configMapPath);
  while (signal === undefined) await new Promise(setImmediate);
  http.clock.advance(59_000);
  assert.equal(signal.aborted, false);
  http.clock.advance(2_000);
  const { code, text, headers } = await answer;
  assert.equal(code, 504);
  assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
  assert.equal(
    text,
    '{"metadata":{},"status":"Failure","message":"Timeout: request did not complete within the allotted timeout","reason":"Timeout","details":{},"code":504}\n',
  );
  assert.equal(signal.aborted, true);
  http.handle = before;
});

test('a client may set a shorter timeout, and an invalid one is 400', async () => {
  const before = http.handle;
  http.handle = () => new Promise(() => {});
  const answer = http.ask(`${configMapPath}?timeout=5s`);
  while (http.server.filters.inFlight.current('readOnly') === 0) await new Promise(setImmediate);
  http.clock.advance(5_000);
  assert.equal((await answer).code, 504);
  http.handle = before;
  const message = async (timeout: string) =>
    JSON.parse((await http.ask(`${configMapPath}?timeout=${timeout}`)).text).message;
  const intro = 'invalid timeout specified in the request URL - time:';
  assert.equal(await message('foo'), `${intro} invalid duration "foo"`);
  assert.equal(await message('5'), `${intro} missing unit in duration "5"`);
  assert.equal(await message('5x'), `${intro} unknown unit "x" in duration "5x"`);
  assert.equal((await http.ask(`${configMapPath}?timeout=0`)).code, 200);
});

test('an internal error is a 500 Status without details', async () => {
  const before = http.handle;
  http.handle = async () => {
    throw new Error('the secret path /var/lib/x');
  };
  const { code, text } = await http.ask(configMapPath);
  assert.equal(code, 500);
  assert.equal(JSON.parse(text).reason, 'InternalError');
  assert.doesNotMatch(text, /secret/);
  http.handle = before;
});

test('an error from the catalogue is its Status', async () => {
  const before = http.handle;
  http.handle = async () => {
    throw notFound({ group: '', resource: 'configmaps' }, '<a>&');
  };
  const { code, text } = await http.ask(configMapPath);
  assert.equal(code, 404);
  assert.match(text, /\\u003ca\\u003e\\u0026/);
  http.handle = before;
});

test('a client may send its own Audit-Id', async () => {
  const { headers } = await http.ask(configMapPath, { headers: { 'audit-id': 'mine' } });
  assert.equal(headers['audit-id'], 'mine');
});
