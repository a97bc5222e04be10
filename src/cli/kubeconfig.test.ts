// Tests of written kubeconfigs.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { kubeconfig, writeKubeconfig } from './kubeconfig.ts';

test('kubeconfig has one cluster, one user and a current context', () => {
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

test('kubeconfig quotes a token with any characters', () => {
  const token = 'a: "b" # {c}';
  const config = parse(
    kubeconfig({ url: 'http://127.0.0.1:8080', caCertificate: undefined, credentials: { token } }),
  );
  assert.equal(config.users[0].user.token, token);
});

test('kubeconfig of an http URL skips TLS verification and has no CA', () => {
  const config = parse(
    kubeconfig({ url: 'http://127.0.0.1:8080', caCertificate: 'CA', credentials: undefined }),
  );
  assert.deepEqual(config.clusters[0].cluster, {
    server: 'http://127.0.0.1:8080',
    'insecure-skip-tls-verify': true,
  });
});

test('kubeconfig without credentials has an empty user', () => {
  const config = parse(
    kubeconfig({ url: 'http://127.0.0.1:8080', caCertificate: undefined, credentials: undefined }),
  );
  assert.deepEqual(config.users, [{ name: 'admin', user: {} }]);
});

test('kubeconfig of a server on all addresses has the loopback URL', () => {
  for (const [url, expected] of [
    ['https://0.0.0.0:6443', 'https://127.0.0.1:6443'],
    ['https://[::]:6443', 'https://[::1]:6443'],
    ['https://10.0.0.0:6443', 'https://10.0.0.0:6443'],
  ] as const) {
    const config = parse(kubeconfig({ url, caCertificate: undefined, credentials: undefined }));
    assert.equal(config.clusters[0].cluster.server, expected);
  }
});

test('writeKubeconfig replaces the file with mode 0600', () => {
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

test('writeKubeconfig does not write an unchanged file, but sets mode 0600', () => {
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

test('a failed writeKubeconfig names the file and removes the temporary file', () => {
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
