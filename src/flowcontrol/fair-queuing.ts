/**
 * API Priority and Fairness: fair queuing, which decides the queued request that a priority level executes next.
 *
 * Invariants:
 * - Virtual time (R upstream) advances equally for all active queues, at the rate of the seats that each would get.
 * - A queue is charged for the work of its requests. The queue whose first request would finish first in virtual time is
 *   dispatched next.
 * - A queue is active while requests wait in it or execute from it. Inactive queues have no state: there may be millions.
 */

/** A request, as it is linked into its queue. */
export interface QueueEntry<T> {
  readonly seats: number;
  /** In seat-milliseconds. */
  readonly expectedWork: number;
  /** The virtual time of its arrival. */
  readonly arrival: number;
  previous: T | undefined;
  next: T | undefined;
}

/** A FIFO queue of requests, as a linked list, and totals of the requests that execute from it. */
export class RequestQueue<T extends QueueEntry<T>> {
  readonly index: number;
  first: T | undefined;
  #last: T | undefined;
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

  push(request: T): void {
    request.previous = this.#last;
    if (this.#last === undefined) this.first = request;
    else this.#last.next = request;
    this.#last = request;
    this.waiting++;
    this.workWaiting += request.expectedWork;
    this.seatsWaiting += request.seats;
  }

  remove(request: T): void {
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

  /** An idle queue accumulates no credit: its next dispatch is not before the arrival of its first request. */
  clampToArrival(): void {
    const { first } = this;
    if (first !== undefined && this.nextDispatch < first.arrival) this.nextDispatch = first.arrival;
  }

  *requests(): Iterable<T> {
    for (let request = this.first; request !== undefined; request = request.next) yield request;
  }
}

/** The queues of a priority level. */
export class QueueSet<T extends QueueEntry<T>> {
  /** Number of requests in all queues. */
  waiting = 0;
  seatsWaiting = 0;
  /** In seat-milliseconds. */
  virtualTime = 0;
  /** By index; includes surplus queues after the number of queues was reduced. */
  readonly active = new Map<number, RequestQueue<T>>();
  /** Monotonic time of the last update of the virtual time. */
  #updatedAt = 0;
  #lastDispatched = 0;
  #enqueued = 0;

  get sorted(): readonly RequestQueue<T>[] {
    return [...this.active.values()].sort((a, b) => a.index - b.index);
  }

  /** Advances virtual time at the rate at which each active queue is served. Some queue must be active. */
  advance(now: number, seatsInUse: number, limit: number): void {
    const elapsed = now - this.#updatedAt;
    this.#updatedAt = now;
    if (elapsed <= 0) return;
    this.virtualTime += (elapsed * Math.min(seatsInUse + this.seatsWaiting, limit)) / this.active.size;
  }

  /** The queue of a flow's hand with the least work. Ties are resolved round robin. */
  queueFor(hand: readonly number[]): RequestQueue<T> {
    const offset = this.#enqueued++ % hand.length;
    let best: RequestQueue<T> | undefined;
    for (let i = 0; i < hand.length; i++) {
      const index = hand[(offset + i) % hand.length]!;
      const queue = this.active.get(index) ?? new RequestQueue(index);
      if (queue.workWaiting === 0) return queue;
      if (best === undefined || queue.workWaiting < best.workWaiting) best = queue;
    }
    return best!;
  }

  /** Virtual time stands still while no queue is active. */
  activate(queue: RequestQueue<T>, now: number): void {
    if (queue.isActive) return;
    if (this.active.size === 0) this.#updatedAt = now;
    this.active.set(queue.index, queue);
    queue.nextDispatch = this.virtualTime;
  }

  push(request: T, queue: RequestQueue<T>): void {
    queue.push(request);
    this.waiting++;
    this.seatsWaiting += request.seats;
  }

  remove(request: T, queue: RequestQueue<T>): void {
    queue.remove(request);
    this.waiting--;
    this.seatsWaiting -= request.seats;
  }

  removeIfIdle(queue: RequestQueue<T>): void {
    if (!queue.isActive) this.active.delete(queue.index);
  }

  /** The queue whose first request would finish first in virtual time. Ties are resolved round robin. */
  nextQueue(): RequestQueue<T> {
    let next: RequestQueue<T> | undefined;
    let earliest = Infinity;
    for (const queue of this.active.values()) {
      if (queue.first === undefined) continue;
      const end = queue.nextDispatch + queue.first.expectedWork;
      if (
        end < earliest ||
        (end === earliest && this.#roundRobinOrder(queue) < this.#roundRobinOrder(next!))
      ) {
        earliest = end;
        next = queue;
      }
    }
    return next!;
  }

  /** Removes the first request of a queue, which is executed. */
  dispatch(queue: RequestQueue<T>): void {
    this.#lastDispatched = queue.index;
    this.remove(queue.first!, queue);
  }

  /** Round-robin order: by index, after the last dispatched queue. */
  #roundRobinOrder({ index }: RequestQueue<T>): number {
    return index > this.#lastDispatched ? index : index + Number.MAX_SAFE_INTEGER / 2;
  }
}
