import { setTimeout } from 'node:timers/promises';
import type { Cluster } from './cluster/cluster.ts';
import type { FaultyServer } from './cluster/server.ts';
import type { Fault, FaultKind } from './plan.ts';
import type { RunRecord } from './record.ts';

/** Five minutes of history are kept: a clock that moves ahead by more than that compacts it. */
const clockMoves = [1, -1, 10, -10];
const CUTS_FROM_MINUTES = 5;
/** How long a server needs to resync after it has missed compacted changes. */
const READ_ANEW_MS = 15_000;
/** How long a server needs to notice that its disk has space again. */
const NOTICE_SPACE_MS = 3_000;

interface Doing {
  readonly cluster: Cluster;
  readonly record: RunRecord;
}

type Do = (doing: Doing, fault: Fault) => Promise<void>;

/** Injects the fault, waits for its duration, and repairs it. */
export const faults: Readonly<Record<FaultKind, Do>> = {
  kill: (doing, fault) => restart(serverOf(doing, fault), 'SIGKILL', fault),
  stop: (doing, fault) => restart(serverOf(doing, fault), 'SIGTERM', fault),
  pause: (doing, fault) => serverOf(doing, fault).standStill(fault.lasts),
  'long-pause': ({ cluster }, { target, lasts }) => leaderOf(cluster, target).standStill(lasts),
  async clock({ cluster, record }, { target, lasts, choice }) {
    const server = cluster.servers[target]!;
    const minutes = clockMoves[Math.floor(choice * clockMoves.length)]!;
    const from = performance.now();
    await server.moveClock(minutes);
    await setTimeout(lasts);
    await server.moveClock(0);
    if (minutes > CUTS_FROM_MINUTES)
      record.compactions.push({ server: server.number, from, until: performance.now() });
  },
  async disk(doing, fault) {
    const server = serverOf(doing, fault);
    if (server.disk === undefined) return;
    const from = performance.now();
    server.fillDisk();
    await setTimeout(fault.lasts);
    server.freeDisk();
    // LMDB then shortens its history; a replica of etcd does not.
    if (doing.cluster.members.length > 0) return;
    doing.record.compactions.push({
      server: server.number,
      from,
      until: performance.now() + NOTICE_SPACE_MS,
    });
  },
  cut: (doing, fault) => detach(serverOf(doing, fault), 'cut', fault),
  'long-cut': ({ cluster }, fault) => detach(leaderOf(cluster, fault.target), 'cut', fault),
  stall: (doing, fault) => detach(serverOf(doing, fault), 'stalled', fault),
  deaf: (doing, fault) => detach(serverOf(doing, fault), 'deaf', fault),
  async delay(doing, fault) {
    const { proxies } = serverOf(doing, fault);
    for (const proxy of proxies) proxy.pass({ delayMs: 20 + Math.floor(fault.choice * 400) });
    await setTimeout(fault.lasts);
    for (const proxy of proxies) proxy.pass({ delayMs: 0 });
  },
  async 'cut-one'(doing, fault) {
    const { proxies } = serverOf(doing, fault);
    const proxy = proxies[Math.floor(fault.choice * proxies.length)]!;
    proxy.pass('cut');
    await setTimeout(fault.lasts);
    proxy.pass({ delayMs: 0 });
  },
  async compact(doing, fault) {
    const from = performance.now();
    const detached = detach(serverOf(doing, fault), 'cut', fault);
    await setTimeout(fault.lasts * 0.8);
    // Any server may lag at that moment, if it has another fault.
    await doing.cluster.compact().catch(() => {});
    await detached;
    doing.record.compactions.push({ server: undefined, from, until: performance.now() + READ_ANEW_MS });
  },
  'member-kill': (doing, fault) => restartMember(doing.cluster.members[fault.target]!, 'SIGKILL', fault),
  'member-stop': (doing, fault) => restartMember(doing.cluster.members[fault.target]!, 'SIGTERM', fault),
  'leader-kill': async ({ cluster }, fault) =>
    restartMember((await cluster.leadingMember()) ?? cluster.members[fault.target]!, 'SIGKILL', fault),
  'member-pause': ({ cluster }, fault) => pauseMember(cluster.members[fault.target]!, fault),
  'leader-pause': async ({ cluster }, fault) =>
    pauseMember((await cluster.leadingMember()) ?? cluster.members[fault.target]!, fault),
};

const serverOf = ({ cluster }: Doing, { target }: Fault) => cluster.servers[target]!;
const leaderOf = ({ servers }: Cluster, otherwise: number) =>
  servers.find(({ leads }) => leads) ?? servers[otherwise]!;

async function restart(server: FaultyServer, signal: 'SIGKILL' | 'SIGTERM', { lasts }: Fault): Promise<void> {
  await server.end(signal);
  await setTimeout(lasts);
  await server.start();
}

async function detach(
  { proxies }: FaultyServer,
  how: 'cut' | 'stalled' | 'deaf',
  { lasts }: Fault,
): Promise<void> {
  for (const proxy of proxies) proxy.pass(how);
  await setTimeout(lasts);
  for (const proxy of proxies) proxy.pass({ delayMs: 0 });
}

type Member = Cluster['members'][number];

async function restartMember(member: Member, signal: 'SIGKILL' | 'SIGTERM', { lasts }: Fault): Promise<void> {
  await member.kill(signal);
  await setTimeout(lasts);
  await member.launch();
}

async function pauseMember(member: Member, { lasts }: Fault): Promise<void> {
  member.pause();
  await setTimeout(lasts);
  member.resume();
}
