/** npm run test:faults: verifies under injected faults that no acknowledged write is lost; see docs/reference/faults.md. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { findEtcd } from '../../../src/store/etcd/etcd.fixture.ts';
import type { Violation } from './checker/violation.ts';
import { Cleanup } from './cleanup.ts';
import { type Mutation, mutations } from './mutations/list.ts';
import { makeMutant, mutatedFiles } from './mutations/mutant.ts';
import { faultKinds, type Storage } from './plan.ts';
import { type RunResult, run } from './run.ts';

const help = `npm run test:faults -- [FLAGS]

Runs real servers, has clients use them while they are killed, stopped and cut off, and proves of what the clients saw that
nothing was lost, repeated or out of order. Without flags it takes about five minutes.

  --storage lmdb|etcd|both   what the servers keep their data in (both)
  --seed N                   what the first plan is made of; the next ones follow it (chosen at random)
  --runs N                   plans for each storage (3)
  --minutes M                go on with new plans for so long, instead of --runs
  --seconds S                how long one plan is (30 on lmdb, 45 on etcd)
  --plan FAULT[+FAULT],...   these faults over and over (with + at once), instead of what the seed chooses
  --serving-threads N        serving threads of each server on lmdb (1)
  --keep FILE                write all that was seen in the last run to this file
  --mutations                break the server on purpose, in every way that must be found, and see that it is
  --only REGEX               only the mutations of this name
  --verbose                  say what is done to the servers

Faults:
${Object.entries(faultKinds)
  .map(([kind, { what }]) => `  ${kind.padEnd(14)} ${what}`)
  .join('\n')}
`;

const { values: options } = parseArgs({
  options: {
    storage: { type: 'string', default: 'both' },
    seed: { type: 'string' },
    runs: { type: 'string', default: '3' },
    minutes: { type: 'string' },
    seconds: { type: 'string' },
    plan: { type: 'string' },
    'serving-threads': { type: 'string', default: '1' },
    keep: { type: 'string' },
    mutations: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const defaultSeconds = { lmdb: 30, etcd: 45 };
/** A mutation that is not detected by chance gets another attempt. */
const MUTATION_ATTEMPTS = 3;
const SHOWN_VIOLATIONS = 12;

const servingThreads = Number(options['serving-threads']);
const cleanup = new Cleanup();

async function main(): Promise<number> {
  if (options.help) {
    console.log(help);
    return 0;
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void cleanup.run().finally(() => process.exit(130)));
  const found = findEtcd();
  const etcd = 'program' in found ? found.program : undefined;
  if (etcd === undefined && options.storage !== 'lmdb')
    console.log(`${'!'.repeat(20)} ETCD SKIPPED: ${'missing' in found && found.missing}`);
  const storages = (['lmdb', 'etcd'] as const).filter(
    (storage) => ['both', storage].includes(options.storage) && (storage === 'lmdb' || etcd !== undefined),
  );
  if (storages.length === 0) throw new Error(`nothing to run on: --storage ${options.storage}`);
  return options.mutations ? proveChecker(storages, etcd ?? '') : prove(storages, etcd ?? '');
}

async function prove(storages: readonly Storage[], etcd: string): Promise<number> {
  const seed = options.seed === undefined ? Math.floor(Math.random() * 1_000_000) : Number(options.seed);
  const until =
    options.minutes === undefined ? undefined : performance.now() + Number(options.minutes) * 60_000;
  const isOver = (runs: number) =>
    until === undefined ? runs >= Number(options.runs) : performance.now() > until;
  const failed: string[] = [];
  let runs = 0;
  for (let round = 0; !isOver(round); round++) {
    for (const storage of storages) {
      const seconds = Number(options.seconds ?? defaultSeconds[storage]);
      console.log(`${storage}, seed ${seed + round}, ${seconds} s`);
      const say = (line: string) => options.verbose && console.log(`  ${line}`);
      const began = performance.now();
      const result = await run({
        storage,
        seed: seed + round,
        ms: seconds * 1000,
        faults: options.plan,
        etcd,
        servingThreads,
        say,
        cleanup,
      });
      runs++;
      console.log(`  ${summary(result)}, ${((performance.now() - began) / 1000).toFixed(0)} s`);
      if (options.keep !== undefined) writeFileSync(options.keep, JSON.stringify(result, undefined, 1));
      if (result.violations.length === 0) continue;
      show(result.violations);
      const again = `npm run test:faults -- --storage ${storage} --seed ${seed + round} --runs 1 --seconds ${seconds}${options.plan ? ` --plan ${options.plan}` : ''}${servingThreads > 1 ? ` --serving-threads ${servingThreads}` : ''}`;
      console.log(`  again: ${again}`);
      failed.push(again);
    }
  }
  console.log(`${runs} plans carried out, ${failed.length} with violations`);
  for (const again of failed) console.log(`  again: ${again}`);
  return failed.length === 0 ? 0 : 1;
}

function summary({ record, plan, changes, uncompared }: RunResult): string {
  const count = (outcome: string) => record.writes.filter((write) => write.outcome === outcome).length;
  const sessions = record.watchers.flatMap(({ listsAndWatches }) =>
    listsAndWatches.flatMap((each) => each.sessions),
  );
  return [
    `${plan.flatMap(({ faults }) => faults).length} faults`,
    `${count('done')} writes done, ${count('refused')} refused, ${count('unknown')} unknown`,
    `${changes} changes`,
    `${record.gets.length} gets, ${record.lists.length} lists (${uncompared} not compared)`,
    `${sessions.length} watches with ${sessions.reduce((sum, { events }) => sum + events.length, 0)} events, ${record.expiries.length} expired`,
    ...(record.leaderships.length > 0
      ? [
          `${record.leaderships.length} times leading`,
          `${record.leases.flat().length} states of the lease (${Math.max(0, record.leases.length - 1)} times out of sight)`,
        ]
      : []),
  ].join('; ');
}

function show(violations: readonly Violation[]): void {
  for (const { rule, what } of violations.slice(0, SHOWN_VIOLATIONS)) console.log(`  ✗ ${rule}: ${what}`);
  if (violations.length > SHOWN_VIOLATIONS)
    console.log(`  ✗ and ${violations.length - SHOWN_VIOLATIONS} more`);
}

async function proveChecker(storages: readonly Storage[], etcd: string): Promise<number> {
  const chosen = mutations.filter(
    ({ name, storage }) => storages.includes(storage) && new RegExp(options.only).test(name),
  );
  // A mutation that no longer applies is reported before the first run.
  for (const mutation of chosen) mutatedFiles(mutation);
  const missed: string[] = [];
  for (const mutation of chosen) {
    const found = await isFound(mutation, etcd);
    console.log(
      `${found ? '✓ caught' : '✗ MISSED'}: ${mutation.name} (${mutation.storage})${found ? `: ${found}` : ''}`,
    );
    if (!found) missed.push(mutation.name);
  }
  console.log(`${chosen.length - missed.length} of ${chosen.length} mutations caught`);
  return missed.length === 0 ? 0 : 1;
}

/** The first expected violation. */
async function isFound(mutation: Mutation, etcd: string): Promise<string | undefined> {
  const { storage, seconds, plan: faults, finds } = mutation;
  const copies = cleanup.part();
  try {
    const root = makeMutant(mutation, copies);
    for (let seed = 1; seed <= MUTATION_ATTEMPTS; seed++) {
      const say = (line: string) => options.verbose && console.log(`  ${line}`);
      const ms = seconds * 1000;
      const result = await run({ storage, seed, ms, faults, etcd, root, servingThreads, say, cleanup });
      if (options.verbose) show(result.violations);
      const violation = result.violations.find(({ rule }) => finds.includes(rule));
      if (violation) return `${violation.rule}: ${violation.what}`;
    }
    return undefined;
  } finally {
    await copies.run();
  }
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  return 1;
});
