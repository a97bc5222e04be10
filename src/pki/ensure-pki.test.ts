import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { connect, createServer } from 'node:tls';
import { ensurePki, type PkiRequest } from './ensure-pki.ts';
import { readServingFiles } from './serving-files.ts';

const now = Date.now();
const year = 365 * 24 * 60 * 60 * 1000;
let root = '';
let dir = '';
let request: PkiRequest;

before(async () => {
  root = await mkdtemp(join(tmpdir(), 'orch-pki-'));
  dir = join(root, 'pki');
  request = {
    dir,
    serverName: 'orch-apiserver',
    hostNames: ['localhost', '127.0.0.1', '::1', 'orch.default.svc'],
    admin: { user: 'orch-admin', groups: ['system:masters'] },
    now,
  };
});

after(() => rm(root, { recursive: true }));

test('the serving certificate and the admin certificate verify against the CA', async () => {
  const { ca, serving, admin } = await ensurePki(request);
  const server = createServer({
    cert: serving.certificate,
    key: serving.key,
    ca: ca.certificate,
    requestCert: true,
    rejectUnauthorized: true,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(address && typeof address === 'object');
  const accepted = once(server, 'secureConnection');
  const client = connect({
    port: address.port,
    host: '127.0.0.1',
    servername: 'localhost',
    ca: ca.certificate,
    cert: admin.certificate,
    key: admin.key,
  });
  await once(client, 'secureConnect');
  const [socket] = await accepted;
  const { subject } = socket.getPeerCertificate();
  assert.deepEqual({ ...subject }, { O: 'system:masters', CN: 'orch-admin' });
  client.destroy();
  server.close();
});

test('ensurePki reuses valid certificates', async () => {
  assert.deepEqual(await ensurePki(request), await ensurePki(request));
});

test('certificates without a directory stay in memory', async () => {
  const { ca, serving } = await ensurePki({ ...request, dir: undefined });
  assert.equal(
    new X509Certificate(serving.certificate).verify(new X509Certificate(ca.certificate).publicKey),
    true,
  );
});

test('only the owner can read private keys', async () => {
  await ensurePki(request);
  for (const name of ['ca', 'server', 'admin']) {
    assert.equal((await stat(join(dir, `${name}.key`))).mode & 0o777, 0o600);
  }
});

test('a new host name causes a new serving certificate of the same CA', async () => {
  const first = await ensurePki(request);
  const second = await ensurePki({ ...request, hostNames: [...request.hostNames, '10.0.0.1'] });
  assert.deepEqual(second.ca, first.ca);
  assert.deepEqual(second.admin, first.admin);
  assert.equal(new X509Certificate(second.serving.certificate).checkIP('10.0.0.1'), '10.0.0.1');
});

test('certificates that expire soon are renewed', async () => {
  const first = await ensurePki(request);
  const later = await ensurePki({ ...request, now: now + year - 1000 });
  assert.equal(later.ca.certificate, first.ca.certificate);
  assert.notEqual(later.serving.certificate, first.serving.certificate);
  assert.notEqual(later.admin.certificate, first.admin.certificate);
  const muchLater = await ensurePki({ ...request, now: now + 10 * year });
  assert.notEqual(muchLater.ca.certificate, first.ca.certificate);
  await rm(dir, { recursive: true });
});

test('a certificate whose key does not match is replaced', async () => {
  const first = await ensurePki(request);
  await writeFile(join(dir, 'server.key'), first.admin.key);
  const second = await ensurePki(request);
  assert.notEqual(second.serving.key, first.admin.key);
  assert.equal(await readFile(join(dir, 'server.key'), 'utf8'), second.serving.key);
});

test('readServingFiles rejects a key that does not match the certificate', async () => {
  await ensurePki(request);
  const path = (name: string) => join(dir, name);
  await assert.rejects(readServingFiles(path('server.crt'), path('admin.key')), {
    message: `${path('admin.key')} is not the private key of ${path('server.crt')}`,
  });
  await assert.rejects(readServingFiles(path('none.crt'), path('admin.key')), /cannot read .*none\.crt/);
});
