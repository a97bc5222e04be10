import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createCA } from '../../src/pki/issue.ts';
import { type Authority, connectTo, exchange, type Server } from './client.ts';

const repository = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);

/** Cleanups, which always run: a starter registers them before it starts anything. */
export type Undo = (() => Promise<void>)[];

/** The folder with the reference's `up` and `down`; undefined if this machine has none. */
export function referenceKit(): string | undefined {
  const folder = process.env.ORCH_REFERENCE ?? join(repository, '..', 'shared', 'reference');
  return existsSync(join(folder, 'up')) ? folder : undefined;
}

/** Whether both sides serve every API version and feature, or the defaults of a release. */
export type Serving = 'everything' | 'defaults';

/** A server that the run started, and its files for other components of a control plane. */
export interface StartedServer extends Server {
  /** The CA of its serving certificate. */
  readonly authority: string;
  readonly clientAuthority: Authority;
  readonly tokenKey: string;
}

/** A reference that the run started, and its etcd. */
export interface StartedReference extends StartedServer {
  readonly etcd: string;
}

export async function startReference(kit: string, serving: Serving, undo: Undo): Promise<StartedReference> {
  const folder = await mkdtemp(join(tmpdir(), 'parity-reference-'));
  const etcdPort = await freePorts(2);
  const port = await freePorts(1);
  const words = ['--dir', folder, '--port', `${port}`, '--etcd-port', `${etcdPort}`];
  if (serving === 'defaults') words.push('--defaults');
  undo.push(async () => {
    await run(join(kit, 'down'), ['--dir', folder]);
    await rm(folder, { recursive: true, force: true });
  });
  const up = spawn(join(kit, 'up'), words, { stdio: 'ignore' });
  const code = await new Promise<number | null>((resolve) => up.on('exit', resolve));
  if (code !== 0) throw new Error(`the reference did not start (exit code ${code})`);
  const keys = join(folder, 'pki');
  return {
    ...connectTo(`https://127.0.0.1:${port}`, 'admin-token'),
    authority: join(keys, 'apiserver.crt'),
    clientAuthority: { certificate: join(keys, 'ca.crt'), key: join(keys, 'ca.key') },
    tokenKey: join(keys, 'sa.key'),
    etcd: `http://127.0.0.1:${etcdPort}`,
  };
}

/** Starts Orch from this checkout, with the same users as the reference. */
export async function startOrch(
  storage: string,
  serving: Serving,
  undo: Undo,
  more: Record<string, string> = {},
): Promise<StartedServer & { readonly pid: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'parity-orch-'));
  const data = join(folder, 'data');
  await mkdir(data);
  const tokens = join(folder, 'tokens.csv');
  await writeFile(tokens, 'admin-token,admin,admin-uid,system:masters\nalice-token,alice,alice-uid,dev\n');
  const keys = join(folder, 'certificates');
  const tokenKey = join(folder, 'tokens.key');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await writeFile(tokenKey, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const port = await freePorts(1);
  const flags = {
    dialect: 'kubernetes',
    storage,
    'data-dir': data,
    'bind-address': '127.0.0.1',
    'secure-port': `${port}`,
    'token-auth-file': tokens,
    'cert-dir': keys,
    'service-account-issuer': 'https://reference.local',
    'service-account-signing-key-file': tokenKey,
    // The reference runs no controllers.
    controllers: '-*',
    ...(serving === 'everything' && {
      'runtime-config': 'api/all=true',
      'feature-gates': 'AllAlpha=true,AllBeta=true',
    }),
    ...more,
  };
  const words = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]);
  const child = spawn(process.execPath, [join(repository, 'src', 'main.ts'), 'serve', ...words], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  undo.push(async () => {
    await end(child);
    await rm(folder, { recursive: true, force: true });
  });
  const server = connectTo(`https://127.0.0.1:${port}`, 'admin-token');
  await untilReady(server, child);
  const authority = join(keys, 'ca.crt');
  return {
    ...server,
    authority,
    clientAuthority: { certificate: authority, key: join(keys, 'ca.key') },
    tokenKey,
    pid: child.pid!,
  };
}

/** Two servers with request header authentication. */
export async function startProxied(
  kit: string,
  reference: StartedReference,
  serving: Serving,
  undo: Undo,
): Promise<{ reference: Server; orch: Server }> {
  const proxies = await createProxies(undo);
  const [second, orch] = await Promise.all([
    startProxiedReference(kit, reference, proxies, undo),
    startProxiedOrch(serving, proxies, undo),
  ]);
  return { reference: second, orch };
}

/** The CA of authenticating proxies, and the flags of a server that trusts it. */
interface Proxies {
  readonly folder: string;
  readonly authority: Authority;
  readonly flags: Record<string, string>;
}

export async function createProxies(undo: Undo): Promise<Proxies> {
  const folder = await mkdtemp(join(tmpdir(), 'parity-proxied-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  const { certificate, key } = await createCA('proxies', Date.now());
  const authority = { certificate: join(folder, 'proxies.crt'), key: join(folder, 'proxies.key') };
  await writeFile(authority.certificate, certificate);
  await writeFile(authority.key, key);
  const flags = {
    'requestheader-client-ca-file': authority.certificate,
    'requestheader-allowed-names': 'front,other',
    'requestheader-username-headers': 'X-Remote-User,X-User',
    'requestheader-uid-headers': 'X-Remote-Uid',
    'requestheader-group-headers': 'X-Remote-Group,X-Group',
    'requestheader-extra-headers-prefix': 'X-Remote-Extra-,X-Extra-',
  };
  return { folder, authority, flags };
}

export async function startProxiedOrch(
  serving: Serving,
  proxies: Proxies,
  undo: Undo,
): Promise<ProxiedServer> {
  const orch = await startOrch('memory', serving, undo, proxies.flags);
  return { ...orch, proxyAuthority: proxies.authority };
}

export async function startProxiedReference(
  kit: string,
  reference: StartedReference,
  { folder, authority, flags }: Proxies,
  undo: Undo,
): Promise<ProxiedServer> {
  const second = await startReferenceBeside(kit, reference, folder, flags, undo);
  return { ...second, proxyAuthority: authority };
}

/** A server that trusts authenticating proxies. */
export type ProxiedServer = Server & Required<Pick<Server, 'clientAuthority' | 'proxyAuthority'>>;

/** Another kube-apiserver beside the reference, with additional flags. */
export async function startReferenceBeside(
  kit: string,
  reference: StartedReference,
  folder: string,
  more: Record<string, string>,
  undo: Undo,
): Promise<Server & { clientAuthority: Authority }> {
  const { stdout } = await run(join(kit, 'unpack'));
  const keys = join(reference.clientAuthority.certificate, '..');
  const port = await freePorts(1);
  const flags = {
    'etcd-servers': reference.etcd,
    'secure-port': `${port}`,
    'bind-address': '127.0.0.1',
    'cert-dir': join(folder, 'certificates'),
    'service-cluster-ip-range': '10.0.0.0/24',
    'authorization-mode': 'RBAC',
    'token-auth-file': join(keys, 'tokens.csv'),
    'client-ca-file': reference.clientAuthority.certificate,
    'service-account-issuer': 'https://reference.local',
    'service-account-key-file': reference.tokenKey,
    'service-account-signing-key-file': reference.tokenKey,
    'runtime-config': 'api/all=true',
    'feature-gates': 'AllAlpha=true,AllBeta=true,WatchListClient=false',
    ...more,
  };
  const words = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
  const child = spawn(join(stdout.trim(), 'kube-apiserver'), words, { stdio: 'ignore' });
  undo.push(() => end(child));
  const { clientAuthority, tokenKey } = reference;
  const server = { ...connectTo(`https://127.0.0.1:${port}`, 'admin-token'), clientAuthority, tokenKey };
  await untilReady(server, child);
  return server;
}

/** Waits until `/readyz` is 200. */
export async function untilReady(server: Server, child: ChildProcess, attempts = 1200): Promise<void> {
  const headers = { authorization: `Bearer ${server.token}` };
  for (let attempt = 0; attempt < attempts; attempt++) {
    if (child.exitCode !== null) throw new Error(`a server did not start (exit code ${child.exitCode})`);
    const answer = await exchange(server, { method: 'GET', path: '/readyz', headers }).catch(() => undefined);
    if (answer?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('a server did not get ready');
}

/** Terminates a process, and waits for its end. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.on('exit', resolve));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 5000);
  await gone;
  clearTimeout(timer);
}

/** The first of `count` consecutive free ports. */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = await listenOnce(0);
    const rest = Array.from({ length: count - 1 }, (_, index) => first + index + 1);
    const free = await Promise.all(rest.map((port) => listenOnce(port).catch(() => 0)));
    if (free.every((port) => port !== 0)) return first;
  }
}

function listenOnce(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(port, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
