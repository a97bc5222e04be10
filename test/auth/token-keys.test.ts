import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { defaultOptions, type ServerOptions } from '../../src/server/options.ts';
import type { RunningServer } from '../../src/server/server-parts.ts';
import { createLogger } from '../../src/telemetry/log.ts';
import { runServer } from '../support/servers.ts';

const accounts = '/api/v1/namespaces/default/serviceaccounts';
const first = generateKeyPairSync('rsa', { modulusLength: 2048 });
const second = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const log: string[] = [];
let folder: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orch-token-keys-'));
  const files: [string, KeyObject, 'pkcs8' | 'spki'][] = [
    ['first.key', first.privateKey, 'pkcs8'],
    ['first.pub', first.publicKey, 'spki'],
    ['second.key', second.privateKey, 'pkcs8'],
  ];
  for (const [name, key, type] of files) {
    await writeFile(join(folder, name), key.export({ type: type as 'pkcs8', format: 'pem' }));
  }
});
after(() => rm(folder, { recursive: true }));

/** Successive servers on one data directory. */
async function withServer<T>(options: Partial<ServerOptions>, use: (server: RunningServer) => Promise<T>) {
  const destination = { write: (line: string) => void log.push(line) };
  const server = await runServer(
    {
      ...defaultOptions,
      dataDir: folder,
      certDir: join(folder, 'pki'),
      httpPort: 0,
      securePort: undefined,
      ...options,
    },
    { logger: createLogger({ verbosity: 10, destination }) },
  );
  try {
    return await use(server);
  } finally {
    await server.stop();
  }
}

interface Made {
  readonly spec: { readonly expirationSeconds: number };
  readonly status: { readonly token: string };
}

async function post(server: RunningServer, path: string, body: unknown, token?: string) {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  return {
    code: response.status,
    warning: response.headers.get('warning'),
    body: (await response.json()) as Made,
  };
}

test('a token stays valid while its key and issuer are still configured', async () => {
  const file = (name: string) => join(folder, name);
  const token: string = await withServer(
    { serviceAccountSigningKeyFile: file('first.key'), serviceAccountIssuer: ['https://old.example'] },
    async (server) => {
      await post(server, accounts, { metadata: { name: 'builder' } });
      const made = await post(server, `${accounts}/builder/token`, { spec: {} });
      return made.body.status.token;
    },
  );
  const isGood = (options: Partial<ServerOptions>) =>
    withServer({ serviceAccountSigningKeyFile: file('second.key'), ...options }, async (server) => {
      const { code } = await post(server, '/apis/authentication.orch.io/v1/selfsubjectreviews', {}, token);
      return code === 201;
    });
  const issuers = ['https://new.example', 'https://old.example'];
  assert.equal(
    await isGood({ serviceAccountIssuer: issuers, serviceAccountKeyFile: [file('first.pub')] }),
    true,
  );
  assert.equal(await isGood({ serviceAccountIssuer: issuers }), false);
  assert.equal(
    await isGood({
      serviceAccountIssuer: ['https://new.example'],
      serviceAccountKeyFile: [file('first.pub')],
    }),
    false,
  );
  assert.equal(
    await isGood({
      serviceAccountIssuer: issuers,
      serviceAccountKeyFile: [file('first.pub')],
      apiAudiences: ['vault'],
    }),
    false,
  );
  assert.equal(
    log.some((line) => line.includes(token) || line.includes(token.split('.')[2]!)),
    false,
  );
});

test('--service-account-max-token-expiration limits the expiration', async () => {
  const terms = { serviceAccountMaxTokenExpiration: 7_200_000, serviceAccountExtendTokenExpiration: false };
  await withServer(terms, async (server) => {
    await post(server, accounts, { metadata: { name: 'clerk' } });
    const made = await post(server, `${accounts}/clerk/token`, { spec: { expirationSeconds: 10_000 } });
    assert.equal(made.body.spec.expirationSeconds, 7200);
    assert.match(made.warning ?? '', /requested expiration of 10000 seconds shortened to 7200 seconds/);
  });
});

test('--service-account-jwks-uri overrides the JWKS URI', async () => {
  await withServer({ serviceAccountJwksUri: 'https://keys.example/jwks' }, async (server) => {
    const page = await fetch(`${server.url}/.well-known/openid-configuration`);
    assert.equal(((await page.json()) as { jwks_uri: string }).jwks_uri, 'https://keys.example/jwks');
  });
  await withServer({ serviceAccountIssuer: ['here'] }, async (server) => {
    assert.equal((await fetch(`${server.url}/.well-known/openid-configuration`)).status, 404);
  });
});
