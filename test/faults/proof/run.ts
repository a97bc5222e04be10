/** One run: a cluster, its clients, its faults, and the result of the checker. */
import { setTimeout } from 'node:timers/promises';
import { type Checked, check } from './checker/check.ts';
import type { Violation } from './checker/violation.ts';
import type { Cleanup } from './cleanup.ts';
import { Cluster } from './cluster/cluster.ts';
import { faults as doing } from './faults.ts';
import { makePlan, type Step, type Storage, usesDisk } from './plan.ts';
import { Random } from './random.ts';
import { newRecord, type RunRecord } from './record.ts';
import { ask } from './workload/ask.ts';
import { collections, prepareCollections } from './workload/collections.ts';
import { recordLease } from './workload/leases.ts';
import { list, read } from './workload/readers.ts';
import { Stage } from './workload/stage.ts';
import { Watcher } from './workload/watchers.ts';
import { write } from './workload/writers.ts';

const WRITERS = 6;
const READERS = 3;
/** Of each collection; the first never disconnects by itself. */
const WATCHERS = 3;
/** How long the recovery after the last fault may take. */
const RECOVERY_MS = 60_000;
const SHOWN_REFUSAL = 500;

export interface RunOptions {
  readonly storage: Storage;
  readonly seed: number;
  readonly ms: number;
  readonly faults?: string | undefined;
  readonly etcd: string;
  readonly root?: string | undefined;
  /** Of each server on lmdb. */
  readonly servingThreads: number;
  readonly say: (line: string) => void;
  /** Ends the processes of the run, also after an interruption. */
  readonly cleanup: Cleanup;
}

export interface RunResult extends Checked {
  readonly record: RunRecord;
  readonly plan: readonly Step[];
}

export async function run(options: RunOptions): Promise<RunResult> {
  const { storage, seed, ms, faults, etcd, root, servingThreads, say } = options;
  const cleanup = options.cleanup.part();
  const plan = makePlan({ storage, seed, ms, faults });
  const record = newRecord();
  try {
    const cluster = await Cluster.start(cleanup, {
      storage,
      etcd,
      root,
      servingThreads,
      hasFullDisks: usesDisk(plan),
      record,
      say,
    });
    const urls = cluster.servers.map(({ url }) => url);
    await prepareCollections(urls);
    const stage = new Stage(storage, urls, record);
    const unrecovered = await play(stage, new Random(seed).branch(), () =>
      runPlan(plan, cluster, record, say),
    );
    for (const server of cluster.servers) server.finish();
    const checked = check(record);
    return { ...checked, violations: [...unrecovered, ...checked.violations], record, plan };
  } finally {
    await cleanup.run();
  }
}

async function runPlan(
  plan: readonly Step[],
  cluster: Cluster,
  record: RunRecord,
  say: (line: string) => void,
): Promise<void> {
  for (const step of plan) {
    await setTimeout(step.rest);
    const names = step.faults.map(
      ({ kind, target, lasts }) => `${kind} ${target} ${(lasts / 1000).toFixed(1)} s`,
    );
    say(`${(performance.now() / 1000).toFixed(1)} s: ${names.join(' beside ')}`);
    await Promise.all(step.faults.map((fault) => doing[fault.kind]({ cluster, record }, fault)));
  }
}

/** Runs clients while faults are injected, until all watchers have received the last write. */
async function play(stage: Stage, random: Random, meanwhile: () => Promise<void>): Promise<Violation[]> {
  const followers = collections.flatMap((collection) =>
    Array.from(
      { length: WATCHERS },
      (_, i) =>
        new Watcher(stage, collection, `watcher ${i} of ${collection.name}`, random.branch(), i === 0),
    ),
  );
  const watching = followers.map((follower) => follower.run());
  // So that some watcher receives every write.
  while (followers.some(({ reached }) => reached === 0)) await setTimeout(20);
  const others = [
    ...Array.from({ length: WRITERS }, (_, i) => write(stage, i, random.branch())),
    ...Array.from({ length: READERS }, () => read(stage, random.branch())),
    ...(stage.storage === 'etcd' ? [recordLease(stage, random.branch())] : []),
  ];
  await meanwhile();
  await setTimeout(random.between(500, 1_500));
  stage.isOn = false;
  await Promise.all(others);
  const unrecovered = await settle(stage, followers);
  for (const follower of followers) follower.stop();
  await Promise.all(watching);
  return unrecovered;
}

/** One more write to each collection, which every watcher must receive; then every server has the same latest state. */
async function settle(stage: Stage, followers: readonly Watcher[]): Promise<Violation[]> {
  const deadline = performance.now() + RECOVERY_MS;
  const violations: Violation[] = [];
  for (const collection of collections) {
    const last = await lastWrite(stage, collection, deadline);
    if (typeof last === 'string') {
      const what = `nothing can be written to ${collection.name}: ${last}`;
      violations.push({ rule: 'no recovery', what });
      continue;
    }
    const late = followers.filter(({ seen }) => seen.collection === collection.name);
    while (late.some(({ reached }) => reached < last) && performance.now() < deadline) await setTimeout(20);
    for (const { seen, reached } of late)
      if (reached < last)
        violations.push({
          rule: 'no recovery',
          what: `${seen.name} has come to ${reached}, and ${last} was written`,
        });
    for (let server = 0; server < stage.servers; server++) {
      while ((await list(stage, collection, server, 'newest')) === undefined) {
        if (performance.now() > deadline) {
          violations.push({ rule: 'no recovery', what: `server ${server} does not list ${collection.name}` });
          break;
        }
        await setTimeout(100);
      }
    }
  }
  return violations;
}

/** The revision of a write that finally succeeds, or the error of the last failed attempt. */
async function lastWrite(
  stage: Stage,
  { path, header, field, name: collection }: (typeof collections)[number],
  deadline: number,
): Promise<number | string> {
  let refusal = '';
  for (let attempt = 0; performance.now() < deadline; attempt++) {
    const server = attempt % stage.servers;
    const [name, id] = [`last-${attempt}`, `last-${attempt}`];
    const body = { ...header, metadata: { name }, [field]: { token: id } };
    const began = performance.now();
    const response = await ask(stage.urlOf(server), 'POST', path, { body });
    const request = {
      collection,
      server,
      began,
      ended: performance.now(),
      id,
      verb: 'create' as const,
      name,
    };
    if (response.code !== 201 || !('body' in response)) {
      stage.record.writes.push({ ...request, outcome: 'unknown', code: response.code });
      refusal = JSON.stringify(response).slice(0, SHOWN_REFUSAL);
      await setTimeout(100);
      continue;
    }
    const { metadata } = response.body as { metadata: { uid: string; resourceVersion: string } };
    const revision = Number(metadata.resourceVersion);
    const object = { name, uid: metadata.uid, revision, token: id, patch: '' };
    stage.record.writes.push({ ...request, outcome: 'done', code: 201, object });
    return revision;
  }
  return refusal;
}
