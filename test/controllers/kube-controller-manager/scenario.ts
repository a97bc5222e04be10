import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from './api.ts';

/** Something the controllers are given to do, in a namespace of its own. */
export interface Scenario {
  /** Also the namespace's name. */
  readonly name: string;
  run(stage: Stage): Promise<void>;
}

export interface Stage {
  readonly api: Api;
  readonly namespace: string;
  /** Waits until what is expected is there. */
  until(what: string, isThere: () => Promise<boolean>): Promise<void>;
}

/** What was expected and did not come in time. */
export class NeverCame extends Error {}

const pollMs = 500;

/** Tells of what has come, and knows what is still awaited. */
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
      if (performance.now() > this.#until) throw new NeverCame(what);
      await sleep(pollMs);
    }
    this.awaited.delete(what);
    this.met++;
    this.say(`✓ ${what}`);
  }

  /** Waits for the end of the run, and says now and then what is still missing. */
  async rest(signal: AbortSignal): Promise<void> {
    while (performance.now() < this.#until && !signal.aborted) {
      await sleep(Math.min(10_000, Math.max(1, this.#until - performance.now())), undefined, {
        signal,
      }).catch(() => {});
      if (this.awaited.size > 0) this.say(`… waiting for ${[...this.awaited].join('; ')}`);
    }
  }
}
