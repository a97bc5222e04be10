// The servers of the load test: Orch, and a kube-apiserver with etcd and kube-controller-manager, with the same users.
import { execFile, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connectTo } from '../../parity/client.ts';
import { end, freePorts, startOrch, type Undo, untilReady } from '../../parity/servers.ts';
import type { Side } from '../attack.ts';
import { adminToken, tokenFile } from './users.ts';

/** A server under attack, and the processes whose memory counts. */
export interface Target {
  readonly url: string;
  readonly pids: readonly number[];
  /** The process whose main thread serves all requests, if there is one. */
  readonly servingPid?: number;
}

export async function startTarget(side: Side, kit: string | undefined, undo: Undo): Promise<Target> {
  const folder = await mkdtemp(join(tmpdir(), 'attack-load-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  const tokens = join(folder, 'tokens.csv');
  await writeFile(tokens, tokenFile());
  return side === 'orch' ? startOrchTarget(tokens, undo) : startReferenceTarget(kit!, folder, tokens, undo);
}

async function startOrchTarget(tokens: string, undo: Undo): Promise<Target> {
  const { url, pid } = await startOrch('lmdb', 'defaults', undo, {
    'token-auth-file': tokens,
    controllers: '*',
  });
  return { url: url.href, pids: [pid], servingPid: pid };
}

async function startReferenceTarget(
  kit: string,
  folder: string,
  tokens: string,
  undo: Undo,
): Promise<Target> {
  const programs = (await promisify(execFile)(join(kit, 'unpack'))).stdout.trim();
  const start = (program: string, flags: Record<string, string>) => {
    const words = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
    const child = spawn(join(programs, program), words, { stdio: 'ignore' });
    undo.push(() => end(child));
    return child;
  };
  const key = join(folder, 'tokens.key');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await writeFile(key, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const etcdPort = await freePorts(2);
  const etcdUrl = `http://127.0.0.1:${etcdPort}`;
  const peerUrl = `http://127.0.0.1:${etcdPort + 1}`;
  const etcd = start('etcd', {
    'data-dir': join(folder, 'etcd'),
    'listen-client-urls': etcdUrl,
    'advertise-client-urls': etcdUrl,
    'listen-peer-urls': peerUrl,
    'initial-advertise-peer-urls': peerUrl,
    'initial-cluster': `default=${peerUrl}`,
    // Large writes would fill the default quota of 2 GiB within the minute.
    'quota-backend-bytes': `${8 * 1024 ** 3}`,
  });
  const port = await freePorts(1);
  const url = `https://127.0.0.1:${port}`;
  const apiserver = start('kube-apiserver', {
    'etcd-servers': etcdUrl,
    'secure-port': `${port}`,
    'bind-address': '127.0.0.1',
    'cert-dir': join(folder, 'certificates'),
    'service-cluster-ip-range': '10.0.0.0/24',
    'authorization-mode': 'RBAC',
    'token-auth-file': tokens,
    'service-account-issuer': 'https://reference.local',
    'service-account-key-file': key,
    'service-account-signing-key-file': key,
  });
  const admin = connectTo(url, adminToken);
  await untilReady(admin, apiserver);
  admin.agent.destroy();
  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, JSON.stringify(kubeconfigOf(url)));
  start('kube-controller-manager', {
    kubeconfig,
    'leader-elect': 'false',
    'service-account-private-key-file': key,
    'secure-port': '0',
  });
  return { url, pids: [etcd.pid!, apiserver.pid!] };
}

const kubeconfigOf = (server: string) => ({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'target', cluster: { server, 'insecure-skip-tls-verify': true } }],
  users: [{ name: 'admin', user: { token: adminToken } }],
  contexts: [{ name: 'target', context: { cluster: 'target', user: 'admin' } }],
  'current-context': 'target',
});

/**
 * The anonymous memory of the processes in bytes: heaps, stacks and buffers. Not the pages of mapped files, such as a database,
 * which the kernel may drop at any time. A process that has ended counts nothing.
 */
export function anonymousMemory(pids: readonly number[]): number {
  return pids.map(anonymousMemoryOf).reduce((sum, bytes) => sum + bytes, 0);
}

function anonymousMemoryOf(pid: number): number {
  try {
    return Number(/RssAnon:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
