import { setTimeout as sleep } from 'node:timers/promises';

/** The timeout of a check in milliseconds. */
const patience = 60_000;
const between = 500;

/** Counts and prints the results of checks. */
export class Checks {
  failed = 0;
  #passed = 0;
  readonly #began = performance.now();

  /** Checks once. */
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

  /** Repeats a check until it succeeds or times out. */
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
