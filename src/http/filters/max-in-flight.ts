// Max-in-flight filter: limits concurrent requests if API Priority and Fairness is off.
import { mastersGroup } from '../../request/authenticator.ts';
import { type RequestClass, requestClassOf } from '../../request/request-info.ts';
import type { Exchange, Seat } from '../../transport/exchange.ts';

const retryAfterSeconds = 1;

/** Concurrent requests by class. A limit of 0 is no limit. */
export class MaxInFlight {
  readonly #limits: Readonly<Record<RequestClass, number>>;
  readonly #current: Record<RequestClass, number> = { readOnly: 0, mutating: 0 };
  readonly #seats: Readonly<Record<RequestClass, Seat>> = {
    readOnly: { release: () => this.#current.readOnly-- },
    mutating: { release: () => this.#current.mutating-- },
  };

  constructor(limits: Readonly<Record<RequestClass, number>>) {
    this.#limits = limits;
  }

  /**
   * Returns a seat, or at the limit the Retry-After seconds of the rejection. system:masters is exempt: it repairs an
   * overloaded server.
   */
  admit({ info, user }: Pick<Exchange, 'info' | 'user'>): Seat | number {
    const requestClass = requestClassOf(info);
    const limit = this.#limits[requestClass];
    if (limit > 0 && this.#current[requestClass] >= limit && !user.groups.includes(mastersGroup))
      return retryAfterSeconds;
    this.#current[requestClass]++;
    return this.#seats[requestClass];
  }

  current(requestClass: RequestClass): number {
    return this.#current[requestClass];
  }
}
