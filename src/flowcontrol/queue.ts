// API Priority and Fairness: a FIFO queue of requests.
import type { Ticket } from './ticket.ts';

/** Queued requests of one or more flows, as a linked list, and totals of its executing requests. */
export class Queue {
  readonly index: number;
  first: Ticket | undefined;
  #last: Ticket | undefined;
  /** Number of queued requests. */
  waiting = 0;
  /** Estimated work of the queued requests, in seat-milliseconds. */
  workWaiting = 0;
  seatsWaiting = 0;
  executing = 0;
  seatsInUse = 0;
  /** Virtual time of the next dispatch. */
  nextDispatch = 0;

  constructor(index: number) {
    this.index = index;
  }

  get isActive(): boolean {
    return this.waiting > 0 || this.executing > 0;
  }

  push(ticket: Ticket): void {
    ticket.before = this.#last;
    if (this.#last === undefined) this.first = ticket;
    else this.#last.behind = ticket;
    this.#last = ticket;
    this.waiting++;
    this.workWaiting += ticket.expectedWork;
    this.seatsWaiting += ticket.seats;
  }

  remove(ticket: Ticket): void {
    const { before, behind } = ticket;
    if (before === undefined) this.first = behind;
    else before.behind = behind;
    if (behind === undefined) this.#last = before;
    else behind.before = before;
    ticket.before = undefined;
    ticket.behind = undefined;
    this.waiting--;
    this.workWaiting = this.waiting === 0 ? 0 : this.workWaiting - ticket.expectedWork;
    this.seatsWaiting -= ticket.seats;
  }

  *tickets(): Iterable<Ticket> {
    for (let ticket = this.first; ticket !== undefined; ticket = ticket.behind) yield ticket;
  }
}
