const longest = 32;

/** When who is refused may try again: later the more are refused, and soon again once few are. In whole seconds. */
export class RetryAfter {
  /** Refusals of the last seconds that had any, oldest first. */
  #history: { readonly second: number; readonly refused: number }[] = [];
  #second = 0;
  #refused = 0;
  #seconds = 1;
  #raisedAt = 0;

  /** Counts a refusal and says how long to wait. */
  refuse(now: number): number {
    const second = Math.floor(now / 1000);
    if (second === this.#second) {
      this.#refused++;
    } else {
      this.#history.push({ second: this.#second, refused: this.#refused });
      this.#history = this.#history.filter((past) => second - past.second <= longest);
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
      this.#seconds = Math.min(span * 2, longest);
      this.#raisedAt = second;
    }
  }
}
