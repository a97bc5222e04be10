// API Priority and Fairness: the Retry-After of rejected requests.
const maxSeconds = 32;

/** Grows with the number of rejections, and shrinks when there are few. In whole seconds. */
export class RetryAfter {
  /** Rejections per second, oldest first. */
  #history: { readonly second: number; readonly rejected: number }[] = [];
  #second = 0;
  #rejected = 0;
  #seconds = 1;
  #raisedAt = 0;

  /** Counts a rejection and returns the seconds to wait. */
  reject(now: number): number {
    const second = Math.floor(now / 1000);
    if (second === this.#second) {
      this.#rejected++;
    } else {
      this.#history.push({ second: this.#second, rejected: this.#rejected });
      this.#history = this.#history.filter((past) => second - past.second <= maxSeconds);
      this.#second = second;
      this.#rejected = 1;
      this.#adjust(second);
    }
    return this.#seconds;
  }

  #adjust(second: number): void {
    const span = this.#seconds;
    const rejected = this.#history
      .filter((past) => second - past.second <= span)
      .reduce((sum, past) => sum + past.rejected, 0);
    if (rejected < span && span > 1) this.#seconds--;
    // One burst raises it once.
    else if (rejected >= 3 * span && second - this.#raisedAt >= span) {
      this.#seconds = Math.min(span * 2, maxSeconds);
      this.#raisedAt = second;
    }
  }
}
