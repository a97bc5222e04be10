// API Priority and Fairness: statistics of seat demand.

/** Smoothing coefficient: smoothed demand falls slowly and rises at once. */
const smoothing = 0.977;

/** Seats that a level could have used in a period, and smoothed over previous periods. */
export interface DemandSummary {
  readonly highest: number;
  readonly average: number;
  readonly deviation: number;
  readonly smoothed: number;
}

/** Integrates the seats in use and waited for over time. */
export class SeatDemand {
  #current = 0;
  #highest = 0;
  #since: number;
  #periodStart: number;
  #sum = 0;
  #squares = 0;
  #smoothed = 0;

  constructor(now: number) {
    this.#since = now;
    this.#periodStart = now;
  }

  set(seats: number, now: number): void {
    this.#advance(now);
    this.#current = seats;
    if (seats > this.#highest) this.#highest = seats;
  }

  /** Ends a period and starts the next. */
  summarize(now: number): DemandSummary {
    this.#advance(now);
    const length = now - this.#periodStart;
    const average = length > 0 ? this.#sum / length : this.#current;
    const variance = length > 0 ? this.#squares / length - average * average : 0;
    const deviation = Math.sqrt(Math.max(0, variance));
    const envelope = average + deviation;
    this.#smoothed = Math.max(envelope, smoothing * this.#smoothed + (1 - smoothing) * envelope);
    const summary = { highest: this.#highest, average, deviation, smoothed: this.#smoothed };
    this.#periodStart = now;
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
