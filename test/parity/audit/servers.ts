import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { Agent, request as ask } from 'node:https';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { end, freePorts, type Undo } from '../servers.ts';
import { type AuditedRequest, policy, tokens } from './requests.ts';

const repository = join(import.meta.dirname, '..', '..', '..');
const run = promisify(execFile);

/** A server with the audit policy of the comparison, and its log. */
export class AuditedServer {
  readonly #port: number;
  readonly #log: string;
  readonly #agent = new Agent({ keepAlive: true, rejectUnauthorized: false });

  constructor(port: number, log: string) {
    this.#port = port;
    this.#log = log;
  }

  /** Resolves to the status code once the response was read, or the client disconnected. */
  send({ id, who, method, path, body, headers = {}, cut }: AuditedRequest): Promise<number> {
    return new Promise((resolve, reject) => {
      const outgoing = ask({
        port: this.#port,
        host: '127.0.0.1',
        agent: this.#agent,
        method,
        path,
        headers: {
          'user-agent': 'audited/1',
          ...headers,
          'audit-id': id,
          ...(who !== '' && { authorization: `Bearer ${who}-token` }),
          ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
        },
      });
      outgoing.on('error', reject);
      outgoing.on('response', (answer) => {
        answer.on('error', () => {});
        answer.on('close', () => resolve(answer.statusCode ?? 0));
        if (cut) answer.destroy();
        else answer.resume();
      });
      outgoing.end(body);
    });
  }

  async untilReady(child: ChildProcess): Promise<void> {
    const probe = { id: '', who: 'quiet', method: 'GET', path: '/readyz' };
    for (let attempt = 0; attempt < 600; attempt++) {
      if (child.exitCode !== null) throw new Error(`a server did not start (exit code ${child.exitCode})`);
      if ((await this.send(probe).catch(() => 0)) === 200) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error('a server did not get ready');
  }

  /** The lines of the log, once it has the last event of this request. */
  async linesUpTo(id: string): Promise<string[]> {
    for (;;) {
      const lines = (await readFile(this.#log, 'utf8')).split('\n').slice(0, -1);
      const isLast = (line: string) => line.includes(`"auditID":"${id}","stage":"ResponseComplete"`);
      if (lines.some(isLast)) return lines;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

async function filesIn(folder: string) {
  const files = {
    policy: join(folder, 'policy.yaml'),
    tokens: join(folder, 'tokens.csv'),
    key: join(folder, 'sa.key'),
  };
  await writeFile(files.policy, policy);
  await writeFile(files.tokens, tokens);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await writeFile(files.key, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  return files;
}

const flagsOf = (flags: Record<string, string>) =>
  Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]);

function start(program: string, words: string[], undo: Undo): ChildProcess {
  const child = spawn(program, words, { stdio: 'ignore' });
  undo.push(() => end(child));
  return child;
}

/** kube-apiserver and etcd, from the programs of the reference. */
export async function startReference(kit: string, folder: string, undo: Undo): Promise<AuditedServer> {
  const programs = (await run(join(kit, 'unpack'))).stdout.trim();
  const files = await filesIn(folder);
  const log = join(folder, 'audit.log');
  const etcdPort = await freePorts(2);
  const [client, peer] = [`http://127.0.0.1:${etcdPort}`, `http://127.0.0.1:${etcdPort + 1}`];
  const etcd = flagsOf({
    'data-dir': join(folder, 'etcd'),
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `default=${peer}`,
  });
  start(join(programs, 'etcd'), etcd, undo);
  const port = await freePorts(1);
  const flags = flagsOf({
    'etcd-servers': client,
    'secure-port': `${port}`,
    'bind-address': '127.0.0.1',
    'cert-dir': join(folder, 'pki'),
    'authorization-mode': 'RBAC',
    'token-auth-file': files.tokens,
    'service-account-issuer': 'https://reference.local',
    'service-account-key-file': files.key,
    'service-account-signing-key-file': files.key,
    'service-cluster-ip-range': '10.0.0.0/24',
    'audit-policy-file': files.policy,
    'audit-log-path': log,
    // With every feature but one, with which every watch counts as closed early.
    'runtime-config': 'api/all=true',
    'feature-gates': 'AllAlpha=true,AllBeta=true,WatchListClient=false,APIServingWithRoutine=false',
  });
  const server = new AuditedServer(port, log);
  await server.untilReady(start(join(programs, 'kube-apiserver'), flags, undo));
  return server;
}

export async function startOrch(folder: string, undo: Undo): Promise<AuditedServer> {
  const files = await filesIn(folder);
  const log = join(folder, 'audit.log');
  const port = await freePorts(1);
  const flags = flagsOf({
    // The reference runs no controllers.
    controllers: '-*',
    dialect: 'kubernetes',
    storage: 'memory',
    'data-dir': join(folder, 'data'),
    'cert-dir': join(folder, 'pki'),
    'bind-address': '127.0.0.1',
    'secure-port': `${port}`,
    'token-auth-file': files.tokens,
    'audit-policy-file': files.policy,
    'audit-log-path': log,
    'runtime-config': 'api/all=true',
    'feature-gates': 'AllAlpha=true,AllBeta=true',
  });
  const server = new AuditedServer(port, log);
  const words = [join(repository, 'src', 'main.ts'), 'serve', ...flags];
  await server.untilReady(start(process.execPath, words, undo));
  return server;
}
