import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { freePorts } from '../machine/free-port.ts';
import { ServerProcess } from './server-process.ts';
import { type Side, urlOf } from './side.ts';
import { waitReady } from './wait-ready.ts';

const run = promisify(execFile);

/** The folder of the reference kit, if this machine has it. */
export function findReference(repository: string): string | undefined {
  const folder = process.env.ORCH_REFERENCE ?? resolve(repository, '../shared/reference');
  return existsSync(join(folder, 'up')) ? folder : undefined;
}

interface Command {
  readonly program: string;
  readonly args: readonly string[];
}

/**
 * etcd and kube-apiserver. The kit's `up` makes the keys and starts both once; their command lines are
 * read from the running processes and used for every start that is timed, so that the script's own
 * waiting is not measured and its flags are not written down a second time.
 */
export class Reference implements Side {
  readonly key = 'reference';
  readonly title = 'kube-apiserver + etcd';
  readonly token = 'admin-token';
  readonly port: number;
  readonly #folder: string;
  readonly #etcdPort: number;
  readonly #etcd: Command;
  readonly #apiserver: Command;
  #processes: ServerProcess[] = [];

  private constructor(folder: string, port: number, etcdPort: number, etcd: Command, apiserver: Command) {
    this.#folder = folder;
    this.port = port;
    this.#etcdPort = etcdPort;
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
    for (const pid of pids.reverse()) await endOrphan(pid);
    rmSync(join(folder, 'pids'));
    return new Reference(folder, port, etcdPort, etcd, withoutAudit(apiserver));
  }

  async startEmpty(): Promise<number> {
    rmSync(join(this.#folder, 'etcd'), { recursive: true, force: true });
    return this.start();
  }

  async start(): Promise<number> {
    const from = performance.now();
    const etcd = this.#spawn(this.#etcd, 'etcd.log');
    await waitReady(`http://127.0.0.1:${this.#etcdPort}/health`, undefined, () => etcd.mustRun());
    const apiserver = this.#spawn(this.#apiserver, 'kube-apiserver.log');
    await waitReady(`${urlOf(this)}/readyz`, this.token, () => apiserver.mustRun());
    return performance.now() - from;
  }

  async stop(): Promise<void> {
    for (const process of this.#processes.reverse()) await process.stop();
    this.#processes = [];
  }

  pids(): number[] {
    return this.#processes.map((process) => process.pid);
  }

  async describe(): Promise<string[]> {
    const version = async (command: Command): Promise<string> =>
      (await run(command.program, ['--version'])).stdout.split('\n')[0]!.trim();
    return [
      `${await version(this.#apiserver)}, ${await version(this.#etcd)}`,
      commandLine(this.#etcd),
      commandLine(this.#apiserver),
    ];
  }

  #spawn(command: Command, log: string): ServerProcess {
    const started = new ServerProcess(command.program, command.args, join(this.#folder, log));
    this.#processes.push(started);
    return started;
  }
}

function commandOf(pid: number): Command {
  const [program, ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
  if (program === undefined) throw new Error(`process ${pid} has no command line`);
  return { program, args };
}

/** `up` writes an audit log, which neither server does by default and Orch does not do here. */
function withoutAudit(command: Command): Command {
  const args = command.args.filter(
    (arg, i) => !arg.startsWith('--audit-') && !command.args[i - 1]?.startsWith('--audit-'),
  );
  return { program: command.program, args };
}

/** Folders differ from run to run and from machine to machine: the report names files only. */
function commandLine(command: Command): string {
  return [command.program, ...command.args].map((word) => word.replace(/\/\S*\/(?=[^/]+$)/, '')).join(' ');
}

/** Ends a process that `up` left behind; it is not our child, so its end has to be looked for. */
async function endOrphan(pid: number): Promise<void> {
  process.kill(pid, 'SIGTERM');
  for (let i = 0; i < 300; i++) {
    if (!existsSync(`/proc/${pid}`)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  process.kill(pid, 'SIGKILL');
}
