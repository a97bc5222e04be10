import type { RequestInfo, User } from '../http/exchange.ts';
import type { Flow } from './flow.ts';
import type { Level } from './level.ts';
import type { Queue } from './queue.ts';

/** What a request is expected to take. */
export interface Work {
  /** Seats while it is worked on. */
  readonly seats: number;
  /** Seats for a while after that, when others are told of what it changed; 0 for none. */
  readonly finalSeats: number;
  readonly finalMs: number;
}

/** Whose request it is, for who looks at what is going on. */
export interface Requester {
  readonly user: User;
  readonly info: RequestInfo;
}

/** How long a request is taken to last before anybody knows, in milliseconds. */
export const expectedMs = 3;

/** One request at its level: it waits, is worked on, and gives its seats back, once. */
export class Ticket {
  readonly level: Level;
  readonly flow: Flow;
  readonly work: Work;
  readonly requester: Requester;
  readonly queue: Queue | undefined;
  readonly seats: number;
  /** In seats times milliseconds. */
  readonly expectedWork: number;
  /** By the time that passes, as when it started. */
  readonly arrivedAt: number;
  /** In the level's virtual time. */
  readonly arrival: number;
  state: 'waiting' | 'executing' | 'over' = 'waiting';
  startedAt = 0;
  before: Ticket | undefined = undefined;
  behind: Ticket | undefined = undefined;
  /** Called when it need not wait any more. */
  whenDecided: ((executes: boolean) => void) | undefined = undefined;

  constructor(
    level: Level,
    flow: Flow,
    work: Work,
    requester: Requester,
    queue: Queue | undefined,
    arrivedAt: number,
    arrival: number,
  ) {
    this.level = level;
    this.flow = flow;
    this.work = work;
    this.requester = requester;
    this.queue = queue;
    this.seats = Math.max(work.seats, work.finalSeats);
    this.expectedWork = work.seats * expectedMs + work.finalSeats * work.finalMs;
    this.arrivedAt = arrivedAt;
    this.arrival = arrival;
  }

  /** Gives the seats back. Again does nothing. */
  release(): void {
    if (this.state === 'executing') this.level.finish(this);
  }
}
