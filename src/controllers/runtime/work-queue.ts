// A rate-limited work queue, as in client-go's util/workqueue.
import type { Clock } from '../../base/clock.ts';
import { CooperativeYield } from '../../base/cooperative-yield.ts';
import { ApiError } from '../../errors/status.ts';
import type { Logger } from '../../telemetry/log.ts';
import type { WorkQueueMetrics, WorkQueueSeries } from './queue-metrics.ts';

export interface WorkQueueOptions {
  /** The name in logs and metrics. */
  readonly name: string;
  /** Reconciles the current state of a key. Failures are retried with exponential backoff. */
  reconcile(key: string): Promise<void>;
  /** Concurrent reconciliations; default 1. */
  readonly workers?: number;
  /**
   * Starts in the same turn of the event loop, for objects that the next request may need. Otherwise it starts in
   * the next turn, so that changes that arrive together are reconciled together.
   */
  readonly isUrgent?: boolean;
}

export interface WorkQueueDependencies {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: WorkQueueMetrics;
}

export type WorkQueueFactory = (work: WorkQueueOptions) => WorkQueue;

/** Exponential backoff after failures. */
const minBackoffMs = 20;
const maxBackoffMs = 60_000;
/** Conflicts are expected: they are logged only when they persist. */
const maxSilentConflicts = 5;

/**
 * A key is queued once however often it is added, is never reconciled twice at the same time, and is reconciled again
 * if it is added meanwhile.
 */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #series: WorkQueueSeries;
  readonly #options: WorkQueueOptions;
  /** By key, the time at which it was added. */
  readonly #queued = new Map<string, number>();
  readonly #running = new Set<string>();
  /** Keys that were added while they were being reconciled. */
  readonly #dirty = new Set<string>();
  /** Consecutive failures by key. */
  readonly #failures = new Map<string, number>();
  /** Keys that addAfter will add. */
  readonly #delayed = new Map<string, DelayedKey>();
  /** Callers of nextCompletion. */
  readonly #waiters: (() => void)[] = [];
  readonly #yielder = new CooperativeYield();
  /** The number of running workers. */
  #workers = 0;
  #isClosed = false;

  constructor(options: WorkQueueOptions, { clock, logger, metrics }: WorkQueueDependencies) {
    this.#options = options;
    this.#clock = clock;
    this.#logger = logger;
    this.#series = metrics.forQueue(options.name);
  }

  add(key: string): void {
    if (this.#isClosed) return;
    if (this.#running.has(key)) {
      this.#dirty.add(key);
      return;
    }
    if (this.#queued.has(key)) return;
    this.#series.adds.value += 1;
    this.#queued.set(key, performance.now());
    this.#series.depth.value = this.#queued.size;
    if (this.#workers < (this.#options.workers ?? 1)) {
      this.#workers += 1;
      void this.#runWorker();
    }
  }

  /** Adds a key after a delay; of several delays of a key the earliest counts. */
  addAfter(key: string, delayMs: number): void {
    if (this.#isClosed) return;
    if (delayMs <= 0) {
      this.add(key);
      return;
    }
    const dueMs = this.#clock.now() + delayMs;
    const scheduled = this.#delayed.get(key);
    if (scheduled && scheduled.dueMs <= dueMs) return;
    scheduled?.cancel();
    const cancel = this.#clock.after(delayMs, () => {
      this.#delayed.delete(key);
      this.add(key);
    });
    this.#delayed.set(key, { dueMs, cancel });
  }

  /** Whether a key is queued or being reconciled. Keys that wait for a delay or a retry are not. */
  has(key: string): boolean {
    return this.#queued.has(key) || this.#running.has(key);
  }

  /** Resolves once the queue is empty and no key is being reconciled. */
  async idle(): Promise<void> {
    while (this.#workers > 0) await this.nextCompletion();
  }

  /** Resolves after the next reconciliation of any key. */
  nextCompletion(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  /** Removes all keys. */
  clear(): void {
    this.#queued.clear();
    this.#dirty.clear();
    this.#failures.clear();
    for (const { cancel } of this.#delayed.values()) cancel();
    this.#delayed.clear();
    this.#series.depth.value = 0;
  }

  /** Accepts no more keys; resolves once no key is being reconciled. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.clear();
    await this.idle();
  }

  #notifyWaiters(): void {
    for (const resolve of this.#waiters.splice(0)) resolve();
  }

  async #runWorker(): Promise<void> {
    await (this.#options.isUrgent ? undefined : nextEventLoopTurn());
    for (;;) {
      await this.#yielder.next();
      const [next] = this.#queued;
      if (!next) break;
      const [key, addedAt] = next;
      await this.#reconcile(key, addedAt);
    }
    this.#workers -= 1;
    this.#notifyWaiters();
  }

  async #reconcile(key: string, addedAt: number): Promise<void> {
    this.#queued.delete(key);
    this.#series.depth.value = this.#queued.size;
    this.#running.add(key);
    const startedAt = performance.now();
    this.#series.queueDuration.observe((startedAt - addedAt) / 1000);
    try {
      await this.#options.reconcile(key);
      this.#failures.delete(key);
    } catch (error) {
      this.#scheduleRetry(key, error);
    }
    this.#series.workDuration.observe((performance.now() - startedAt) / 1000);
    this.#running.delete(key);
    if (this.#dirty.delete(key)) this.add(key);
    this.#notifyWaiters();
  }

  #scheduleRetry(key: string, error: unknown): void {
    if (this.#isClosed) return;
    const earlierFailures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, earlierFailures + 1);
    this.#series.retries.value += 1;
    this.addAfter(key, Math.min(minBackoffMs * 2 ** earlierFailures, maxBackoffMs));
    const isConflict = error instanceof ApiError && error.code === 409;
    if (isConflict && earlierFailures < maxSilentConflicts) return;
    const { name } = this.#options;
    // The logger drops fields named `key`, which may be secrets.
    this.#logger.warn({ err: error, controller: name, object: key }, 'reconcile failed, retrying');
  }
}

interface DelayedKey {
  readonly dueMs: number;
  cancel(): void;
}

const nextEventLoopTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
