// Max-in-flight filter: limits concurrent requests if API Priority and Fairness is off.
import { LocalSeats, type Seats, type SeatsFactory } from '../../flowcontrol/seats.ts';
import { mastersGroup } from '../../request/authenticator.ts';
import { type RequestClass, requestClassOf } from '../../request/request-info.ts';
import type { Exchange, Seat } from '../../transport/exchange.ts';

const retryAfterSeconds = 1;

/** Concurrent requests by class, on all serving threads. A limit of 0 is no limit. */
export class MaxInFlight {
  readonly #limits: Readonly<Record<RequestClass, number>>;
  readonly #seats: Readonly<Record<RequestClass, Seats>>;

  constructor(
    limits: Readonly<Record<RequestClass, number>>,
    seatsOf: SeatsFactory = () => new LocalSeats(),
  ) {
    this.#limits = limits;
    this.#seats = { readOnly: seatsOf('readOnly in flight'), mutating: seatsOf('mutating in flight') };
    this.#seats.readOnly.limit = limits.readOnly;
    this.#seats.mutating.limit = limits.mutating;
  }

  /**
   * Returns a seat, or at the limit the Retry-After seconds of the rejection. system:masters is exempt: it repairs an
   * overloaded server.
   */
  admit({ info, user }: Pick<Exchange, 'info' | 'user'>): Seat | number {
    const requestClass = requestClassOf(info);
    const seats = this.#seats[requestClass];
    if (this.#limits[requestClass] === 0 || user.groups.includes(mastersGroup)) seats.take(1);
    else if (!seats.tryTake(1)) return retryAfterSeconds;
    let isHeld = true;
    return {
      release: () => {
        if (isHeld) seats.take(-1);
        isHeld = false;
      },
    };
  }

  current(requestClass: RequestClass): number {
    return this.#seats[requestClass].inUse;
  }
}
