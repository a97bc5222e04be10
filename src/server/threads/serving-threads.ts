/**
 * The followers of the main thread: serving threads that listen on the same port (README.md).
 *
 * Invariants:
 * - A follower that ends unexpectedly is replaced.
 * - All followers have ended before the store closes: they send their last writes to it.
 */
import type { Worker } from 'node:worker_threads';
import type { AuditBackend } from '../../audit/backend.ts';
import { startWorker } from '../../base/worker-entry.ts';
import type { SharedSeatTable } from '../../flowcontrol/shared-seats.ts';
import type { MetricsPage } from '../../http/endpoints/metrics.ts';
import type { StoreHost } from '../../store/threads/store-host.ts';
import type { Logger } from '../../telemetry/log.ts';
import type { LoadedCertificates } from '../certificate-reloader.ts';
import { writeNow } from './forwarded-audit.ts';
import { mergeMetrics } from './merge-metrics.ts';
import type { FollowerData, FollowerMessage, MainMessage } from './messages.ts';

/** What the main thread knows once it listens. */
export type FollowerSettings = Pick<
  FollowerData,
  'options' | 'loaded' | 'tokenOptions' | 'staticTokens' | 'jwksUri' | 'maxSnapshots'
>;

export interface ServingThreadsParts {
  /** The number of serving threads, the main thread included. */
  readonly threads: number;
  readonly host: StoreHost;
  readonly seats: SharedSeatTable;
  readonly logger: Logger;
  readonly auditBackend: AuditBackend | undefined;
  /** The metrics of the main thread. */
  renderOwn(page: MetricsPage): Promise<string>;
}

/** Pause before a follower is replaced, which doubles with each one that ends before it is ready. */
const restartMs = 100;
const maxRestartMs = 10_000;
/** How long `stop` waits for a follower, which itself waits for requests in flight. */
const stopTimeoutMs = 15_000;
/** How long a page of metrics waits for a follower. */
const renderTimeoutMs = 5_000;

export class ServingThreads {
  readonly #parts: ServingThreadsParts;
  readonly #followers: Follower[] = [];
  #settings: FollowerSettings | undefined;
  /** How many followers in a row have ended before they were ready. */
  #failures = 0;
  #isStopping = false;

  constructor(parts: ServingThreadsParts) {
    this.#parts = parts;
  }

  /** Resolves once every follower listens. */
  async start(settings: FollowerSettings): Promise<void> {
    this.#settings = settings;
    for (let thread = 1; thread < this.#parts.threads; thread++)
      this.#followers.push(this.#startFollower(thread));
    await Promise.all(this.#followers.map(({ ready }) => ready));
  }

  setCertificates(loaded: LoadedCertificates): void {
    if (this.#settings) this.#settings = { ...this.#settings, loaded };
    this.#broadcast({ type: 'certificates', loaded });
  }

  announceShutdown(): void {
    this.#broadcast({ type: 'announceShutdown' });
  }

  /** Resolves once every follower has drained and ended. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#followers.map((follower) => follower.stop()));
  }

  /** The page of all threads. */
  async renderMetrics(page: MetricsPage): Promise<string> {
    const own = await this.#parts.renderOwn(page);
    const others = await Promise.all(this.#followers.map((follower) => follower.render(page)));
    return mergeMetrics([own, ...others.filter((text) => text !== undefined)]);
  }

  /** Makes one follower fail; resolves once it has ended. For tests. */
  async crash(thread: number): Promise<void> {
    const follower = this.#followers[thread - 1];
    follower?.post({ type: 'crash' });
    await follower?.ended;
  }

  #broadcast(message: MainMessage): void {
    for (const follower of this.#followers) follower.post(message);
  }

  #startFollower(thread: number): Follower {
    const { host, seats, threads, logger, auditBackend } = this.#parts;
    const { connection, close } = host.connect();
    const data: FollowerData = {
      ...this.#settings!,
      store: connection,
      seats: seats.buffer,
      threads,
      thread,
    };
    return new Follower(data, {
      onMessage: (message, follower) => {
        if (message.type === 'audit') auditBackend?.write(message.lines, message.eventCount);
        else if (message.type === 'auditNow' && auditBackend)
          writeNow(auditBackend, message.line, message.result);
        else if (message.type === 'merge') {
          const { id, page } = message;
          void this.renderMetrics(page).then((text) => follower.post({ type: 'merged', id, text }));
        }
      },
      onEnd: (problem, wasReady) => {
        close();
        seats.releaseThread(thread);
        if (this.#isStopping) return;
        this.#failures = wasReady ? 0 : this.#failures + 1;
        const waitMs = Math.min(restartMs * 2 ** this.#failures, maxRestartMs);
        logger.error(
          { thread, problem, restartsInMs: waitMs },
          'a serving thread ended, starting another one',
        );
        setTimeout(() => {
          if (!this.#isStopping) this.#followers[thread - 1] = this.#startFollower(thread);
        }, waitMs).unref();
      },
    });
  }
}

interface FollowerHandlers {
  onMessage(message: FollowerMessage, follower: Follower): void;
  onEnd(problem: string, wasReady: boolean): void;
}

class Follower {
  /** Resolves once it listens; rejects if it ends before. */
  readonly ready: Promise<void>;
  readonly #worker: Worker;
  readonly ended: Promise<void>;
  readonly #rendering = new Map<number, (text: string | undefined) => void>();
  #lastId = 0;

  constructor(data: FollowerData, handlers: FollowerHandlers) {
    // The build bundles thread-main.ts as serving-thread.js.
    const isSource = import.meta.url.endsWith('.ts');
    const entry = new URL(isSource ? './thread-main.ts' : './serving-thread.js', import.meta.url);
    this.#worker = startWorker('serving-thread', entry, {
      workerData: data,
      transferList: [data.store.port],
    });
    let problem = 'it exited';
    let isReady = false;
    this.#worker.on('error', (error: Error) => {
      problem = error.stack ?? error.message;
    });
    this.ready = new Promise((resolve, reject) => {
      this.#worker.on('message', (message: FollowerMessage) => {
        if (message.type === 'ready') {
          isReady = true;
          resolve();
        } else if (message.type === 'failed') {
          problem = message.problem;
        } else if (message.type === 'rendered') {
          this.#rendering.get(message.id)?.(message.text);
        } else handlers.onMessage(message, this);
      });
      this.#worker.once('exit', () => reject(new Error(`a serving thread did not start: ${problem}`)));
    });
    // `start` awaits the first ones. A later failure is reported by onEnd.
    this.ready.catch(() => {});
    this.ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        for (const resolveRendering of this.#rendering.values()) resolveRendering(undefined);
        resolve();
        handlers.onEnd(problem, isReady);
      });
    });
  }

  post(message: MainMessage): void {
    this.#worker.postMessage(message);
  }

  /** Undefined if the follower does not answer. */
  render(page: MetricsPage): Promise<string | undefined> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle(undefined), renderTimeoutMs);
      const settle = (text: string | undefined) => {
        clearTimeout(timer);
        this.#rendering.delete(id);
        resolve(text);
      };
      this.#rendering.set(id, settle);
      this.post({ type: 'render', id, page });
    });
  }

  async stop(): Promise<void> {
    this.post({ type: 'stop' });
    const timer = setTimeout(() => void this.#worker.terminate(), stopTimeoutMs);
    await this.ended;
    clearTimeout(timer);
  }
}
