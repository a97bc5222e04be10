/** How far etcd has come, and waiting until the copy has come as far. */
import { setImmediate } from 'node:timers/promises';
import { type Revision, StorageUnavailable } from '../store.ts';

export interface HeadsOptions {
  /** Asks etcd for its newest revision. */
  ask(): Promise<Revision>;
  /** The newest that the copy shows. */
  reached(): Revision;
  readonly timeoutMs: number;
  /** Why the copy does not follow, if it does not. */
  trouble(): Error | undefined;
  /** The copy has not come so far in time. */
  lags(): void;
}

/** So many questions may be under way. With one, who comes while it is waits for it and then for an answer of its own. */
const MOST_ASKED = 2;

interface Waiter {
  readonly revision: Revision;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
  readonly patience: NodeJS.Timeout;
}

export class Heads {
  readonly #options: HeadsOptions;
  readonly #waiters = new Set<Waiter>();
  readonly #underWay = new Set<Promise<void>>();
  #next: Promise<Revision> | undefined;

  constructor(options: HeadsOptions) {
    this.#options = options;
  }

  /**
   * The newest revision anywhere, once the copy has reached it. A question that is under way may be answered with less
   * than is known to who comes now: all who come before the next one is asked share that.
   */
  newest(): Promise<Revision> {
    this.#next ??= this.#askNext();
    return this.#next;
  }

  /** Resolves once the copy shows `revision`. */
  reach(revision: Revision): Promise<void> {
    const { reached, timeoutMs } = this.#options;
    if (reached() >= revision) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const patience = setTimeout(() => {
        this.#waiters.delete(waiter);
        reject(this.#behind(revision));
        this.#options.lags();
      }, timeoutMs);
      const waiter = { revision, resolve, reject, patience };
      this.#waiters.add(waiter);
    });
  }

  /** The copy shows `revision` now. */
  advance(revision: Revision): void {
    for (const waiter of this.#waiters) {
      if (waiter.revision > revision) continue;
      this.#waiters.delete(waiter);
      clearTimeout(waiter.patience);
      waiter.resolve();
    }
  }

  stop(): void {
    for (const { patience, reject } of this.#waiters) {
      clearTimeout(patience);
      reject(new StorageUnavailable('the store is closed'));
    }
    this.#waiters.clear();
  }

  async #askNext(): Promise<Revision> {
    if (this.#underWay.size >= MOST_ASKED) await Promise.race(this.#underWay);
    // Whoever else comes in this turn of the event loop shares the question.
    await setImmediate();
    this.#next = undefined;
    const asked = this.#options.ask();
    const done = () => {
      this.#underWay.delete(answered);
    };
    const answered = asked.then(done, done);
    this.#underWay.add(answered);
    const revision = await asked;
    await this.reach(revision);
    return revision;
  }

  #behind(revision: Revision): StorageUnavailable {
    const why = this.#options.trouble();
    return new StorageUnavailable(
      `etcd is at revision ${revision}, but this server has received only ${this.#options.reached()}` +
        (why ? `: ${why.message}` : ''),
      { cause: why },
    );
  }
}
