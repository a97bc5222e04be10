import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connectTo, exchange, type Server } from './client.ts';

const repository = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);

/** What must be undone, whatever happens: a starter adds to it before it starts anything. */
export type Undo = (() => Promise<void>)[];

/** The folder with the reference's `up` and `down`, or nothing when this machine has none. */
export function referenceKit(): string | undefined {
  const folder = process.env.ORCH_REFERENCE ?? join(repository, '..', 'shared', 'reference');
  return existsSync(join(folder, 'up')) ? folder : undefined;
}

/** What both sides serve: every API version with every feature, or what a release does by default. */
export type Serving = 'everything' | 'defaults';

/** A server that was started here, and the files that another part of a control plane is given beside its address. */
export interface StartedServer extends Server {
  /** Whom to believe that it is this server. */
  readonly authority: string;
  readonly clientAuthority: { readonly certificate: string; readonly key: string };
  readonly tokenKey: string;
}

export async function startReference(kit: string, serving: Serving, undo: Undo): Promise<StartedServer> {
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
  };
}

/** Starts Orch from this checkout, with the same callers as the reference knows. */
export async function startOrch(storage: string, serving: Serving, undo: Undo): Promise<StartedServer> {
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
    // No controllers run beside the reference.
    controllers: '*,-clusterrole-aggregation-controller',
    ...(serving === 'everything' && {
      'runtime-config': 'api/all=true',
      'feature-gates': 'AllAlpha=true,AllBeta=true',
    }),
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
  };
}

async function untilReady(server: Server, child: ChildProcess): Promise<void> {
  const headers = { authorization: `Bearer ${server.token}` };
  for (let attempt = 0; attempt < 200; attempt++) {
    if (child.exitCode !== null) throw new Error(`Orch did not start (exit code ${child.exitCode})`);
    const answer = await exchange(server, { method: 'GET', path: '/readyz', headers }).catch(() => undefined);
    if (answer?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('Orch did not get ready');
}

/** Asks a process to end, and waits for it. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.on('exit', resolve));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 5000);
  await gone;
  clearTimeout(timer);
}

/** The first of `count` neighbouring ports that are all free. */
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
