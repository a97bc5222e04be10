import assert from 'node:assert/strict';
import { sign, X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { MovableClock } from '../../src/base/clock.ts';
import type { KeyPair } from '../../src/pki/certificates.ts';
import { createCA, issueClientCertificate } from '../../src/pki/issue.ts';
import { defaultOptions, type ServerOptions } from '../../src/server/options.ts';
import type { RunningServer } from '../../src/server/server-parts.ts';
import { silentLogger } from '../../src/telemetry/log.ts';
import { runServer } from '../support/servers.ts';
import { makeIntermediate } from '../support/unusual-certificates.ts';

interface UserInfo {
  username?: string;
  uid?: string;
  groups?: string[];
  extra?: Record<string, string[]>;
}

let folder: string;
let clients: KeyPair;
let proxies: KeyPair;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orch-authentication-'));
  clients = await createCA('clients', Date.now());
  proxies = await createCA('proxies', Date.now());
  await writeFile(join(folder, 'clients.crt'), clients.certificate);
  await writeFile(join(folder, 'proxies.crt'), proxies.certificate);
});
after(() => rm(folder, { recursive: true }));

interface TestedServer {
  running: RunningServer;
  readonly clock: MovableClock;
}

/** Runs a server with these options during the tests of a group. */
function serverWith(options: () => Partial<ServerOptions>): TestedServer {
  const clock = new MovableClock();
  const server = { clock } as TestedServer;
  before(async () => {
    server.running = await runServer(
      { ...defaultOptions, storage: 'memory', securePort: 0, certDir: join(folder, 'pki'), ...options() },
      { clock, logger: silentLogger },
    );
  });
  after(() => server.running.stop());
  return server;
}

/** The same certificate without subject and authority key identifiers, signed again. */
async function withoutKeyIds(pair: KeyPair, signer = pair): Promise<KeyPair> {
  const { AsnConvert } = await import('@peculiar/asn1-schema');
  const x509 = await import('@peculiar/asn1-x509');
  const { raw } = new X509Certificate(pair.certificate);
  const { tbsCertificate, signatureAlgorithm } = AsnConvert.parse(raw, x509.Certificate);
  const ids = [x509.id_ce_subjectKeyIdentifier, x509.id_ce_authorityKeyIdentifier];
  const kept = [...tbsCertificate.extensions!].filter(({ extnID }) => !ids.includes(extnID));
  tbsCertificate.extensions = new x509.Extensions(kept);
  const signature = sign('sha256', Buffer.from(AsnConvert.serialize(tbsCertificate)), signer.key);
  const signatureValue = new Uint8Array(signature).buffer;
  const der = AsnConvert.serialize(
    new x509.Certificate({ tbsCertificate, signatureAlgorithm, signatureValue }),
  );
  const certificate = new X509Certificate(Buffer.from(der)).toString();
  return { certificate, key: pair.key };
}

interface Asked {
  readonly shown?: KeyPair;
  readonly headers?: Record<string, string | string[]>;
  readonly agent?: https.Agent;
  readonly path?: string;
}

function ask(server: TestedServer, { shown, headers, agent, path }: Asked) {
  const target = path ?? '/apis/authentication.orch.io/v1/selfsubjectreviews';
  return new Promise<{ code: number; user: UserInfo | undefined }>((resolve, reject) => {
    const request = https.request(
      server.running.secureUrl + target,
      {
        method: path === undefined ? 'POST' : 'GET',
        headers: { 'content-type': 'application/json', ...headers },
        rejectUnauthorized: false,
        ...(agent ? { agent } : { agent: false as const }),
        ...(shown && { cert: shown.certificate, key: shown.key }),
      },
      async (response) => {
        let text = '';
        for await (const chunk of response) text += chunk;
        const user = text.startsWith('{') ? JSON.parse(text).status?.userInfo : undefined;
        resolve({ code: response.statusCode ?? 0, user });
      },
    );
    request.on('error', reject);
    request.end(path === undefined ? '{}' : undefined);
  });
}

describe('client certificates', () => {
  const server = serverWith(() => ({ clientCaFile: join(folder, 'clients.crt') }));

  test('set user and groups, and a credential id with their digest', async () => {
    const shown = await issueClientCertificate(clients, 'bob', ['dev', 'ops'], Date.now());
    const { user } = await ask(server, { shown });
    assert.equal(user?.username, 'bob');
    assert.deepEqual(user?.groups, ['dev', 'ops', 'system:authenticated']);
    assert.match(
      user?.extra?.['authentication.orch.io/credential-id']?.[0] ?? '',
      /^X509SHA256=[0-9a-f]{64}$/,
    );
  });

  test('of another CA are 401, on every path', async () => {
    const shown = await issueClientCertificate(proxies, 'bob', [], Date.now());
    assert.equal((await ask(server, { shown })).code, 401);
    assert.equal((await ask(server, { shown, path: '/version' })).code, 401);
  });

  test('are trusted by any certificate in the file: an intermediate CA, or their own', async () => {
    const strangers = await createCA('strangers', Date.now());
    const shown = await issueClientCertificate(strangers, 'carol', [], Date.now());
    const sibling = await issueClientCertificate(strangers, 'dave', [], Date.now());
    const department = await makeIntermediate(strangers, 'department');
    const colleague = await issueClientCertificate(department, 'erin', [], Date.now());
    const file = join(folder, 'carol.crt');
    await writeFile(file, [shown, clients, department].map(({ certificate }) => certificate).join('\n'));
    const clock = new MovableClock();
    const running = await runServer(
      {
        ...defaultOptions,
        storage: 'memory',
        securePort: 0,
        certDir: join(folder, 'trusting'),
        clientCaFile: file,
        requestheaderClientCaFile: join(folder, 'proxies.crt'),
      },
      { clock, logger: silentLogger },
    );
    try {
      const trusting = { running, clock };
      assert.equal((await ask(trusting, { shown })).user?.username, 'carol');
      assert.equal((await ask(trusting, { shown: colleague })).user?.username, 'erin');
      assert.equal((await ask(trusting, { shown: sibling })).code, 401);
    } finally {
      await running.stop();
    }
  });

  test('request headers are ignored without a configured proxy CA', async () => {
    const shown = await issueClientCertificate(clients, 'front', [], Date.now());
    const { user } = await ask(server, { shown, headers: { 'x-remote-user': 'carol' } });
    assert.equal(user?.username, 'front');
  });

  test('expire also on an open connection', async () => {
    const shown = await issueClientCertificate(clients, 'bob', [], Date.now());
    const agent = new https.Agent({
      keepAlive: true,
      maxSockets: 1,
      rejectUnauthorized: false,
      cert: shown.certificate,
      key: shown.key,
    });
    assert.equal((await ask(server, { agent })).code, 201);
    server.clock.advance(400 * 24 * 3600 * 1000);
    assert.equal((await ask(server, { agent })).code, 401);
    agent.destroy();
  });
});

describe('proxies', () => {
  const server = serverWith(() => ({
    clientCaFile: join(folder, 'clients.crt'),
    requestheaderClientCaFile: join(folder, 'proxies.crt'),
    requestheaderAllowedNames: ['front'],
    requestheaderUsernameHeaders: ['X-Remote-User', 'X-User'],
    requestheaderUidHeaders: ['X-Remote-Uid'],
    requestheaderGroupHeaders: ['X-Remote-Group'],
    requestheaderExtraHeadersPrefix: ['X-Remote-Extra-'],
  }));
  const carol = { 'x-remote-user': 'carol' };

  test('set the user by request headers', async () => {
    const shown = await issueClientCertificate(proxies, 'front', [], Date.now());
    const headers = {
      ...carol,
      'x-remote-group': ['a', 'b,c', ''],
      'X-REMOTE-UID': '7',
      'x-remote-extra-acme.com%2Fscope': ['view', 'edit'],
    };
    assert.deepEqual((await ask(server, { shown, headers })).user, {
      username: 'carol',
      uid: '7',
      groups: ['a', 'b,c', 'system:authenticated'],
      extra: { 'acme.com/scope': ['view', 'edit'] },
    });
    const other = await ask(server, { shown, headers: { 'x-remote-user': '', 'x-user': 'dave' } });
    assert.equal(other.user?.username, 'dave');
  });

  test('are not authenticated by their own certificate', async () => {
    const shown = await issueClientCertificate(proxies, 'front', [], Date.now());
    assert.equal((await ask(server, { shown })).code, 401);
  });

  test('must have an allowed common name', async () => {
    const shown = await issueClientCertificate(proxies, 'rogue', [], Date.now());
    assert.equal((await ask(server, { shown, headers: carol })).code, 401);
  });

  test('must be signed by the proxy CA: a client certificate with that name is only a client', async () => {
    const shown = await issueClientCertificate(clients, 'front', [], Date.now());
    assert.equal((await ask(server, { shown, headers: carol })).user?.username, 'front');
  });

  test('are not recognized by extra certificates in the chain of a client', async () => {
    // Two CAs of one name, which only their keys distinguish.
    const ofClients = await withoutKeyIds(await createCA('same', Date.now()));
    const ofProxies = await withoutKeyIds(await createCA('same', Date.now()));
    await writeFile(join(folder, 'same-clients.crt'), ofClients.certificate);
    await writeFile(join(folder, 'same-proxies.crt'), ofProxies.certificate);
    const options: ServerOptions = {
      ...defaultOptions,
      storage: 'memory',
      securePort: 0,
      certDir: join(folder, 'pki'),
      clientCaFile: join(folder, 'same-clients.crt'),
      requestheaderClientCaFile: join(folder, 'same-proxies.crt'),
      requestheaderUsernameHeaders: ['X-Remote-User'],
    };
    const running = await runServer(options, { logger: silentLogger });
    const bob = await withoutKeyIds(
      await issueClientCertificate(ofClients, 'bob', [], Date.now()),
      ofClients,
    );
    const shown = { ...bob, certificate: bob.certificate + ofProxies.certificate };
    const { user } = await ask({ running, clock: server.clock }, { shown, headers: carol });
    await running.stop();
    assert.equal(user?.username, 'bob');
  });

  test('request headers without a client certificate are ignored', async () => {
    assert.equal((await ask(server, { headers: carol })).code, 403);
  });

  test('are published in extension-apiserver-authentication', async () => {
    const { data } = await server.running.client.get({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      namespace: 'orch-system',
      name: 'extension-apiserver-authentication',
    });
    const said = data as Record<string, string>;
    const { 'client-ca-file': clientCa, 'requestheader-client-ca-file': proxyCa, ...rest } = said;
    assert.match(clientCa ?? '', /BEGIN CERTIFICATE/);
    // Beside them this server itself, which is a front proxy to extension API servers.
    assert.ok(proxyCa?.startsWith(proxies.certificate));
    assert.deepEqual(rest, {
      'requestheader-allowed-names': '["front","front-proxy-client"]',
      'requestheader-username-headers': '["X-Remote-User","X-User"]',
      'requestheader-uid-headers': '["X-Remote-Uid"]',
      'requestheader-group-headers': '["X-Remote-Group"]',
      'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
    });
  });
});

describe('no credentials', () => {
  const open = serverWith(() => ({}));
  const closed = serverWith(() => ({ anonymousAuth: false }));

  test('may read public paths', async () => {
    for (const path of ['/healthz', '/livez', '/readyz', '/version']) {
      assert.equal((await ask(open, { path })).code, 200, path);
    }
    for (const path of ['/api', '/metrics', '/api/v1/namespaces', '/openid/v1/jwks']) {
      assert.equal((await ask(open, { path })).code, 403, path);
    }
  });

  test('are 401 with --anonymous-auth=false', async () => {
    for (const path of ['/healthz', '/version', '/api/v1/namespaces', '/nope']) {
      assert.equal((await ask(closed, { path })).code, 401, path);
    }
  });
});
