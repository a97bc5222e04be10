// API Priority and Fairness: one request at its priority level.
import type { RequestInfo } from '../request/request-info.ts';
import type { User } from '../request/user.ts';
import type { Flow } from './flow.ts';
import type { Level } from './level.ts';
import type { Queue } from './queue.ts';

/** Estimated work of a request. */
export interface Work {
  /** Seats during execution. */
  readonly seats: number;
  /** Seats for a while afterwards, while watchers are notified of the change; 0 for none. */
  readonly finalSeats: number;
  readonly finalMs: number;
}

/** The caller and the request, for the debug endpoints. */
export interface Requester {
  readonly user: User;
  readonly info: RequestInfo;
}

/** Estimated execution time of a request, in milliseconds. */
export const expectedMs = 3;

/** A request that is queued, executed, and releases its seats once. */
export class Ticket {
  readonly level: Level;
  readonly flow: Flow;
  readonly work: Work;
  readonly requester: Requester;
  readonly queue: Queue | undefined;
  readonly seats: number;
  /** In seat-milliseconds. */
  readonly expectedWork: number;
  /** Monotonic time, as is `startedAt`. */
  readonly arrivedAt: number;
  /** In the level's virtual time. */
  readonly arrival: number;
  state: 'waiting' | 'executing' | 'over' = 'waiting';
  startedAt = 0;
  before: Ticket | undefined = undefined;
  behind: Ticket | undefined = undefined;
  /** Called when the request is dispatched or rejected. */
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

  /** Releases the seats. Idempotent. */
  release(): void {
    if (this.state === 'executing') this.level.finish(this);
  }
}
