import { MEMBERS, SERVERS_ON_ETCD } from './cluster/cluster.ts';
import { Random } from './random.ts';

export type Storage = 'lmdb' | 'etcd';

/** All faults, with their durations in milliseconds. */
export const faultKinds = {
  kill: { lasts: [0, 1_000], of: 'server', what: 'a server is killed and restarted' },
  stop: { lasts: [0, 500], of: 'server', what: 'a server is stopped gracefully and restarted' },
  pause: { lasts: [300, 4_000], of: 'server', what: 'a server is paused (SIGSTOP)' },
  clock: {
    lasts: [500, 4_000],
    of: 'server',
    what: 'the clock of a server is moved ahead or back, by one or ten minutes',
  },
  disk: { lasts: [500, 3_000], of: 'server', what: 'the disk of a server is full' },
  cut: { lasts: [500, 7_000], of: 'connection', what: 'a server is disconnected from etcd' },
  stall: {
    lasts: [500, 7_000],
    of: 'connection',
    what: 'no bytes pass between a server and etcd, and no connection is closed',
  },
  deaf: {
    lasts: [500, 7_000],
    of: 'connection',
    what: 'etcd receives the requests of a server, but no response arrives',
  },
  delay: { lasts: [500, 4_000], of: 'connection', what: 'traffic between a server and etcd is delayed' },
  'cut-one': { lasts: [500, 5_000], of: 'connection', what: 'a server is disconnected from one etcd member' },
  compact: {
    lasts: [1_500, 4_000],
    of: 'connection',
    what: 'the history of etcd is compacted while a server is disconnected',
  },
  'member-kill': { lasts: [200, 3_000], of: 'member', what: 'an etcd member is killed and restarted' },
  'member-stop': {
    lasts: [200, 2_000],
    of: 'member',
    what: 'an etcd member is stopped gracefully and restarted',
  },
  'member-pause': { lasts: [500, 5_000], of: 'member', what: 'an etcd member is paused' },
  'leader-kill': {
    lasts: [200, 3_000],
    of: 'member',
    what: 'the leader of etcd is killed and restarted',
  },
  'leader-pause': { lasts: [500, 5_000], of: 'member', what: 'the leader of etcd is paused' },
  'long-pause': {
    lasts: [6_000, 9_000],
    of: 'server',
    what: 'the server that runs the controllers is paused until another one takes over',
  },
  'long-cut': {
    lasts: [6_000, 9_000],
    of: 'connection',
    what: 'the server that runs the controllers is disconnected from etcd until another one takes over',
  },
} as const satisfies Record<
  string,
  { lasts: readonly [number, number]; of: 'server' | 'connection' | 'member'; what: string }
>;

export type FaultKind = keyof typeof faultKinds;

const onServers = (Object.keys(faultKinds) as FaultKind[]).filter(
  (kind) => faultKinds[kind].of === 'server' && !kind.startsWith('long-'),
);
const short = (Object.keys(faultKinds) as FaultKind[]).filter((kind) => !kind.startsWith('long-'));
/** A plan of at least this length has one of the long faults on etcd. */
const MIN_LONG_PLAN_MS = 25_000;

export interface Fault {
  readonly kind: FaultKind;
  /** The index of a server or etcd member. */
  readonly target: number;
  readonly lasts: number;
  /** The seed of the fault's own choices. */
  readonly choice: number;
}

/** Concurrent faults, after a pause. */
export interface Step {
  readonly rest: number;
  readonly faults: readonly Fault[];
}

export interface PlanOptions {
  readonly storage: Storage;
  readonly seed: number;
  /** The approximate duration. */
  readonly ms: number;
  /** These faults repeatedly, instead of those that the seed chooses: `kill,disk+clock` is one, then two at once. */
  readonly faults?: string | undefined;
}

/** The faults of a run, determined by the seed. */
export function makePlan({ storage, seed, ms, faults: text }: PlanOptions): Step[] {
  const requested = text === undefined ? undefined : readFaults(text);
  const random = new Random(seed);
  const choices = storage === 'etcd' ? short : onServers;
  const steps: Step[] = [];
  let isLongDue = storage === 'etcd' && ms >= MIN_LONG_PLAN_MS && !requested;
  const chooseFaults = () => {
    const isLong = isLongDue && random.isLucky(0.4);
    isLongDue &&= !isLong;
    const kind = isLong ? random.pick(['long-pause', 'long-cut'] as const) : random.pick(choices);
    const chosen = [fault(kind, storage, random)];
    if (random.isLucky(0.35)) {
      const beside = fault(random.pick(choices), storage, random);
      if (goesWith(chosen[0]!, beside)) chosen.push(beside);
    }
    return chosen;
  };
  for (let total = 0; total < ms; ) {
    const rest = random.between(300, 2_500);
    const faults = requested
      ? requested[steps.length % requested.length]!.map((kind) => fault(kind, storage, random))
      : chooseFaults();
    steps.push({ rest, faults });
    total += rest + Math.max(...faults.map(({ lasts }) => lasts));
  }
  return steps;
}

/** Throws for an unknown fault. */
function readFaults(text: string): FaultKind[][] {
  const isFault = (name: string): name is FaultKind => Object.hasOwn(faultKinds, name);
  return text.split(',').map((names) =>
    names.split('+').map((name) => {
      if (!isFault(name)) throw new Error(`no such fault: ${name}; --help lists them`);
      return name;
    }),
  );
}

function fault(kind: FaultKind, storage: Storage, random: Random): Fault {
  const { lasts, of } = faultKinds[kind];
  const targets = of === 'member' ? MEMBERS : storage === 'etcd' ? SERVERS_ON_ETCD : 1;
  return {
    kind,
    target: random.between(0, targets - 1),
    lasts: random.between(lasts[0], lasts[1]),
    choice: random.next(),
  };
}

/** A fault of the same part of the same server would undo the other. A fault of the leader may concern any member. */
function goesWith(one: Fault, other: Fault): boolean {
  const [of, otherOf] = [faultKinds[one.kind].of, faultKinds[other.kind].of];
  if (one.kind === other.kind) return false;
  if (of !== otherOf) return !(one.kind.startsWith('long-') && otherOf !== 'member');
  if (of === 'member')
    return (
      !one.kind.startsWith('leader-') && !other.kind.startsWith('leader-') && one.target !== other.target
    );
  // The clock and the disk of a server are separate parts.
  const ends = (kind: FaultKind) =>
    kind === 'kill' || kind === 'stop' || kind === 'pause' || kind.startsWith('long-');
  return of === 'server'
    ? !(ends(one.kind) && ends(other.kind))
    : one.target !== other.target && !one.kind.startsWith('long-');
}

export const usesDisk = (plan: readonly Step[]) =>
  plan.some(({ faults }) => faults.some(({ kind }) => kind === 'disk'));
