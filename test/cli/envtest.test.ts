// `orch envtest`: the folder of programs, started as envtest starts them.
import assert from 'node:assert/strict';
import { readFileSync, readlinkSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { freePort } from '../support/free-port.ts';
import { orch, Program } from '../support/program.ts';

const folder = await mkdtemp(join(tmpdir(), "orch-envtest-'quoted'-"));
const assets = join(folder, 'assets');
after(() => rm(folder, { recursive: true }));

/** The status of a request that trusts only the CA in a file. */
function statusOf(url: string, caFile: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(url, { ca: readFileSync(caFile) }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });
}

test('the folder has the programs that launchers start, and is printed for KUBEBUILDER_ASSETS', async () => {
  const path = join(folder, 'path');
  await mkdir(path);
  await writeFile(join(path, 'kubectl'), '#!/bin/sh\n', { mode: 0o755 });
  const { code, stdout, stderr } = await new Program(
    process.execPath,
    ['src/main.ts', 'envtest', '--out', assets],
    { env: { ...process.env, PATH: path } },
  ).ended();
  assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: `${assets}\n`, stderr: '' });
  assert.equal(readlinkSync(join(assets, 'kubectl')), join(path, 'kubectl'));
});

test('the folder runs the controllers that it was written for', async () => {
  const bare = join(folder, 'bare');
  const { code } = await orch('envtest', '--out', bare, '--controllers=-*').ended();
  assert.equal(code, 0);
  assert.match(
    readFileSync(join(bare, 'kube-apiserver'), 'utf8'),
    / 'kube-apiserver' '--controllers=-\*' "\$@"$/m,
  );
  assert.match(readFileSync(join(bare, 'etcd'), 'utf8'), / 'etcd' "\$@"$/m);
  const refused = await orch('envtest', '--out', bare, '--controllers=no-such').ended();
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /--controllers: "no-such" is not in the list of known controllers/);
});

test('launchers ask for flags and for the release', async () => {
  const help = await new Program(join(assets, 'kube-apiserver'), ['--help']).ended();
  assert.equal(help.code, 0);
  assert.doesNotMatch(help.stdout, /insecure-port/);
  const { stdout } = await new Program(join(assets, 'kube-apiserver'), ['--version']).ended();
  assert.match(stdout, /^Kubernetes v1\.33\./);
  assert.equal((await new Program(join(assets, 'etcd'), ['--version']).ended()).code, 0);
});

test('kube-apiserver is Orch, and creates the certificates that launchers look for', async () => {
  const port = await freePort();
  const certDir = join(folder, 'certificates');
  await mkdir(certDir);
  const server = new Program(join(assets, 'kube-apiserver'), [
    `--cert-dir=${certDir}`,
    `--secure-port=${port}`,
    '--bind-address',
    '127.0.0.1',
    '--etcd-servers=http://127.0.0.1:1',
    '--no-such-flag=1',
    '--allow-privileged=true',
  ]);
  await server.printed(/ready/);
  assert.equal(await statusOf(`https://127.0.0.1:${port}/healthz`, join(certDir, 'apiserver.crt')), 200);
  const { code, stderr } = await server.stop('SIGTERM');
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^orch: ignored flags of kube-apiserver that Orch does not have: --no-such-flag$/m);
});

/** The answer of etcd's health endpoint, once there is one. */
async function etcdHealth(url: string): Promise<unknown> {
  for (;;) {
    const response = await fetch(`${url}/health`).catch(() => undefined);
    if (response) return response.json();
  }
}

test('etcd answers health checks', async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  const etcd = new Program(join(assets, 'etcd'), ['--listen-client-urls', url, '--data-dir=/nowhere']);
  assert.deepEqual(await etcdHealth(url), { health: 'true' });
  assert.equal((await etcd.stop('SIGTERM')).code, 0);
});

test('kube-apiserver takes over the port of etcd, whose process stays until it is stopped', async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  const etcd = new Program(join(assets, 'etcd'), [`--listen-client-urls=${url}`]);
  await etcdHealth(url);
  const certDir = join(folder, 'handover');
  await mkdir(certDir);
  const server = new Program(join(assets, 'kube-apiserver'), [
    `--cert-dir=${certDir}`,
    `--secure-port=${await freePort()}`,
    '--bind-address=127.0.0.1',
    `--etcd-servers=${url}`,
  ]);
  await server.printed(/ready/);
  assert.deepEqual(await etcdHealth(url), { health: 'true' });
  assert.equal((await server.stop('SIGTERM')).code, 0);
  if ('execve' in process) {
    await assert.rejects(fetch(`${url}/health`));
    if (process.platform === 'linux')
      assert.match(readFileSync(`/proc/${etcd.child.pid}/cmdline`, 'utf8'), /^sh\0/);
  }
  assert.equal(etcd.child.exitCode, null);
  await etcd.stop('SIGTERM');
});

test('a folder that cannot be written is reported', async () => {
  const file = join(folder, 'file');
  await writeFile(file, '');
  const { code, stderr } = await orch('envtest', '--out', join(file, 'assets')).ended();
  assert.equal(code, 1);
  assert.match(stderr, /^orch: /);
});
