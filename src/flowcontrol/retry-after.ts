// API Priority and Fairness: the Retry-After of rejected requests.
const maxSeconds = 32;

/** The Retry-After of one priority level: grows with the number of rejections, and shrinks when there are few. */
export class RetryAfter {
  /** Rejections in past seconds, oldest first. */
  #history: { readonly second: number; readonly rejected: number }[] = [];
  /** The second of the last rejection, in monotonic time, and the rejections in it so far. */
  #second = 0;
  #rejected = 0;
  #retryAfterSeconds = 1;
  #raisedAtSecond = 0;

  /** Counts a rejection and returns the seconds to wait. */
  recordRejection(nowMs: number): number {
    const second = Math.floor(nowMs / 1000);
    if (second === this.#second) {
      this.#rejected++;
    } else {
      this.#history.push({ second: this.#second, rejected: this.#rejected });
      this.#history = this.#history.filter((past) => second - past.second <= maxSeconds);
      this.#second = second;
      this.#rejected = 1;
      this.#adjust(second);
    }
    return this.#retryAfterSeconds;
  }

  #adjust(second: number): void {
    const windowSeconds = this.#retryAfterSeconds;
    const rejected = this.#history
      .filter((past) => second - past.second <= windowSeconds)
      .reduce((sum, past) => sum + past.rejected, 0);
    if (rejected < windowSeconds && windowSeconds > 1) this.#retryAfterSeconds--;
    // Three rejections per second of the window double it; one burst does so only once.
    else if (rejected >= 3 * windowSeconds && second - this.#raisedAtSecond >= windowSeconds) {
      this.#retryAfterSeconds = Math.min(windowSeconds * 2, maxSeconds);
      this.#raisedAtSecond = second;
    }
  }
}
