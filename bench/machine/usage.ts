import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds, withDescendants } from './process-tree.ts';

/** How many processors, on average, were kept busy by whom. */
export interface Usage {
  readonly serverCores: number;
  /** Of that, etcd. */
  readonly etcdCores: number;
  readonly clientCores: number;
  /** Everything else on the machine, which should be next to nothing. */
  readonly otherCores: number;
}

/** The processes of a server. */
export interface Watched {
  pids(): number[];
  etcdPids(): number[];
}

/** Begins to watch; the function returned ends it. `clientSeconds` is the processor time the client has used. */
export function watchUsage(server: Watched, clientSeconds: () => number): () => Usage {
  const servers = withDescendants(server.pids());
  const etcds = server.etcdPids();
  const read = () => ({
    time: performance.now() / 1000,
    server: cpuSeconds(servers),
    etcd: cpuSeconds(etcds),
    client: clientSeconds(),
    own: ownSeconds(),
    all: machineSeconds(),
  });
  const before = read();
  return () => {
    const after = read();
    const elapsed = after.time - before.time;
    const server = after.server - before.server;
    const client = after.client - before.client;
    const other = after.all - before.all - server - client - (after.own - before.own);
    return {
      serverCores: server / elapsed,
      etcdCores: (after.etcd - before.etcd) / elapsed,
      clientCores: client / elapsed,
      otherCores: Math.max(0, other / elapsed),
    };
  };
}

/** Waits until others leave the processors alone for a second, or patience is at its end. */
export async function untilQuiet(ownPids: readonly number[], cores: number, seconds: number): Promise<void> {
  for (let waited = 0; waited < seconds; waited++) {
    const usage = watchUsage({ pids: () => [...ownPids], etcdPids: () => [] }, () => 0);
    await sleep(1000);
    if (usage().otherCores < cores) return;
  }
}

function ownSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Time that the machine's processors have been busy, or were given to someone else by its host. */
function machineSeconds(): number {
  const fields = readFileSync('/proc/stat', 'latin1').split('\n')[0]!.split(/\s+/).slice(1, 9).map(Number);
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = fields;
  return (user + nice + system + irq + softirq + steal) / 100;
}
