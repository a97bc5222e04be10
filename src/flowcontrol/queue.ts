// API Priority and Fairness: one request at its priority level, and the FIFO queue in which it waits.
import type { RequestInfo } from '../request/request-info.ts';
import type { User } from '../request/user.ts';
import type { FlowSeries } from './flow-metrics.ts';

/** Estimated work of a request. */
export interface WorkEstimate {
  /** Seats during execution. */
  readonly seats: number;
  /** Seats for a while afterwards, while watchers are notified of the change; 0 for none. */
  readonly finalSeats: number;
  readonly finalMs: number;
}

/** The caller and the request, for the debug endpoints. */
export interface RequestDigest {
  readonly user: User;
  readonly info: RequestInfo;
}

/** The flow of a request, as its priority level uses it. */
export interface QueuedFlow {
  readonly schema: { readonly name: string; readonly series: FlowSeries };
  readonly distinguisher: string;
  /** The queues of its requests, by shuffle sharding. */
  readonly hand: readonly number[];
}

/** The priority level that executes a request. */
export interface RequestExecutor {
  /** Called once, when the request is finished. */
  finish(request: QueuedRequest): void;
}

/** Estimated execution time of a request, in milliseconds. */
export const expectedMs = 3;

/** A request that is queued, executed, and releases its seats once. */
export class QueuedRequest {
  readonly flow: QueuedFlow;
  readonly work: WorkEstimate;
  readonly digest: RequestDigest;
  readonly queue: RequestQueue | undefined;
  readonly seats: number;
  /** In seat-milliseconds. */
  readonly expectedWork: number;
  /** Monotonic time, as is `startedAt`. */
  readonly arrivedAt: number;
  /** In the level's virtual time. */
  readonly arrival: number;
  state: 'waiting' | 'executing' | 'over' = 'waiting';
  startedAt = 0;
  previous: QueuedRequest | undefined = undefined;
  next: QueuedRequest | undefined = undefined;
  /** Called when the request is dispatched or rejected. */
  onDecision: ((executes: boolean) => void) | undefined = undefined;
  readonly #executor: RequestExecutor;

  constructor(
    executor: RequestExecutor,
    flow: QueuedFlow,
    work: WorkEstimate,
    digest: RequestDigest,
    queue: RequestQueue | undefined,
    arrivedAt: number,
    arrival: number,
  ) {
    this.#executor = executor;
    this.flow = flow;
    this.work = work;
    this.digest = digest;
    this.queue = queue;
    this.seats = Math.max(work.seats, work.finalSeats);
    this.expectedWork = work.seats * expectedMs + work.finalSeats * work.finalMs;
    this.arrivedAt = arrivedAt;
    this.arrival = arrival;
  }

  /** Releases the seats. Idempotent. */
  release(): void {
    if (this.state === 'executing') this.#executor.finish(this);
  }
}

/** Queued requests of one or more flows, as a linked list, and totals of its executing requests. */
export class RequestQueue {
  readonly index: number;
  first: QueuedRequest | undefined;
  #last: QueuedRequest | undefined;
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

  push(request: QueuedRequest): void {
    request.previous = this.#last;
    if (this.#last === undefined) this.first = request;
    else this.#last.next = request;
    this.#last = request;
    this.waiting++;
    this.workWaiting += request.expectedWork;
    this.seatsWaiting += request.seats;
  }

  remove(request: QueuedRequest): void {
    const { previous, next } = request;
    if (previous === undefined) this.first = next;
    else previous.next = next;
    if (next === undefined) this.#last = previous;
    else next.previous = previous;
    request.previous = undefined;
    request.next = undefined;
    this.waiting--;
    this.workWaiting = this.waiting === 0 ? 0 : this.workWaiting - request.expectedWork;
    this.seatsWaiting -= request.seats;
  }

  *requests(): Iterable<QueuedRequest> {
    for (let request = this.first; request !== undefined; request = request.next) yield request;
  }
}
