// Test of mutual TLS with etcd.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ensurePki } from '../../../pki/ensure-pki.ts';
import { findEtcd, type MutualTls, TestEtcd } from '../etcd.fixture.ts';
import { EtcdClient } from './etcd-client.ts';

const found = findEtcd();

test('etcd and the client authenticate each other', {
  skip: 'missing' in found && found.missing,
}, async () => {
  const dir = await mkdtemp(join(tmpdir(), 'orch-tls-'));
  const names = ['localhost', '127.0.0.1'];
  const who = { serverName: 'etcd', hostNames: names, admin: { user: 'orch', groups: [] }, now: Date.now() };
  const pki = await ensurePki({ dir: join(dir, 'pki'), ...who });
  const stranger = await ensurePki({ dir: join(dir, 'stranger'), ...who });
  const files = { ca: join(dir, 'ca.pem'), cert: join(dir, 'cert.pem'), key: join(dir, 'key.pem') };
  await writeFile(files.ca, pki.ca.certificate);
  await writeFile(files.cert, pki.serving.certificate);
  await writeFile(files.key, pki.serving.key);
  const ca = pki.ca.certificate;
  const guarded: MutualTls = {
    files,
    credentials: { ca, cert: pki.admin.certificate, key: pki.admin.key },
  };
  const etcd = await TestEtcd.start('program' in found ? found.program : '', guarded);
  const ask = async (credentials: MutualTls['credentials'], timeoutMs: number) => {
    const client = new EtcdClient({ servers: [etcd.url], credentials, timeoutMs });
    try {
      return (await client.range({ key: 'a' })).header.revision;
    } finally {
      client.close();
    }
  };
  try {
    assert.equal(await ask(guarded.credentials, 60_000), 1);
    // The server's own certificate may stand in for its CA.
    assert.equal(await ask({ ...guarded.credentials, ca: pki.serving.certificate }, 60_000), 1);
    const strange = { ...guarded.credentials, ca: stranger.ca.certificate };
    await assert.rejects(ask(strange, 1_000), /certificate/);
    await assert.rejects(ask({ ca }, 1_000), /etcd|certificate|127\.0\.0\.1/);
  } finally {
    await etcd.stop();
    await rm(dir, { recursive: true });
  }
});
