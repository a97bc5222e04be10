// The load test: ten attackers of each kind for a minute, and what honest clients notice of it, on Orch and on the reference.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { end, type Undo } from '../../parity/servers.ts';
import { type Side, toMegabytes } from '../attack.ts';
import type { LoadKind } from './attacker.ts';
import { LoadClient } from './client.ts';
import { kinds } from './kinds/index.ts';
import type { Latencies } from './latencies.ts';
import type {
  AttackerCommand,
  AttackerReport,
  HonestCheck,
  HonestCommand,
  HonestReport,
} from './messages.ts';
import { mainThreadTime, type ThreadTime } from './processor-waits.ts';
import { anonymousMemory, startTarget, type Target } from './servers.ts';
import { adminToken, rightsObjects } from './users.ts';

export interface LoadOptions {
  readonly sides: readonly Side[];
  readonly kit: string | undefined;
  readonly only: RegExp;
  readonly seconds: number;
}

/** What must hold. */
const bounds = { p99AboveIdleMs: 100, memoryRatio: 1.2, waitedShare: 0.25 };
const warmUpMs = 5_000;
/** At most; a shorter attack has shorter phases. */
const idleMs = 10_000;
const controlMs = 10_000;
const settleMs = 60_000;
const sampleMs = 250;
/** Time for authorization and discovery to observe what was prepared. */
const prepareMs = 2_000;

interface LoadResult {
  readonly attack: AttackerReport;
  readonly idle: HonestReport;
  readonly during: HonestReport;
  /** While the attackers sent cheap requests at the same rate. */
  readonly control: HonestReport;
  readonly memory: { readonly before: number; readonly peak: number; readonly after: number };
  readonly check: HonestCheck;
  /** The shares of the attack that the serving thread ran, and waited for a processor. */
  readonly thread: ThreadTime | undefined;
}

/** Runs every kind on every server in turn; resolves to the number of failed bounds of Orch. */
export async function runLoad({ sides, kit, only, seconds }: LoadOptions, undo: Undo): Promise<number> {
  printRow(columns);
  printRow(columns.map(() => '---'));
  let failed = 0;
  for (const kind of kinds) {
    if (!only.test(kind.name)) continue;
    for (const side of sides) {
      try {
        const result = await measure(kind, side, kit, seconds * 1000, undo);
        const problems = problemsOf(result);
        printResult(kind, side, result, problems);
        if (side === 'orch') failed += problems.length;
      } catch (error) {
        printRow([kind.name, side, `failed: ${error instanceof Error ? error.message : String(error)}`]);
        if (side === 'orch') failed++;
      } finally {
        for (const step of undo.splice(0).reverse()) await step();
      }
    }
  }
  return failed;
}

async function measure(
  kind: LoadKind,
  side: Side,
  kit: string | undefined,
  attackMs: number,
  undo: Undo,
): Promise<LoadResult> {
  const target = await startTarget(side, kit, undo);
  await grantRights(target, kind);
  const attackers = startProcess('attackers-process.ts', [target.url, kind.name], 10, undo);
  await answer(attackers);
  await sleep(prepareMs);
  const honest = startProcess(
    'honest-clients-process.ts',
    [target.url, ...(target.servingPid ? [String(target.servingPid)] : [])],
    0,
    undo,
  );
  await answer(honest);
  const report = (command: HonestCommand = 'report') => ask<HonestReport>(honest, command);

  await sleep(warmUpMs);
  await report();
  await sleep(Math.min(idleMs, attackMs));
  const idle = await report();
  const before = anonymousMemory(target.pids);

  const threadBefore = threadTimeOf(target);
  attackers.send({ begin: true } satisfies AttackerCommand);
  const peak = await peakMemory(target, attackMs);
  const during = await report();
  const thread = shares(threadBefore, threadTimeOf(target), attackMs);
  const attack = await ask<AttackerReport>(attackers, { end: true } satisfies AttackerCommand);
  await report('pause');
  const after = await settledMemory(target, before);

  await report('resume');
  const cheapRate = Math.max(1, attack.requests / attack.seconds);
  attackers.send({ begin: true, cheapRate } satisfies AttackerCommand);
  await sleep(Math.min(controlMs, attackMs));
  const control = await report();
  await ask(attackers, { end: true } satisfies AttackerCommand);
  const check = await ask<HonestCheck>(honest, 'check');
  return { attack, idle, during, control, memory: { before, peak, after }, check, thread };
}

const threadTimeOf = ({ servingPid }: Target) => (servingPid ? mainThreadTime(servingPid) : undefined);

function shares(
  before: ThreadTime | undefined,
  after: ThreadTime | undefined,
  overMs: number,
): ThreadTime | undefined {
  if (!before || !after) return undefined;
  return { ran: (after.ran - before.ran) / overMs, waited: (after.waited - before.waited) / overMs };
}

async function grantRights(target: Target, { rights }: LoadKind): Promise<void> {
  const admin = new LoadClient(target.url, adminToken);
  for (const [path, object] of rightsObjects(rights)) {
    const { status, text } = await admin.send({ method: 'POST', path, body: JSON.stringify(object) });
    // A controller may create the service account first.
    if (status >= 300 && status !== 409) throw new Error(`POST ${path}: ${status} ${text}`);
  }
  admin.close();
}

/** Starts a process with a channel for messages. */
function startProcess(file: string, words: readonly string[], niceness: number, undo: Undo): ChildProcess {
  const command = [process.execPath, join(import.meta.dirname, file), ...words];
  const child = spawn('nice', ['-n', String(niceness), ...command], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  undo.push(() => end(child));
  return child;
}

/** The next message of a process. */
async function answer<T>(child: ChildProcess): Promise<T> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`a process ended with exit code ${code}`);
  });
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [T];
  // The end of the process is of no interest any more.
  ended.catch(() => {});
  return message;
}

function ask<T>(child: ChildProcess, message: string | object): Promise<T> {
  const answered = answer<T>(child);
  child.send(message);
  return answered;
}

async function peakMemory(target: Target, forMs: number): Promise<number> {
  let peak = 0;
  for (const until = performance.now() + forMs; performance.now() < until; await sleep(sampleMs)) {
    peak = Math.max(peak, anonymousMemory(target.pids));
  }
  return peak;
}

/** The memory once it is within the bound, or at the end of the timeout. */
async function settledMemory(target: Target, before: number): Promise<number> {
  for (const until = performance.now() + settleMs; ; await sleep(sampleMs)) {
    const memory = anonymousMemory(target.pids);
    if (memory <= before * bounds.memoryRatio || performance.now() > until) return memory;
  }
}

const above = (idle: Latencies, during: Latencies) => during.p99 > idle.p99 + bounds.p99AboveIdleMs;

function problemsOf({ attack, idle, during, memory, check, thread }: LoadResult): string[] {
  const problems = check.lost.length > 0 ? [`lost: ${check.lost.slice(0, 3).join('; ')}`] : [];
  const isSlow = above(idle.latencies, during.latencies);
  if (isSlow) problems.push('p99');
  if (idle.unwaited && above(idle.unwaited, during.unwaited!)) problems.push('p99 without processor waits');
  if (memory.after > memory.before * bounds.memoryRatio) problems.push('memory');
  // These two say that the run measured too little, not that the server is slow.
  if (attack.requests === 0) problems.push('inconclusive: no attacker got an answer');
  if (isSlow && thread && thread.waited > bounds.waitedShare)
    problems.push('inconclusive: other processes had the processor');
  const failures = Object.entries(during.failures);
  if (failures.length > 0) problems.push(`failed: ${counts(during.failures)}`);
  if (during.watchEnds > idle.watchEnds) problems.push('watch ended');
  return problems;
}

const columns = [
  'attack',
  'server',
  'requests',
  'idle p50/p99/max',
  'during p50/p99/max',
  'without processor waits idle/during/control p99',
  'control p99',
  'serving thread ran/waited',
  'watch p99 idle/during',
  'memory before/peak/after',
  'lost',
  'over a bound',
];

function printResult(kind: LoadKind, side: Side, result: LoadResult, problems: readonly string[]): void {
  const { attack, idle, during, control, memory, check, thread } = result;
  const sizes = [memory.before, memory.peak, memory.after].map(toMegabytes);
  printRow([
    kind.name,
    side,
    `${attack.requests} (${counts(attack.outcomes)})`,
    triple(idle.latencies),
    triple(during.latencies),
    idle.unwaited
      ? `${[idle, during, control].map(({ unwaited }) => rounded(unwaited!.p99)).join('/')} ms`
      : '–',
    `${rounded(control.latencies.p99)} ms`,
    thread ? `${percent(thread.ran)}/${percent(thread.waited)}` : '–',
    `${rounded(idle.watch.p99)}/${rounded(during.watch.p99)} ms`,
    `${sizes.join('/')} MB`,
    `${check.lost.length} of ${check.acknowledged}`,
    problems.join(', ') || '–',
  ]);
}

const rounded = (ms: number) => (ms < 10 ? ms.toFixed(1) : ms.toFixed(0));
const percent = (share: number) => `${Math.round(share * 100)} %`;
const triple = ({ p50, p99, max }: Latencies) => `${[p50, p99, max].map(rounded).join('/')} ms`;
const counts = (outcomes: Readonly<Record<string, number>>) =>
  Object.entries(outcomes)
    .map(([outcome, count]) => `${outcome}: ${count}`)
    .join(', ');

const printRow = (cells: readonly string[]) => console.log(`| ${cells.join(' | ')} |`);
