import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from './api.ts';

/** A task for the controllers, in its own namespace. */
export interface Scenario {
  /** Also the name of the namespace. */
  readonly name: string;
  run(stage: Stage): Promise<void>;
}

export interface Stage {
  readonly api: Api;
  readonly namespace: string;
  /** Waits until the expected state is reached. */
  until(what: string, isThere: () => Promise<boolean>): Promise<void>;
}

/** The expectations that were not met in time. */
export class ExpectationTimeout extends Error {}

const pollMs = 500;

/** Reports met expectations, and knows the pending ones. */
export class Progress {
  readonly awaited = new Set<string>();
  met = 0;
  readonly #from = performance.now();
  readonly #until: number;

  constructor(seconds: number) {
    this.#until = this.#from + seconds * 1000;
  }

  get seconds(): number {
    return Math.round((performance.now() - this.#from) / 1000);
  }

  say(text: string): void {
    console.log(`${String(this.seconds).padStart(4)} s  ${text}`);
  }

  stage(api: Api, namespace: string): Stage {
    return { api, namespace, until: (what, isThere) => this.#wait(`${namespace}: ${what}`, isThere) };
  }

  async #wait(what: string, isThere: () => Promise<boolean>): Promise<void> {
    this.awaited.add(what);
    while (!(await isThere())) {
      if (performance.now() > this.#until) throw new ExpectationTimeout(what);
      await sleep(pollMs);
    }
    this.awaited.delete(what);
    this.met++;
    this.say(`✓ ${what}`);
  }

  /** Waits for the end of the run, and periodically prints the pending expectations. */
  async rest(signal: AbortSignal): Promise<void> {
    while (performance.now() < this.#until && !signal.aborted) {
      await sleep(Math.min(10_000, Math.max(1, this.#until - performance.now())), undefined, {
        signal,
      }).catch(() => {});
      if (this.awaited.size > 0) this.say(`… waiting for ${[...this.awaited].join('; ')}`);
    }
  }
}
