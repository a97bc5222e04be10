// Measures the CPU usage of server, etcd, load generator and the rest of the machine.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds, withDescendants } from './process-tree.ts';

/** The average number of busy processors during a measurement. */
export interface Usage {
  readonly serverCores: number;
  /** Part of serverCores. */
  readonly etcdCores: number;
  readonly clientCores: number;
  /** All other processes on the machine, which should be close to 0. */
  readonly otherCores: number;
}

/** The processes of a server. */
export interface ServerProcesses {
  pids(): number[];
  etcdPids(): number[];
}

/** Starts a measurement; the returned function ends it. `clientSeconds` returns the CPU time of the load generator. */
export function measureUsage(server: ServerProcesses, clientSeconds: () => number): () => Usage {
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
  const start = read();
  return () => {
    const end = read();
    const elapsed = end.time - start.time;
    const server = end.server - start.server;
    const client = end.client - start.client;
    const other = end.all - start.all - server - client - (end.own - start.own);
    return {
      serverCores: server / elapsed,
      etcdCores: (end.etcd - start.etcd) / elapsed,
      clientCores: client / elapsed,
      otherCores: Math.max(0, other / elapsed),
    };
  };
}

/** Waits until other processes use less than `cores` for a second, at most `seconds`. */
export async function waitUntilIdle(
  ownPids: readonly number[],
  cores: number,
  seconds: number,
): Promise<void> {
  for (let waited = 0; waited < seconds; waited++) {
    const usage = measureUsage({ pids: () => [...ownPids], etcdPids: () => [] }, () => 0);
    await sleep(1000);
    if (usage().otherCores < cores) return;
  }
}

function ownSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** The busy time of all processors, including time stolen by the hypervisor. */
function machineSeconds(): number {
  const fields = readFileSync('/proc/stat', 'latin1').split('\n')[0]!.split(/\s+/).slice(1, 9).map(Number);
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = fields;
  return (user + nice + system + irq + softirq + steal) / 100;
}
