// Tests of written kubeconfigs.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { kubeconfig, writeKubeconfig } from './kubeconfig.ts';

test('kubeconfig names one cluster, one user and the context that is current', () => {
  const config = parse(
    kubeconfig({ url: 'https://127.0.0.1:6443', caCertificate: 'CA', credentials: { cert: 'C', key: 'K' } }),
  );
  assert.deepEqual(config, {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      { name: 'orch', cluster: { server: 'https://127.0.0.1:6443', 'certificate-authority-data': 'Q0E=' } },
    ],
    users: [{ name: 'admin', user: { 'client-certificate-data': 'Qw==', 'client-key-data': 'Sw==' } }],
    contexts: [{ name: 'orch', context: { cluster: 'orch', user: 'admin' } }],
    'current-context': 'orch',
  });
});

test('kubeconfig carries a token, whatever is in it', () => {
  const token = 'a: "b" # {c}';
  const config = parse(
    kubeconfig({ url: 'http://127.0.0.1:8080', caCertificate: undefined, credentials: { token } }),
  );
  assert.equal(config.users[0].user.token, token);
});

test('kubeconfig of a plain address skips verification and names no CA', () => {
  const config = parse(
    kubeconfig({ url: 'http://127.0.0.1:8080', caCertificate: 'CA', credentials: undefined }),
  );
  assert.deepEqual(config.clusters[0].cluster, {
    server: 'http://127.0.0.1:8080',
    'insecure-skip-tls-verify': true,
  });
});

test('kubeconfig without credentials has a user who proves nothing', () => {
  const config = parse(
    kubeconfig({ url: 'http://127.0.0.1:8080', caCertificate: undefined, credentials: undefined }),
  );
  assert.deepEqual(config.users, [{ name: 'admin', user: {} }]);
});

test('kubeconfig of a server on every address points to loopback', () => {
  for (const [url, expected] of [
    ['https://0.0.0.0:6443', 'https://127.0.0.1:6443'],
    ['https://[::]:6443', 'https://[::1]:6443'],
    ['https://10.0.0.0:6443', 'https://10.0.0.0:6443'],
  ] as const) {
    const config = parse(kubeconfig({ url, caCertificate: undefined, credentials: undefined }));
    assert.equal(config.clusters[0].cluster.server, expected);
  }
});

test('writeKubeconfig replaces the file and keeps it to its owner', () => {
  const folder = mkdtempSync(join(tmpdir(), 'orch-kubeconfig-'));
  try {
    const path = join(folder, 'kubeconfig');
    writeFileSync(path, 'old', { mode: 0o644 });
    writeKubeconfig(path, 'new');
    assert.equal(readFileSync(path, 'utf8'), 'new');
    assert.equal(statSync(path).mode & 0o777, 0o600);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('writeKubeconfig leaves a file that says the same, but keeps it to its owner', () => {
  const folder = mkdtempSync(join(tmpdir(), 'orch-kubeconfig-'));
  try {
    const path = join(folder, 'kubeconfig');
    writeFileSync(path, 'same', { mode: 0o644 });
    const { ino } = statSync(path);
    writeKubeconfig(path, 'same');
    assert.equal(statSync(path).ino, ino);
    assert.equal(statSync(path).mode & 0o777, 0o600);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('writeKubeconfig that fails names the file and leaves nothing behind', () => {
  const folder = mkdtempSync(join(tmpdir(), 'orch-kubeconfig-'));
  try {
    const path = join(folder, 'kubeconfig');
    mkdirSync(join(path, 'taken'), { recursive: true });
    assert.throws(() => writeKubeconfig(path, 'new'), { path });
    assert.deepEqual(readdirSync(folder), ['kubeconfig']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
