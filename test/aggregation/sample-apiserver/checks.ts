import { setTimeout as sleep } from 'node:timers/promises';

/** How long something may take to come, in milliseconds. */
const patience = 60_000;
const between = 500;

/** Counts and tells what is as it should be. */
export class Checks {
  failed = 0;
  #passed = 0;
  readonly #began = performance.now();

  /** Looks once. */
  async that(what: string, isSo: () => Promise<boolean>): Promise<void> {
    let problem = '';
    const good = await isSo().catch((error: Error) => {
      problem = `: ${error.message}`;
      return false;
    });
    if (good) this.#passed++;
    else this.failed++;
    console.log(`${String(this.#seconds).padStart(4)} s  ${good ? '✓' : '✗'} ${what}${problem}`);
  }

  /** Looks again and again, for what takes a while to come. */
  until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    return this.that(what, () => this.soon(isSo));
  }

  async soon(isSo: () => Promise<boolean>): Promise<boolean> {
    const end = performance.now() + patience;
    while (!(await isSo())) {
      if (performance.now() > end) return false;
      await sleep(between);
    }
    return true;
  }

  report(): void {
    console.log(`${this.#passed} as it should be, ${this.failed} not, ${this.#seconds} s`);
  }

  get #seconds(): number {
    return Math.round((performance.now() - this.#began) / 1000);
  }
}
