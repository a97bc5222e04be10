// Prints the progress of a benchmark run on stderr.
/** One line per finished measurement, and on a terminal a line that is updated in place. */
export class Progress {
  readonly #startedAt = Date.now();
  readonly #isTerminal = process.stderr.isTTY === true;
  #lastTenth = -1;

  step(text: string): void {
    process.stderr.write(`${this.#clear()}${this.#elapsed()} ${text}\n`);
    this.#lastTenth = -1;
  }

  /** Progress within a long step: every update on a terminal, otherwise only the start and the half. */
  update(text: string, done: number, total: number): void {
    const tenth = Math.floor((10 * done) / total);
    if (this.#isTerminal) {
      process.stderr.write(`${this.#clear()}${this.#elapsed()} ${text} ${done} of ${total}`);
    } else if (tenth !== this.#lastTenth && tenth % 5 === 0) {
      process.stderr.write(`${this.#elapsed()} ${text} ${done} of ${total}\n`);
    }
    this.#lastTenth = tenth;
  }

  #clear(): string {
    return this.#isTerminal ? '\r\x1b[K' : '';
  }

  #elapsed(): string {
    const seconds = Math.floor((Date.now() - this.#startedAt) / 1000);
    return `[${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}]`;
  }
}
