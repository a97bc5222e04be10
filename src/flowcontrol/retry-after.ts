// API Priority and Fairness: the Retry-After of rejected requests.
const maxSeconds = 32;

/** Grows with the number of rejections, and shrinks when there are few. In whole seconds. */
export class RetryAfter {
  /** Rejections per second, oldest first. */
  #history: { readonly second: number; readonly refused: number }[] = [];
  #second = 0;
  #refused = 0;
  #seconds = 1;
  #raisedAt = 0;

  /** Counts a rejection and returns the seconds to wait. */
  refuse(now: number): number {
    const second = Math.floor(now / 1000);
    if (second === this.#second) {
      this.#refused++;
    } else {
      this.#history.push({ second: this.#second, refused: this.#refused });
      this.#history = this.#history.filter((past) => second - past.second <= maxSeconds);
      this.#second = second;
      this.#refused = 1;
      this.#adjust(second);
    }
    return this.#seconds;
  }

  #adjust(second: number): void {
    const span = this.#seconds;
    const refused = this.#history
      .filter((past) => second - past.second <= span)
      .reduce((sum, past) => sum + past.refused, 0);
    if (refused < span && span > 1) this.#seconds--;
    // One burst raises it once.
    else if (refused >= 3 * span && second - this.#raisedAt >= span) {
      this.#seconds = Math.min(span * 2, maxSeconds);
      this.#raisedAt = second;
    }
  }
}
