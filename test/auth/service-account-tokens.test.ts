import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { MovableClock } from '../../src/base/clock.ts';
import { defaultOptions } from '../../src/server/options.ts';
import type { RunningServer } from '../../src/server/server-parts.ts';
import { silentLogger } from '../../src/telemetry/log.ts';
import { runServer } from '../support/servers.ts';

let folder: string;
let server: RunningServer;
const clock = new MovableClock();
const accounts = '/api/v1/namespaces/default/serviceaccounts';

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orch-tokens-'));
  server = await start();
  await server.client.create({
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'builder', namespace: 'default' },
  });
});
after(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

const start = () =>
  runServer(
    { ...defaultOptions, httpPort: 0, securePort: undefined, dataDir: folder, certDir: join(folder, 'pki') },
    { clock, logger: silentLogger },
  );

async function ask(method: string, path: string, body?: unknown, token?: string) {
  const response = await fetch(server.url + path, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { code: response.status, body: (await response.json()) as { message: string; status: unknown } };
}

const newToken = async (spec: object = {}) => {
  const { code, body } = await ask('POST', `${accounts}/builder/token`, { spec });
  assert.equal(code, 201, JSON.stringify(body));
  return body as unknown as {
    spec: { audiences: string[]; expirationSeconds: number };
    status: { token: string };
  };
};
const review = async (token: string) => {
  const { body } = await ask('POST', '/apis/authentication.orch.io/v1/tokenreviews', { spec: { token } });
  return body.status as { authenticated?: boolean; user: { username?: string; groups?: string[] } };
};

test('a token has the claims of its service account', async () => {
  const { spec, status } = await newToken();
  assert.equal(spec.expirationSeconds, 3600);
  const { authenticated, user } = await review(status.token);
  assert.equal(authenticated, true);
  assert.equal(user.username, 'system:serviceaccount:default:builder');
  assert.deepEqual(user.groups, [
    'system:serviceaccounts',
    'system:serviceaccounts:default',
    'system:authenticated',
  ]);
});

test('a token lasts at least ten minutes', async () => {
  const { code, body } = await ask('POST', `${accounts}/builder/token`, { spec: { expirationSeconds: 599 } });
  assert.equal(code, 422);
  assert.match(body.message, /may not specify a duration less than 10 minutes/);
});

test('a modified token is rejected', async () => {
  const { status } = await newToken();
  const [header, payload, signature] = status.token.split('.') as [string, string, string];
  const forged = JSON.parse(Buffer.from(payload, 'base64url').toString());
  forged.sub = 'system:serviceaccount:default:other';
  const changed = Buffer.from(JSON.stringify(forged)).toString('base64url');
  for (const token of [
    `${header}.${changed}.${signature}`,
    `${header}.${payload}.`,
    `${header}.${payload}.AAAA`,
  ]) {
    assert.equal((await review(token)).authenticated, undefined);
  }
});

test('a token in another base64 notation is rejected', async () => {
  const { status } = await newToken();
  const parts = status.token.split('.') as [string, string, string];
  const signature = Buffer.from(parts[2], 'base64url');
  const standard = signature.toString('base64').replaceAll('=', '');
  for (const changed of [
    `${status.token}=`,
    `${status.token}==`,
    `${parts[0]}=.${parts[1]}.${parts[2]}`,
    `${parts[0]}.${parts[1]}.${signature.toString('base64')}`,
    ...(standard === parts[2] ? [] : [`${parts[0]}.${parts[1]}.${standard}`]),
    `${parts[0]}.${parts[1]}.${parts[2].slice(0, 4)}\n${parts[2].slice(4)}`,
  ]) {
    assert.notEqual((await review(changed)).authenticated, true, changed);
  }
  assert.equal((await review(status.token)).authenticated, true);
});

test('a token is valid until it expires, also after a restart', async () => {
  const { status } = await newToken({ expirationSeconds: 600 });
  await server.stop();
  server = await start();
  assert.equal((await review(status.token)).authenticated, true);
  clock.advance(661_000);
  assert.equal((await review(status.token)).authenticated, undefined);
});

test('a token for another audience is rejected', async () => {
  const { status } = await newToken({ audiences: ['vault'] });
  assert.equal((await review(status.token)).authenticated, undefined);
});

test('a token becomes invalid with its bound object and its service account', async () => {
  const secret = { apiVersion: 'v1', kind: 'Secret', name: 's', namespace: 'default' };
  await server.client.create({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's', namespace: 'default' },
  });
  const boundObjectRef = { kind: 'Secret', apiVersion: 'v1', name: 's' };
  const bound = await newToken({ boundObjectRef });
  const free = await newToken();
  assert.equal((await review(bound.status.token)).authenticated, true);
  await server.client.delete(secret);
  assert.equal((await review(bound.status.token)).authenticated, undefined);
  assert.equal((await ask('POST', `${accounts}/builder/token`, { spec: { boundObjectRef } })).code, 404);
  await server.client.delete({
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    name: 'builder',
    namespace: 'default',
  });
  assert.equal((await review(free.status.token)).authenticated, undefined);
});

test('OIDC discovery publishes the issuer and the keys', async () => {
  const { url } = server;
  const page = await fetch(`${url}/.well-known/openid-configuration`);
  assert.equal(page.headers.get('content-type'), 'application/json');
  assert.equal(page.headers.get('cache-control'), 'public, max-age=3600');
  assert.deepEqual(await page.json(), {
    issuer: 'https://orch.default.svc',
    jwks_uri: `${url}/openid/v1/jwks`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
  });
  const keys = await fetch(`${server.url}/openid/v1/jwks`);
  assert.equal(keys.headers.get('content-type'), 'application/jwk-set+json');
  const { keys: set } = (await keys.json()) as { keys: { kty: string; d?: string }[] };
  assert.deepEqual(
    set.map(({ kty, d }) => [kty, d]),
    [['EC', undefined]],
  );
});
