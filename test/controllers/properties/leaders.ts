// Random runs of two servers on one etcd: the network of the leader fails while it acts, the other server takes over, and what the
// former leader has sent arrives late. The two must never act both: a ReplicaSet never has more pods than replicas.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MovableClock } from '../../../src/base/clock.ts';
import { defaultOptions } from '../../../src/server/options.ts';
import { runServer } from '../../../src/server/server.ts';
import type { RunningServer } from '../../../src/server/server-parts.ts';
import { findEtcd, TestEtcd } from '../../../src/store/etcd/etcd.fixture.ts';
import { silentLogger } from '../../../src/telemetry/log.ts';
import { type Forwarding, TcpProxy } from '../../faults/proof/cluster/tcp-proxy.ts';
import { TestClient } from '../../support/client.ts';
import { Random } from './random.ts';
import { appLabel, template } from './workloads.ts';

const pollMs = 2;
/** Polls after which a run is given up: minutes, as the machine may be busy. */
const maxPolls = 60_000;
/** How long a run waits for the leader to send something, which it cannot under every fault. */
const maxSendingPolls = 150;
/** Steps of the clock: the period of attempts to acquire or renew the Lease. */
const stepMs = defaultOptions.leaderElectRetryPeriod;
/** Most faults hold what the leader sends, which is what can arrive late. */
const faults: readonly Forwarding[] = ['mute', 'mute', 'mute', 'stalled', 'deaf', 'cut'];

interface LeaderRunOptions {
  readonly firstSeed: number;
  readonly workloads: number;
}

/** Resolves to what was wrong, with the seed of each run. */
export async function runLeaders({ firstSeed, workloads }: LeaderRunOptions): Promise<string[]> {
  const pair = await ServerPair.start();
  const problems: string[] = [];
  try {
    for (let seed = firstSeed; seed < firstSeed + workloads; seed++) {
      const problem = await runOne(pair, seed);
      if (problem !== undefined) problems.push(`seed ${seed}: ${problem}`);
    }
  } finally {
    await pair.stop();
  }
  return problems;
}

async function runOne(pair: ServerPair, seed: number): Promise<string | undefined> {
  const random = new Random(seed);
  const replicas = random.between(1, 5);
  const fault = random.of(faults)!;
  const isTakenOver = random.below(4) > 0;
  const [leader, other] = await pair.inOrder();
  const namespace = `run-${seed}`;
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  await created(other, '/api/v1/namespaces', { metadata: { name: namespace } });
  const { body: before } = await other.get(pods);

  leader.proxy.pass(fault);
  await created(other, `/apis/apps/v1/namespaces/${namespace}/replicasets`, {
    metadata: { name: 'set' },
    spec: { replicas, selector: { matchLabels: appLabel }, template: template('i') },
  });
  if (fault === 'mute') await poll(() => leader.proxy.holds(`pods/${namespace}/`), maxSendingPolls);
  if (isTakenOver) {
    await poll(() => {
      pair.clock.advance(stepMs);
      return other.leads();
    });
    await poll(async () => (await other.get(pods)).body.items.length >= replicas);
  }
  leader.proxy.pass({ delayMs: 0 });
  await pair.settle(() => other.get(pods), replicas);

  await created(other, pods, { ...template('i'), metadata: { name: 'last' } });
  return overshoot(other, `${pods}?watch=1&resourceVersion=${before.metadata.resourceVersion}`, replicas);
}

/** Reads the changes of pods up to the pod `last`, and returns what is wrong with their number. */
async function overshoot(server: TestClient, path: string, replicas: number): Promise<string | undefined> {
  const watch = await server.watch(path);
  const names = new Set<string>();
  let most = 0;
  for (let event = await watch.next(); event; event = await watch.next()) {
    const { name } = event.object.metadata;
    if (name === 'last') break;
    if (event.type === 'DELETED') names.delete(name);
    else names.add(name);
    most = Math.max(most, names.size);
  }
  watch.close();
  if (most > replicas) return `${most} pods of ${replicas} replicas at a time`;
  return names.size === replicas ? undefined : `${names.size} pods of ${replicas} replicas in the end`;
}

/** A server that reaches etcd through a proxy. */
class Candidate extends TestClient {
  readonly running: RunningServer;
  readonly proxy: TcpProxy;

  constructor(running: RunningServer, proxy: TcpProxy) {
    super();
    this.running = running;
    this.proxy = proxy;
  }

  get url(): string {
    return this.running.url;
  }

  async leads(): Promise<boolean> {
    return /^leader_election_master_status\{.*\} 1$/m.test((await this.get('/metrics')).text);
  }

  /** Whether it is connected again, and no reconciliation waits for a response of etcd. */
  async isSettled(): Promise<boolean> {
    const [ready, metrics] = [await this.get('/readyz'), await this.get('/metrics')];
    const lines = metrics.text.match(/^workqueue_(depth|unfinished_work_seconds)\{.*$/gm) ?? [];
    return ready.code === 200 && lines.every((line) => line.endsWith(' 0'));
  }
}

class ServerPair {
  readonly clock = new MovableClock();
  readonly #candidates: Candidate[] = [];
  #etcd: TestEtcd | undefined;
  #folder = '';

  static async start(): Promise<ServerPair> {
    const pair = new ServerPair();
    try {
      await pair.#start();
    } catch (error) {
      await pair.stop();
      throw error;
    }
    return pair;
  }

  async #start(): Promise<void> {
    const found = findEtcd();
    if ('missing' in found) throw new Error(found.missing);
    this.#etcd = await TestEtcd.start(found.program);
    this.#folder = await mkdtemp(join(tmpdir(), 'orch-leaders-'));
    for (const name of ['first', 'second']) {
      const proxy = await TcpProxy.open(this.#etcd.url);
      const options = {
        ...defaultOptions,
        ...({ storage: 'etcd', etcdServers: [proxy.url], httpPort: 0, securePort: undefined } as const),
        ...{ dataDir: join(this.#folder, name), certDir: join(this.#folder, 'pki') },
        controllers: ['replicaset-controller'],
        disableAdmissionPlugins: ['ServiceAccount'],
        writeThreads: 0,
      };
      const running = await runServer(options, { clock: this.clock, logger: silentLogger });
      this.#candidates.push(new Candidate(running, proxy));
    }
  }

  async stop(): Promise<void> {
    for (const { running, proxy } of this.#candidates) {
      await running.stop();
      await proxy.close();
    }
    await this.#etcd?.stop();
    if (this.#folder !== '') await rm(this.#folder, { recursive: true });
  }

  /** The leader, and the other one. */
  async inOrder(): Promise<readonly [Candidate, Candidate]> {
    const [first, second] = this.#candidates as [Candidate, Candidate];
    await poll(async () => (await first.leads()) !== (await second.leads()));
    return (await first.leads()) ? [first, second] : [second, first];
  }

  /** Resolves once both servers are connected, one of them leads, and the ReplicaSet has its pods. */
  async settle(listPods: () => Promise<{ body: { items: unknown[] } }>, replicas: number): Promise<void> {
    await poll(async () => {
      // Retries of reconciliations; slowly, so that a busy server can still renew its Lease.
      this.clock.advance(stepMs / 10);
      const leading = await Promise.all(this.#candidates.map((candidate) => candidate.leads()));
      const settled = await Promise.all(this.#candidates.map((candidate) => candidate.isSettled()));
      const isLed = leading.filter(Boolean).length === 1;
      return isLed && settled.every(Boolean) && (await listPods()).body.items.length === replicas;
    });
  }
}

async function created(server: TestClient, path: string, body: object): Promise<void> {
  const { code, text } = await server.post(path, body);
  if (code !== 201) throw new Error(`POST ${path}: ${text}`);
}

/** Waits until a condition holds; with `limit`, gives up without an error. */
async function poll(isTrue: () => boolean | Promise<boolean>, limit?: number): Promise<void> {
  for (let polls = 0; !(await isTrue()); polls++) {
    if (polls === limit) return;
    if (polls === maxPolls) throw new Error(`never true: ${isTrue}`);
    await sleep(pollMs);
  }
}
