// Starts and stops kube-apiserver and etcd for the benchmark.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { freePorts } from '../machine/free-port.ts';
import { type Command, commandLine, versionOf } from './command.ts';
import { Etcd } from './etcd.ts';
import { ServerProcess } from './server-process.ts';
import { type Side, urlOf } from './side.ts';
import { waitReady } from './wait-ready.ts';

const run = promisify(execFile);

/** The folder of the reference kit, if this machine has it. */
export function findReference(repository: string): string | undefined {
  const folder = process.env.ORCH_REFERENCE ?? resolve(repository, '../shared/reference');
  return existsSync(join(folder, 'up')) ? folder : undefined;
}

/**
 * The kit's `up` creates the certificates and starts both servers once. Later starts use the command lines of these
 * processes, so that the waiting in `up` is not measured and its flags are not repeated here.
 */
export class Reference implements Side {
  readonly key = 'reference';
  readonly title = 'kube-apiserver + etcd';
  readonly token = 'admin-token';
  readonly port: number;
  readonly #folder: string;
  readonly #etcd: Etcd;
  readonly #apiserver: Command;
  #process: ServerProcess | undefined;

  private constructor(folder: string, port: number, etcd: Etcd, apiserver: Command) {
    this.#folder = folder;
    this.port = port;
    this.#etcd = etcd;
    this.#apiserver = apiserver;
  }

  static async prepare(kit: string, folder: string, signal: AbortSignal): Promise<Reference> {
    const port = await freePorts();
    const etcdPort = await freePorts(2);
    const args = [
      ...['--defaults', '--dir', folder],
      ...['--port', String(port), '--etcd-port', String(etcdPort)],
    ];
    await run(join(kit, 'up'), args, { signal });
    const pids = readFileSync(join(folder, 'pids'), 'utf8').trim().split('\n').map(Number);
    const [etcd, apiserver] = pids.map(commandOf);
    if (!etcd || !apiserver) throw new Error(`${folder}/pids does not name etcd and kube-apiserver`);
    for (const pid of pids.reverse()) await stopOrphan(pid);
    rmSync(join(folder, 'pids'));
    return new Reference(folder, port, new Etcd(folder, etcdPort, etcd), withoutAudit(apiserver));
  }

  /** An etcd with the flags of this one, in another folder. */
  async secondEtcd(folder: string): Promise<Etcd> {
    return this.#etcd.copyTo(folder, await freePorts(2));
  }

  async startEmpty(): Promise<number> {
    this.#etcd.clear();
    return this.start();
  }

  async start(): Promise<number> {
    const startMs = performance.now();
    await this.#etcd.start();
    const { program, args } = this.#apiserver;
    const apiserver = new ServerProcess(program, args, join(this.#folder, 'kube-apiserver.log'));
    this.#process = apiserver;
    await waitReady(`${urlOf(this)}/readyz`, this.token, () => apiserver.assertRunning());
    return performance.now() - startMs;
  }

  async stop(): Promise<void> {
    await this.#process?.stop();
    this.#process = undefined;
    await this.#etcd.stop();
  }

  pids(): number[] {
    return [...this.etcdPids(), ...(this.#process ? [this.#process.pid] : [])];
  }

  etcdPids(): number[] {
    return this.#etcd.pids();
  }

  async describe(): Promise<string[]> {
    const apiserver = await versionOf(this.#apiserver);
    return [
      `${apiserver}, ${await this.#etcd.version()}`,
      this.#etcd.commandLine,
      commandLine(this.#apiserver),
    ];
  }
}

function commandOf(pid: number): Command {
  const [program, ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
  if (program === undefined) throw new Error(`process ${pid} has no command line`);
  return { program, args };
}

/** `up` enables the audit log, which neither server writes by default. */
function withoutAudit(command: Command): Command {
  const args = command.args.filter(
    (arg, i) => !arg.startsWith('--audit-') && !command.args[i - 1]?.startsWith('--audit-'),
  );
  return { program: command.program, args };
}

/** Stops a process that `up` started. It is no child of this process, so its exit is polled. */
async function stopOrphan(pid: number): Promise<void> {
  process.kill(pid, 'SIGTERM');
  for (let i = 0; i < 300; i++) {
    if (!existsSync(`/proc/${pid}`)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  process.kill(pid, 'SIGKILL');
}
