import { execFile, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type { KeyPair } from '../../../src/pki/certificates.ts';
import { end, freePorts, type Undo } from '../../parity/servers.ts';

const run = promisify(execFile);

/** Kubernetes' sample-apiserver. */
const module = 'k8s.io/sample-apiserver';
const version = 'v0.33.3';

/** The path of a program on this machine; undefined if it has none. */
export function onPath(program: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, program)).find((file) => existsSync(file));
}

/** Builds the server, once for all runs on this machine, and returns its path. */
export async function buildSampleServer(go: string): Promise<string> {
  const folder = join(tmpdir(), `orch-sample-apiserver-${version}`);
  const program = join(folder, 'sample-apiserver');
  if (existsSync(program)) return program;
  console.log(`building ${module}@${version}, which takes minutes`);
  await run(go, ['install', `${module}@${version}`], {
    env: { ...process.env, GOBIN: folder, GOFLAGS: '-mod=mod' },
    maxBuffer: 64 * 1024 * 1024,
  });
  return program;
}

export async function startEtcd(program: string, undo: Undo): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'aggregated-etcd-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  const port = await freePorts(2);
  const [client, peer] = [port, port + 1].map((one) => `http://127.0.0.1:${one}`);
  const flags = {
    'data-dir': folder,
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `default=${peer}`,
  };
  const words = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
  const child = spawn(program, words, { stdio: 'ignore' });
  undo.unshift(() => end(child));
  return client!;
}

export interface SampleServer {
  readonly port: number;
  log(): string;
}

export interface SampleServerOptions {
  readonly program: string;
  readonly etcd: string;
  /** The kubeconfig with which it calls Orch. */
  readonly kubeconfig: string;
  readonly address: string;
  readonly serving: KeyPair;
}

export async function startSampleServer(terms: SampleServerOptions, undo: Undo): Promise<SampleServer> {
  const folder = await mkdtemp(join(tmpdir(), 'aggregated-server-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  const access = join(folder, 'kubeconfig');
  const certificate = join(folder, 'server.crt');
  const key = join(folder, 'server.key');
  await Promise.all([
    writeFile(access, terms.kubeconfig, { mode: 0o600 }),
    writeFile(certificate, terms.serving.certificate),
    writeFile(key, terms.serving.key, { mode: 0o600 }),
  ]);
  const port = await freePorts(1);
  const flags = {
    'etcd-servers': terms.etcd,
    'bind-address': terms.address,
    'secure-port': `${port}`,
    'tls-cert-file': certificate,
    'tls-private-key-file': key,
    kubeconfig: access,
    'authentication-kubeconfig': access,
    'authorization-kubeconfig': access,
  };
  const logFile = join(folder, 'log');
  const output = openSync(logFile, 'a');
  const words = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
  const child = spawn(terms.program, words, { stdio: ['ignore', output, output] });
  closeSync(output);
  undo.unshift(() => end(child));
  return { port, log: () => readFileSync(logFile, 'utf8') };
}
