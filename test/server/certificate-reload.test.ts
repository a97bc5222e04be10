// Certificates are reloaded while the server runs: replaced files, and own certificates that are due for renewal.
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { MovableClock } from '../../src/base/clock.ts';
import type { KeyPair } from '../../src/pki/certificates.ts';
import { createCA, issueClientCertificate, issueServingCertificate } from '../../src/pki/issue.ts';
import { defaultOptions, type ServerOptions } from '../../src/server/options.ts';
import { runServer } from '../../src/server/server.ts';
import type { AdminCredentials, RunningServer } from '../../src/server/server-parts.ts';
import { silentLogger } from '../../src/telemetry/log.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const folder = mkdtempSync(join(tmpdir(), 'orch-reload-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const pathOf = (name: string) => join(folder, name);

function writePair(name: string, { certificate, key }: KeyPair): void {
  writeFileSync(pathOf(`${name}.key`), key);
  writeFileSync(pathOf(`${name}.crt`), certificate);
}

const servingPair = async (name: string) =>
  issueServingCertificate(await createCA('test-ca', Date.now()), { name, hostNames: [name] }, Date.now());

class Subject {
  readonly clock = new MovableClock();
  renewed: AdminCredentials | undefined;
  server!: RunningServer;

  static async start(options: Partial<ServerOptions>): Promise<Subject> {
    const started = new Subject();
    started.server = await runServer(
      { ...defaultOptions, storage: 'memory', httpPort: undefined, securePort: 0, ...options },
      {
        clock: started.clock,
        logger: silentLogger,
        onAdminRenewed: (credentials) => {
          started.renewed = credentials;
        },
      },
    );
    return started;
  }

  get #port(): number {
    return Number(new URL(this.server.secureUrl!).port);
  }

  /** The common name and the fingerprint of the serving certificate. */
  async serving(): Promise<{ name: string; fingerprint: string }> {
    const socket = connect({ port: this.#port, host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const { subject, fingerprint256: fingerprint } = socket.getPeerCertificate();
    socket.destroy();
    return { name: String(subject.CN), fingerprint };
  }

  /** The status code of a request with this client certificate, on a new connection. */
  async statusFor({ cert, key }: AdminCredentials): Promise<number> {
    const sent = request({
      ...{ port: this.#port, host: '127.0.0.1', path: '/api/v1/namespaces', agent: false },
      ...{ rejectUnauthorized: false, cert, key },
    });
    sent.end();
    const [response] = await once(sent, 'response');
    response.resume();
    return response.statusCode;
  }

  /** Lets a minute pass until the condition holds: reading files takes real time. */
  async until(what: string, condition: () => Promise<boolean>): Promise<void> {
    for (let attempt = 0; attempt < 200; attempt++) {
      this.clock.advance(minuteMs);
      await sleep(20);
      if (await condition()) return;
    }
    assert.fail(`it never came that ${what}`);
  }
}

test('a serving certificate that is replaced is used for new connections', async () => {
  writePair('serving', await servingPair('first'));
  const files = { tlsCertFile: pathOf('serving.crt'), tlsPrivateKeyFile: pathOf('serving.key') };
  const subject = await Subject.start({ ...files, certDir: pathOf('replaced') });
  try {
    assert.equal((await subject.serving()).name, 'first');
    // A key without its certificate: the server goes on with the previous pair.
    const next = await servingPair('second');
    writeFileSync(pathOf('serving.key'), next.key);
    subject.clock.advance(minuteMs);
    await sleep(100);
    assert.equal((await subject.serving()).name, 'first');
    writeFileSync(pathOf('serving.crt'), next.certificate);
    await subject.until('the second is served', async () => (await subject.serving()).name === 'second');
  } finally {
    await subject.server.stop();
  }
});

test('a CA that is added to the client CAs is trusted, one that is removed is not', async () => {
  const cas = [await createCA('ca-0', Date.now()), await createCA('ca-1', Date.now())] as const;
  const clients = await Promise.all(
    cas.map(async (ca) => {
      const { certificate: cert, key } = await issueClientCertificate(
        ca,
        'u',
        ['system:masters'],
        Date.now(),
      );
      return { cert, key };
    }),
  );
  writeFileSync(pathOf('clients.crt'), cas[0].certificate);
  const subject = await Subject.start({ clientCaFile: pathOf('clients.crt'), certDir: pathOf('clients') });
  try {
    assert.deepEqual(await Promise.all(clients.map((client) => subject.statusFor(client))), [200, 401]);
    writeFileSync(pathOf('clients.crt'), cas[1].certificate);
    await subject.until(
      'the other CA is trusted',
      async () => (await subject.statusFor(clients[1]!)) === 200,
    );
    assert.equal(await subject.statusFor(clients[0]!), 401);
  } finally {
    await subject.server.stop();
  }
});

test('certificates that the server issued are renewed 30 days before they expire', async () => {
  const certDir = pathOf('renewed');
  await (await Subject.start({ certDir })).server.stop();
  // As if the server had issued them 334 days ago.
  const ca = {
    certificate: readFileSync(join(certDir, 'ca.crt'), 'utf8'),
    key: readFileSync(join(certDir, 'ca.key'), 'utf8'),
  };
  const issuedAt = Date.now() - 334.9 * dayMs;
  const hostNames = new X509Certificate(readFileSync(join(certDir, 'server.crt')))
    .subjectAltName!.split(', ')
    .map((name) => name.replace(/^(DNS|IP Address):/, ''));
  writePair('renewed/server', await issueServingCertificate(ca, { name: 'old', hostNames }, issuedAt));
  writePair('renewed/admin', await issueClientCertificate(ca, 'admin', ['system:masters'], issuedAt));
  const subject = await Subject.start({ certDir });
  try {
    assert.equal((await subject.serving()).name, 'old');
    const { adminCredentials, caCertificate } = subject.server;
    subject.clock.advance(0.2 * dayMs);
    await subject.until('another is served', async () => (await subject.serving()).name !== 'old');
    assert.ok(subject.renewed);
    assert.notEqual(subject.renewed.cert, adminCredentials!.cert);
    assert.equal(readFileSync(join(certDir, 'admin.crt'), 'utf8'), subject.renewed.cert);
    // Clients have the CA in their kubeconfigs.
    assert.equal(readFileSync(join(certDir, 'ca.crt'), 'utf8'), caCertificate);
  } finally {
    await subject.server.stop();
  }
});

test('certificates in memory stay while they are valid', async () => {
  const subject = await Subject.start({ certDir: undefined });
  try {
    const { fingerprint } = await subject.serving();
    subject.clock.advance(minuteMs);
    await sleep(100);
    assert.equal((await subject.serving()).fingerprint, fingerprint);
  } finally {
    await subject.server.stop();
  }
});
