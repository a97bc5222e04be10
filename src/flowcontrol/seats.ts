// The seats of a priority level, within a limit that holds for all serving threads.

/** The seats of one level, as one thread sees them. */
export interface Seats {
  /** The limit for all threads. Only the thread that adjusts the limits sets it. */
  limit: number;
  /** The seats that the requests of all threads hold. */
  readonly inUse: number;
  /** Takes seats if they are free. A request that is wider than the limit executes alone. */
  tryTake(seats: number): boolean;
  /** Takes seats beyond the limit, or returns them (negative). */
  take(seats: number): void;
  /** The seats that this thread's requests hold and wait for, and how many wait. */
  report(demand: number, waiting: number): void;
  /** The seats that the requests of all threads hold and wait for; undefined if this thread is the only one. */
  readonly totalDemand: number | undefined;
}

/** Creates the seats of a level by its name. */
export type SeatsFactory = (level: string) => Seats;

/** For a server with one serving thread. */
export class LocalSeats implements Seats {
  limit = 0;
  inUse = 0;
  readonly totalDemand = undefined;

  tryTake(seats: number): boolean {
    const fits = seats > this.limit ? this.inUse === 0 : this.inUse + seats <= this.limit;
    if (fits) this.inUse += seats;
    return fits;
  }

  take(seats: number): void {
    this.inUse += seats;
  }

  report(): void {}
}
