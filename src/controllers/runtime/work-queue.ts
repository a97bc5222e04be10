import type { Clock } from '../../base/clock.ts';
import { CooperativeYield } from '../../base/cooperative-yield.ts';
import { ApiError } from '../../errors/status.ts';
import type { Logger } from '../../telemetry/log.ts';
import type { WorkQueueMetrics, WorkQueueSeries } from './queue-metrics.ts';

export interface WorkQueueOptions {
  /** As others know the queue: in the log and in metrics. */
  readonly name: string;
  /** Does what is to be done about a key, as things are now. What fails is tried again, later and later. */
  reconcile(key: string): Promise<void>;
  /** How many keys are worked on at once; one unless it says otherwise. */
  readonly workers?: number;
  /** Begins within the turn of who asks, for what the very next request may need; else what comes together is seen together. */
  readonly isUrgent?: boolean;
}

export interface WorkQueueDependencies {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: WorkQueueMetrics;
}

export type WorkQueueFactory = (work: WorkQueueOptions) => WorkQueue;

/** How long a key rests after its first failure; twice as long after each further one, up to the longest. */
const firstRest = 20;
const longestRest = 60_000;

/**
 * Keys that something is to be done about. Each stands in it once however often it is asked for, is never worked on twice at
 * the same time, and is looked at again if it is asked for meanwhile.
 */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #series: WorkQueueSeries;
  readonly #options: WorkQueueOptions;
  /** With the time at which each was asked for. */
  readonly #due = new Map<string, number>();
  readonly #running = new Set<string>();
  readonly #again = new Set<string>();
  readonly #failures = new Map<string, number>();
  readonly #alarms = new Map<string, Alarm>();
  readonly #waiting: (() => void)[] = [];
  readonly #turns = new CooperativeYield();
  #workers = 0;
  #isClosed = false;

  constructor(options: WorkQueueOptions, { clock, logger, metrics }: WorkQueueDependencies) {
    this.#options = options;
    this.#clock = clock;
    this.#logger = logger;
    this.#series = metrics.of(options.name);
  }

  add(key: string): void {
    if (this.#isClosed) return;
    if (this.#running.has(key)) {
      this.#again.add(key);
      return;
    }
    if (this.#due.has(key)) return;
    this.#series.adds.value += 1;
    this.#due.set(key, performance.now());
    this.#series.depth.value = this.#due.size;
    if (this.#workers < (this.#options.workers ?? 1)) {
      this.#workers += 1;
      void this.#begin();
    }
  }

  /** Asks for a key once the time has come; of several such wishes the earliest counts. */
  addAfter(key: string, ms: number): void {
    if (this.#isClosed) return;
    if (ms <= 0) {
      this.add(key);
      return;
    }
    const at = this.#clock.now() + ms;
    const standing = this.#alarms.get(key);
    if (standing && standing.at <= at) return;
    standing?.cancel();
    const cancel = this.#clock.after(ms, () => {
      this.#alarms.delete(key);
      this.add(key);
    });
    this.#alarms.set(key, { at, cancel });
  }

  /** Whether a key is due or being worked on: what rests after a failure, or waits for its time, is not. */
  has(key: string): boolean {
    return this.#due.has(key) || this.#running.has(key);
  }

  /** Resolves once nothing is due. */
  async idle(): Promise<void> {
    while (this.#workers > 0) await this.nextCompletion();
  }

  /** Resolves once the work on some key is done: what is waited for may have come with it. */
  nextCompletion(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Forgets every key. */
  clear(): void {
    this.#due.clear();
    this.#again.clear();
    this.#failures.clear();
    for (const { cancel } of this.#alarms.values()) cancel();
    this.#alarms.clear();
    this.#series.depth.value = 0;
  }

  /** Takes no more, and resolves once what is under way is done. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.clear();
    await this.idle();
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  async #begin(): Promise<void> {
    await (this.#options.isUrgent ? undefined : breath());
    for (;;) {
      await this.#turns.next();
      const [next] = this.#due;
      if (!next) break;
      await this.#do(...next);
    }
    this.#workers -= 1;
    this.#wake();
  }

  async #do(key: string, since: number): Promise<void> {
    this.#due.delete(key);
    this.#series.depth.value = this.#due.size;
    this.#running.add(key);
    const begun = performance.now();
    this.#series.waited.observe((begun - since) / 1000);
    try {
      await this.#options.reconcile(key);
      this.#failures.delete(key);
    } catch (error) {
      this.#failed(key, error);
    }
    this.#series.worked.observe((performance.now() - begun) / 1000);
    this.#running.delete(key);
    if (this.#again.delete(key)) this.add(key);
    this.#wake();
  }

  #failed(key: string, error: unknown): void {
    if (this.#isClosed) return;
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    this.#series.retries.value += 1;
    this.addAfter(key, Math.min(firstRest * 2 ** failures, longestRest));
    // Somebody was faster: that happens, and is no reason to trouble anybody.
    if (error instanceof ApiError && error.code === 409 && failures < 5) return;
    const { name } = this.#options;
    this.#logger.warn({ err: error, controller: name, key }, 'reconcile failed, retrying');
  }
}

interface Alarm {
  readonly at: number;
  cancel(): void;
}

const breath = () => new Promise<void>((resolve) => setImmediate(resolve));
