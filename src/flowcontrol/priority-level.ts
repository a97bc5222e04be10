/**
 * API Priority and Fairness: one priority level, with its seats and queues.
 *
 * Invariants:
 * - Seats in use never exceed the limit, except for one request that is wider than the limit and then runs alone.
 *   (Lowering the limit revokes no seats; it blocks dispatching until enough are free.)
 * - An executing request releases exactly the seats it took; a queued request is dispatched or rejected, once.
 * - While requests wait, seats are in use: the next request in dispatch order does not fit beside them.
 * - Fair queuing uses virtual time (R upstream). It advances equally for all active queues, at the rate of the seats
 *   that each would get; a queue is charged for the work of its requests, and the queue whose next request would
 *   finish first in virtual time is dispatched next.
 */
import type { PriorityLevelConfigurationSpec } from '../apis/flowcontrol/prioritylevelconfiguration.ts';
import type { Clock } from '../base/clock.ts';
import type { LevelSeries } from './flow-metrics.ts';
import type { ConcurrencyLimits } from './limits.ts';
import {
  expectedMs,
  type QueuedFlow,
  QueuedRequest,
  type RequestDigest,
  type RequestExecutor,
  RequestQueue,
  type WorkEstimate,
} from './queue.ts';
import { RetryAfter } from './retry-after.ts';
import { SeatDemand } from './seat-demand.ts';

export interface LevelSettings {
  /** Exempt levels never queue or reject. */
  readonly isExempt: boolean;
  /** Number of queues; with none, requests without a free seat are rejected. */
  readonly queues: number;
  readonly handSize: number;
  readonly queueLengthLimit: number;
}

export interface LevelConfiguration {
  readonly spec: PriorityLevelConfigurationSpec;
  readonly settings: LevelSettings;
  readonly limits: ConcurrencyLimits;
  readonly isQuiescing: boolean;
}

/** Reasons to reject an arriving request. */
export type RejectReason = 'concurrency-limit' | 'queue-full';
/** Reasons to reject a queued request. */
export type CancelReason = 'time-out' | 'cancelled';

/** Maximum seats of a request. */
const maxRequestSeats = 10;
/** Maximum seats of a request, as a fraction of the nominal limit. */
const maxRequestFraction = 0.15;

export class PriorityLevel implements RequestExecutor {
  readonly name: string;
  readonly series: LevelSeries;
  readonly demand: SeatDemand;
  readonly retryAfter = new RetryAfter();
  readonly executing = new Set<QueuedRequest>();
  configuration: LevelConfiguration;
  /** Current limit of seats in use. */
  limit = 0;
  seatsInUse = 0;
  seatsWaiting = 0;
  waiting = 0;
  readonly counts = { dispatched: 0, rejected: 0, timedOut: 0, cancelled: 0 };
  readonly #clock: Clock;
  readonly #onIdle: () => void;
  /** Active queues by index: there may be millions, and an idle one has no state. */
  readonly #active = new Map<number, RequestQueue>();
  /** Virtual time in seat-milliseconds, and the monotonic time of its last update. */
  #virtual = 0;
  #virtualAt: number;
  #lastDispatched = 0;
  #enqueued = 0;

  constructor(
    name: string,
    configuration: LevelConfiguration,
    clock: Clock,
    series: LevelSeries,
    onIdle: () => void = () => {},
  ) {
    this.name = name;
    this.configuration = configuration;
    this.series = series;
    this.#clock = clock;
    this.#onIdle = onIdle;
    this.#virtualAt = clock.elapsed();
    this.demand = new SeatDemand(this.#virtualAt);
  }

  get settings(): LevelSettings {
    return this.configuration.settings;
  }

  get limits(): ConcurrencyLimits {
    return this.configuration.limits;
  }

  /** A deleted level, which is removed once its last request is finished. */
  get isQuiescing(): boolean {
    return this.configuration.isQuiescing;
  }

  setLimit(limit: number): void {
    const now = this.#clock.elapsed();
    this.#advance(now);
    this.limit = limit;
    this.#dispatch(now);
  }

  /** Maximum seats that work estimation may assign to a request. */
  get maxSeats(): number {
    const { queues, handSize } = this.settings;
    if (queues === 0) return maxRequestSeats;
    const { nominal } = this.limits;
    return Math.max(
      1,
      Math.min(maxRequestSeats, Math.floor(Math.min(maxRequestFraction * nominal, nominal / handSize))),
    );
  }

  get isIdle(): boolean {
    return this.waiting === 0 && this.executing.size === 0 && this.seatsInUse === 0;
  }

  /** Active queues, including surplus ones after the number of queues was reduced. */
  get activeQueues(): readonly RequestQueue[] {
    return [...this.#active.values()].sort((a, b) => a.index - b.index);
  }

  get virtualTime(): number {
    return this.#virtual;
  }

  /** Executes, queues or rejects a request. */
  arrive(flow: QueuedFlow, work: WorkEstimate, requester: RequestDigest): QueuedRequest | RejectReason {
    const now = this.#clock.elapsed();
    this.#advance(now);
    if (this.settings.queues === 0) return this.#arriveWithoutQueue(flow, work, requester, now);
    const queue = this.#queueFor(flow);
    if (queue.waiting >= this.settings.queueLengthLimit) {
      this.counts.rejected++;
      return 'queue-full';
    }
    if (!queue.isActive) {
      this.#active.set(queue.index, queue);
      queue.nextDispatch = this.#virtual;
    }
    const request = new QueuedRequest(this, flow, work, requester, queue, now, this.#virtual);
    this.series.queueLength.observe(queue.waiting);
    if (this.waiting === 0 && this.#fits(request.seats)) {
      this.#begin(request, now);
      return request;
    }
    queue.push(request);
    this.waiting++;
    this.seatsWaiting += request.seats;
    flow.schema.series.waiting.value++;
    this.#recordDemand(now);
    this.#dispatch(now);
    return request;
  }

  #arriveWithoutQueue(
    flow: QueuedFlow,
    work: WorkEstimate,
    requester: RequestDigest,
    now: number,
  ): QueuedRequest | RejectReason {
    const request = new QueuedRequest(this, flow, work, requester, undefined, now, this.#virtual);
    if (!this.#fits(request.seats)) {
      this.counts.rejected++;
      return 'concurrency-limit';
    }
    this.#begin(request, now);
    return request;
  }

  /** A queued request timed out, or its client disconnected. */
  cancel(request: QueuedRequest, reason: CancelReason): void {
    if (request.state !== 'waiting') return;
    const now = this.#clock.elapsed();
    this.#advance(now);
    this.#leaveQueue(request);
    request.state = 'over';
    this.counts[reason === 'time-out' ? 'timedOut' : 'cancelled']++;
    this.counts.rejected++;
    const { series } = request.flow.schema;
    series.waitedRejected.observe((now - request.arrivedAt) / 1000);
    this.#recordDemand(now);
    this.#removeIfIdle(request.queue!);
    request.onDecision?.(false);
    // It may have blocked narrower requests because it was too wide.
    this.#dispatch(now);
    this.#notifyIfIdle();
  }

  /** A request finished; `QueuedRequest.release` calls this once. */
  finish(request: QueuedRequest): void {
    const { queue, work, flow } = request;
    const { series } = flow.schema;
    const now = this.#clock.elapsed();
    this.#advance(now);
    request.state = 'over';
    this.executing.delete(request);
    const isWatch = request.digest.info.verb === 'watch';
    (isWatch ? series.watchStart : series.execution).observe((now - request.startedAt) / 1000);
    series.executing.value--;
    // The queue was charged for the estimated work: correct it to the actual work.
    if (queue) queue.nextDispatch += work.seats * (now - request.startedAt - expectedMs);
    if (work.finalSeats > 0 && work.finalMs > 0) {
      this.#clock.after(work.finalMs, () => {
        const later = this.#clock.elapsed();
        this.#advance(later);
        this.#free(request, later);
      });
    } else this.#free(request, now);
  }

  #free(request: QueuedRequest, now: number): void {
    const { queue, seats } = request;
    this.seatsInUse -= seats;
    request.flow.schema.series.executingSeats.value -= seats;
    this.#recordDemand(now);
    if (queue) {
      queue.executing--;
      queue.seatsInUse -= seats;
      clampToArrival(queue);
      this.#removeIfIdle(queue);
    }
    if (this.waiting > 0) this.#dispatch(now);
    else this.#notifyIfIdle();
  }

  #notifyIfIdle(): void {
    if (this.isQuiescing && this.isIdle) this.#onIdle();
  }

  #fits(seats: number): boolean {
    if (this.settings.isExempt) return true;
    return seats > this.limit ? this.seatsInUse === 0 : this.seatsInUse + seats <= this.limit;
  }

  /** The queue of the flow's hand with the least work. Ties are resolved round robin. */
  #queueFor(flow: QueuedFlow): RequestQueue {
    const { hand } = flow;
    const offset = this.#enqueued++ % hand.length;
    let best: RequestQueue | undefined;
    for (let i = 0; i < hand.length; i++) {
      const index = hand[(offset + i) % hand.length]!;
      const queue = this.#active.get(index) ?? new RequestQueue(index);
      if (queue.workWaiting === 0) return queue;
      if (best === undefined || queue.workWaiting < best.workWaiting) best = queue;
    }
    return best!;
  }

  #dispatch(now: number): void {
    while (this.waiting > 0) {
      const queue = this.#nextQueue();
      const request = queue.first!;
      if (!this.#fits(request.seats)) {
        request.flow.schema.series.noAccommodation.value++;
        return;
      }
      this.#lastDispatched = queue.index;
      this.#leaveQueue(request);
      this.#begin(request, now);
      clampToArrival(queue);
      request.onDecision?.(true);
    }
  }

  /** The queue whose first request would finish first in virtual time. Ties are resolved round robin. */
  #nextQueue(): RequestQueue {
    let next: RequestQueue | undefined;
    let earliest = Infinity;
    for (const queue of this.#active.values()) {
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

  /** Round-robin order: by index, after the last dispatched queue. */
  #roundRobinOrder({ index }: RequestQueue): number {
    return index > this.#lastDispatched ? index : index + Number.MAX_SAFE_INTEGER / 2;
  }

  #begin(request: QueuedRequest, now: number): void {
    const { queue, seats, flow } = request;
    const { series } = flow.schema;
    request.state = 'executing';
    request.startedAt = now;
    this.executing.add(request);
    this.seatsInUse += seats;
    this.counts.dispatched++;
    series.dispatched.value++;
    series.executing.value++;
    series.executingSeats.value += seats;
    series.seats.observe(seats);
    this.#recordDemand(now);
    if (queue === undefined) return;
    queue.executing++;
    queue.seatsInUse += seats;
    queue.nextDispatch += request.expectedWork;
    series.waited.observe((now - request.arrivedAt) / 1000);
  }

  #leaveQueue(request: QueuedRequest): void {
    request.queue!.remove(request);
    this.waiting--;
    this.seatsWaiting -= request.seats;
    request.flow.schema.series.waiting.value--;
  }

  #removeIfIdle(queue: RequestQueue): void {
    if (!queue.isActive) this.#active.delete(queue.index);
  }

  /** Advances virtual time at the rate at which each active queue is served. */
  #advance(now: number): void {
    const passed = now - this.#virtualAt;
    this.#virtualAt = now;
    if (passed <= 0 || this.#active.size === 0) return;
    const seats = Math.min(this.seatsInUse + this.seatsWaiting, this.limit);
    this.#virtual += (passed * seats) / this.#active.size;
  }

  #recordDemand(now: number): void {
    this.demand.set(this.seatsInUse + this.seatsWaiting, now);
  }
}

/** An idle queue accumulates no credit: its next dispatch is not before the arrival of its first request. */
function clampToArrival(queue: RequestQueue): void {
  const { first } = queue;
  if (first !== undefined && queue.nextDispatch < first.arrival) queue.nextDispatch = first.arrival;
}
