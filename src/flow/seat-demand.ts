/** How much of the old demand is kept where the new one is smaller: it falls slowly and rises at once. */
const smoothing = 0.977;

/** How many seats a level could have used, over a period and smoothed over the periods before. */
export interface DemandSummary {
  readonly highest: number;
  readonly average: number;
  readonly deviation: number;
  readonly smoothed: number;
}

/** Follows how many seats a level has in use and how many it waits for. */
export class SeatDemand {
  #current = 0;
  #highest = 0;
  #since: number;
  #begun: number;
  #sum = 0;
  #squares = 0;
  #smoothed = 0;

  constructor(now: number) {
    this.#since = now;
    this.#begun = now;
  }

  set(seats: number, now: number): void {
    this.#advance(now);
    this.#current = seats;
    if (seats > this.#highest) this.#highest = seats;
  }

  /** Ends a period and begins the next. */
  summarize(now: number): DemandSummary {
    this.#advance(now);
    const length = now - this.#begun;
    const average = length > 0 ? this.#sum / length : this.#current;
    const variance = length > 0 ? this.#squares / length - average * average : 0;
    const deviation = Math.sqrt(Math.max(0, variance));
    const envelope = average + deviation;
    this.#smoothed = Math.max(envelope, smoothing * this.#smoothed + (1 - smoothing) * envelope);
    const summary = { highest: this.#highest, average, deviation, smoothed: this.#smoothed };
    this.#begun = now;
    this.#highest = this.#current;
    this.#sum = 0;
    this.#squares = 0;
    return summary;
  }

  #advance(now: number): void {
    const passed = now - this.#since;
    // A clock that was set back adds nothing.
    if (passed > 0) {
      this.#sum += this.#current * passed;
      this.#squares += this.#current * this.#current * passed;
    }
    this.#since = now;
  }
}
