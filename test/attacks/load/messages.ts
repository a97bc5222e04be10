// The messages between the coordinator of the load test and its processes.
import type { Latencies } from './latencies.ts';

/** What the honest clients do; all but `check` are answered with a report. */
export type HonestCommand = 'report' | 'pause' | 'resume' | 'check';

/** The measurements of the honest clients since the last report. */
export interface HonestReport {
  readonly latencies: Latencies;
  /** The latencies without the time that the serving thread or the client waited for a processor. */
  readonly unwaited?: Latencies;
  /** From the create of an object until the watch delivered it. */
  readonly watch: Latencies;
  readonly failures: Readonly<Record<string, number>>;
  readonly watchEnds: number;
}

/** The comparison of all acknowledged writes with what is stored. */
export interface HonestCheck {
  readonly acknowledged: number;
  readonly lost: readonly string[];
}

/** What the attackers sent: requests per status, or per name of what they did. */
export interface AttackerReport {
  readonly requests: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly seconds: number;
}

/** Begins an attack, or cheap requests at a rate per second. */
export type AttackerCommand = { readonly begin: true; readonly cheapRate?: number } | { readonly end: true };
