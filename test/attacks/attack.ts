// The attack suite: what an attack is, and what must hold during and after it.
import { setTimeout as sleep } from 'node:timers/promises';
import { exchange, type Server } from '../parity/client.ts';
import type { StartedServer, Undo } from '../parity/servers.ts';

export type Side = 'orch' | 'reference';

export interface Attack {
  readonly name: string;
  /** The number of tries that it consists of; 1 unless stated. */
  readonly count?: number;
  readonly timeoutMs?: number;
  /**
   * Rejects if the server gave in: followed a redirect, logged a secret, accepted a forged backup. An AggregateError has
   * one error per try that had an effect.
   */
  run(): Promise<void>;
}

/** The attacks of a class, and the server that must survive them. */
export interface PreparedClass {
  readonly target: Server;
  readonly attacks: readonly Attack[];
  /** What an honest client reads meanwhile; a namespace, unless the attack is on the storage. */
  readonly honestPath?: string;
  /** The answer to each try, for a comparison of the two servers; filled while the attacks run. */
  readonly answers?: Answers;
}

/** The status of each try, or a text that starts with it. */
export type Answers = ReadonlyMap<string, number | string>;

/** Tries that Orch answers differently from the reference for a reason. */
export interface AcceptedDifference {
  readonly tries: RegExp;
  /** What both answered, such as `400, reference 422`; absent: anything. */
  readonly answers?: RegExp;
  readonly reason: string;
}

interface AttackContext {
  readonly side: Side;
  /** The server that most classes attack. */
  readonly server: StartedServer;
  /** Cleanups, which run after the class. */
  readonly undo: Undo;
  /** Of pseudo-random tries. */
  readonly seed: number;
}

export interface AttackClass {
  readonly name: string;
  readonly sides: readonly Side[];
  /** Other differences from the reference fail the run. Absent: differences are only printed. */
  readonly accepted?: readonly AcceptedDifference[];
  prepare(context: AttackContext): Promise<PreparedClass>;
}

/** The result of a class on one server. */
export interface ClassResult {
  readonly attacks: number;
  readonly problems: readonly string[];
  /** The slowest honest request while the attacks ran, in milliseconds. */
  readonly slowestMs: number;
  readonly memoryBefore: number;
  readonly memoryAfter: number;
  readonly answers?: Answers | undefined;
}

const megabyte = 1024 * 1024;
const defaultTimeoutMs = 60_000;
/** An honest request is answered within this time, whatever others do. */
const honestTimeoutMs = 5_000;
const probeIntervalMs = 50;
/** Memory may exceed that of the start by this much: caches, and a heap that is not yet collected. */
const memoryAllowance = { ratio: 1.2, bytes: 150 * megabyte };
const memoryTimeoutMs = 60_000;

export async function runClass(prepared: PreparedClass): Promise<ClassResult> {
  const { target, attacks, honestPath, answers } = prepared;
  const before = await processState(target);
  const problems: string[] = [];
  let slowestMs = 0;
  for (const attack of attacks) {
    const attackEnd = new AbortController();
    const probing = probe(target, honestPath ?? '/api/v1/namespaces/default', attackEnd.signal);
    // The result is awaited after the attack.
    probing.catch(() => {});
    try {
      await withTimeout(attack.run(), attack.timeoutMs ?? defaultTimeoutMs);
    } catch (error) {
      const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
      problems.push(...errors.map((each) => `${attack.name}: ${messageOf(each)}`));
    }
    attackEnd.abort();
    try {
      slowestMs = Math.max(slowestMs, await probing);
      const { startTime } = await processState(target);
      if (startTime !== before.startTime) problems.push(`${attack.name}: the process was restarted`);
    } catch (error) {
      problems.push(`${attack.name}: an honest request failed: ${messageOf(error)}`);
    }
  }
  // A target that is gone has been reported.
  const memoryAfter = await settledMemory(target, before.memory).catch(() => 0);
  if (memoryAfter > memoryLimit(before.memory)) {
    problems.push(`memory stays at ${toMegabytes(memoryAfter)} MB, ${toMegabytes(before.memory)} MB before`);
  }
  const count = attacks.reduce((sum, attack) => sum + (attack.count ?? 1), 0);
  return { attacks: count, problems, slowestMs, memoryBefore: before.memory, memoryAfter, answers };
}

/** An attack that consists of many tries, some at once. All are made, whichever of them have an effect. */
export function attackOfTries<T>(
  name: string,
  tries: readonly T[],
  run: (one: T) => Promise<void>,
  { concurrency = 8, timeoutMs = 600_000 } = {},
): Attack {
  return {
    name,
    count: tries.length,
    timeoutMs,
    async run() {
      const errors: unknown[] = [];
      const rest = tries.values();
      const worker = async () => {
        for (const one of rest) await run(one).catch((error: unknown) => errors.push(error));
      };
      await Promise.all(Array.from({ length: concurrency }, worker));
      if (errors.length > 0) throw new AggregateError(errors);
    },
  };
}

export const toMegabytes = (bytes: number) => Math.round(bytes / megabyte);

/** Sends honest requests until the signal; resolves to the longest time of one. */
async function probe(target: Server, path: string, signal: AbortSignal): Promise<number> {
  let slowestMs = 0;
  do {
    const from = performance.now();
    const { status } = await withTimeout(get(target, path), honestTimeoutMs);
    if (status !== 200) throw new Error(`status ${status}`);
    slowestMs = Math.max(slowestMs, performance.now() - from);
    await sleep(probeIntervalMs);
  } while (!signal.aborted);
  return slowestMs;
}

async function processState(target: Server): Promise<{ memory: number; startTime: number }> {
  const { body } = await get(target, '/metrics');
  const read = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(body)?.[1]);
  return { memory: read('process_resident_memory_bytes'), startTime: read('process_start_time_seconds') };
}

const memoryLimit = (before: number) => before * memoryAllowance.ratio + memoryAllowance.bytes;

/** The memory once it is within the limit, or at the end of the timeout. */
async function settledMemory(target: Server, before: number): Promise<number> {
  const end = performance.now() + memoryTimeoutMs;
  for (;;) {
    const { memory } = await processState(target);
    if (memory <= memoryLimit(before) || performance.now() > end) return memory;
    await sleep(1_000);
  }
}

const get = (target: Server, path: string) =>
  exchange(target, { method: 'GET', path, headers: { authorization: `Bearer ${target.token}` } });

async function withTimeout<T>(result: Promise<T>, timeoutMs: number): Promise<T> {
  const timer = new AbortController();
  try {
    return await Promise.race([
      result,
      sleep(timeoutMs, undefined, { signal: timer.signal }).then(() => {
        throw new Error(`not done within ${timeoutMs / 1000} s`);
      }),
    ]);
  } finally {
    timer.abort();
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
