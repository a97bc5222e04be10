/**
 * API Priority and Fairness: one priority level, with its seats and queues.
 *
 * Invariants:
 * - A request executes only if its seats are free within the limit, or alone if it is wider than the limit.
 *   (Lowering the limit revokes no seats; it blocks dispatching until enough are free.)
 * - A finished write may hold its final seats beyond the limit, which blocks dispatching for that time. It does not hold
 *   them while it executes: a large write may wait for a worker thread, and would make small requests wait with it.
 * - An executing request releases exactly the seats it took; a queued request is dispatched or rejected, once.
 * - While requests wait, seats are in use, here or on another thread: the next request in dispatch order does not fit beside them.
 */
import type { Clock } from '../base/clock.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { User } from '../request/user.ts';
import { QueueSet, type RequestQueue } from './fair-queuing.ts';
import type { FlowSeries, LevelSeries } from './flow-metrics.ts';
import type { ConcurrencyLimits, LevelConfiguration, LevelSettings } from './limits.ts';
import { RetryAfter } from './retry-after.ts';
import { LocalSeats, type Seats } from './seats.ts';

/** Estimated work of a request. */
export interface WorkEstimate {
  /** Seats during execution. */
  readonly seats: number;
  /** Seats for a while afterwards, while watchers are notified of the change; 0 for none. */
  readonly finalSeats: number;
  readonly finalMs: number;
}

/** The caller and the request, for the debug endpoints. */
export interface RequestDescription {
  readonly user: User;
  readonly info: RequestInfo;
}

/** The flow of a request, as its priority level uses it. */
export interface QueuedFlow {
  readonly schema: { readonly name: string };
  readonly distinguisher: string;
  readonly series: FlowSeries;
  /** The indexes of the queues that its requests may wait in, by shuffle sharding. */
  readonly hand: readonly number[];
}

/** Reasons to reject an arriving request. */
export type RejectReason = 'concurrency-limit' | 'queue-full';
/** Reasons to reject a queued request. */
export type CancelReason = 'time-out' | 'cancelled';

/** Estimated execution time of a request. */
const expectedExecutionMs = 3;
/** Smoothing coefficient: smoothed demand falls slowly and rises at once. */
const smoothing = 0.977;

/** How soon waiting requests try to take seats that another thread may have freed. */
const retryMs = 1;

/** A request that is queued, executed, and releases its seats once. */
export class QueuedRequest {
  readonly flow: QueuedFlow;
  readonly work: WorkEstimate;
  readonly description: RequestDescription;
  /** Undefined at a level without queues. */
  readonly queue: RequestQueue<QueuedRequest> | undefined;
  /** The seats that it takes, now or when it executes. */
  seats: number;
  /** In seat-milliseconds. */
  readonly expectedWork: number;
  /** Monotonic time, as is `startedAt`. */
  readonly arrivedAt: number;
  /** In the level's virtual time. */
  readonly arrival: number;
  /** `done`: finished or rejected. */
  state: 'waiting' | 'executing' | 'done' = 'waiting';
  startedAt = 0;
  previous: QueuedRequest | undefined = undefined;
  next: QueuedRequest | undefined = undefined;
  /** Called when the request is dispatched or rejected. */
  onDecision: ((executes: boolean) => void) | undefined = undefined;
  readonly #level: PriorityLevel;

  constructor(
    level: PriorityLevel,
    flow: QueuedFlow,
    work: WorkEstimate,
    description: RequestDescription,
    queue: RequestQueue<QueuedRequest> | undefined,
    arrivedAt: number,
  ) {
    this.#level = level;
    this.flow = flow;
    this.work = work;
    this.description = description;
    this.queue = queue;
    this.seats = work.seats;
    this.expectedWork = work.seats * expectedExecutionMs + work.finalSeats * work.finalMs;
    this.arrivedAt = arrivedAt;
    this.arrival = level.queues.virtualTime;
  }

  /** Releases the seats. Idempotent. A request that has not executed notifies no watchers, so it takes no final seats. */
  release(hasExecuted = true): void {
    if (this.state === 'executing') this.#level.finish(this, hasExecuted);
  }
}

export class PriorityLevel {
  readonly name: string;
  readonly series: LevelSeries;
  readonly demand: SeatDemand;
  readonly queues = new QueueSet<QueuedRequest>();
  readonly retryAfter = new RetryAfter();
  readonly executing = new Set<QueuedRequest>();
  configuration: LevelConfiguration;
  /** The seats that the requests of this thread hold. */
  seatsInUse = 0;
  readonly counts = { dispatched: 0, rejected: 0, timedOut: 0, cancelled: 0 };
  readonly #clock: Clock;
  readonly #onIdle: () => void;
  readonly #seats: Seats;
  /** Another thread may free seats while requests wait here. */
  #retryTimer: NodeJS.Timeout | undefined;

  constructor(
    name: string,
    configuration: LevelConfiguration,
    clock: Clock,
    series: LevelSeries,
    onIdle: () => void = () => {},
    seats: Seats = new LocalSeats(),
  ) {
    this.name = name;
    this.#seats = seats;
    this.configuration = configuration;
    this.series = series;
    this.#clock = clock;
    this.#onIdle = onIdle;
    this.demand = new SeatDemand(clock.elapsed());
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

  /** Current limit of the seats in use on all threads. */
  get limit(): number {
    return this.#seats.limit;
  }

  setLimit(limit: number): void {
    const now = this.#clock.elapsed();
    this.#advance(now);
    this.#seats.limit = limit;
    this.#dispatch(now);
  }

  /** Adds the demand of the other threads to that of this one. */
  sampleDemand(now: number): void {
    const { totalDemand } = this.#seats;
    if (totalDemand !== undefined) this.demand.set(totalDemand, now);
  }

  get isIdle(): boolean {
    return this.queues.waiting === 0 && this.executing.size === 0 && this.seatsInUse === 0;
  }

  /** Executes, queues or rejects a request. */
  arrive(
    flow: QueuedFlow,
    work: WorkEstimate,
    description: RequestDescription,
  ): QueuedRequest | RejectReason {
    const now = this.#clock.elapsed();
    if (this.settings.queues > 0) return this.#arriveAtQueue(flow, work, description, now);
    const request = new QueuedRequest(this, flow, work, description, undefined, now);
    if (!this.#tryTake(request.seats)) {
      this.counts.rejected++;
      return 'concurrency-limit';
    }
    this.#execute(request, now);
    return request;
  }

  #arriveAtQueue(
    flow: QueuedFlow,
    work: WorkEstimate,
    description: RequestDescription,
    now: number,
  ): QueuedRequest | RejectReason {
    this.#advance(now);
    const { queues } = this;
    const queue = queues.queueFor(flow.hand);
    if (queue.waiting >= this.settings.queueLengthLimit) {
      this.counts.rejected++;
      return 'queue-full';
    }
    queues.activate(queue, now);
    const request = new QueuedRequest(this, flow, work, description, queue, now);
    this.series.queueLength.observe(queue.waiting);
    if (queues.waiting === 0 && this.#tryTake(request.seats)) {
      this.#execute(request, now);
      return request;
    }
    queues.push(request, queue);
    flow.series.waiting.value++;
    this.#recordDemand(now);
    this.#dispatch(now);
    return request;
  }

  /** A queued request timed out, or its client disconnected. */
  cancel(request: QueuedRequest, reason: CancelReason): void {
    if (request.state !== 'waiting') return;
    const { flow, queue } = request;
    const now = this.#clock.elapsed();
    this.#advance(now);
    this.queues.remove(request, queue!);
    request.state = 'done';
    this.counts[reason === 'time-out' ? 'timedOut' : 'cancelled']++;
    this.counts.rejected++;
    flow.series.waiting.value--;
    flow.series.waitedRejected.observe((now - request.arrivedAt) / 1000);
    this.#recordDemand(now);
    this.queues.removeIfIdle(queue!);
    request.onDecision?.(false);
    // It may have blocked requests with fewer seats because its own did not fit.
    this.#dispatch(now);
    this.#notifyIfIdle();
  }

  /** A request finished; `QueuedRequest.release` calls this once. */
  finish(request: QueuedRequest, hasExecuted: boolean): void {
    const { queue, work, flow, description } = request;
    const { series } = flow;
    const now = this.#clock.elapsed();
    this.#advance(now);
    request.state = 'done';
    this.executing.delete(request);
    const isWatch = description.info.verb === 'watch';
    (isWatch ? series.watchStart : series.execution).observe((now - request.startedAt) / 1000);
    series.executing.value--;
    // The queue was charged for the estimated work: correct it to the actual work.
    if (queue) queue.nextDispatch += work.seats * (now - request.startedAt - expectedExecutionMs);
    if (hasExecuted && work.finalSeats > 0 && work.finalMs > 0) {
      this.#seats.take(work.finalSeats - request.seats);
      this.#countSeats(request, work.finalSeats - request.seats);
      request.seats = work.finalSeats;
      this.#recordDemand(now);
      this.#clock.after(work.finalMs, () => {
        const later = this.#clock.elapsed();
        this.#advance(later);
        this.#free(request, later);
      });
    } else this.#free(request, now);
  }

  #countSeats({ queue, flow }: QueuedRequest, seats: number): void {
    this.seatsInUse += seats;
    flow.series.executingSeats.value += seats;
    if (queue) queue.seatsInUse += seats;
  }

  #free(request: QueuedRequest, now: number): void {
    const { queue, seats } = request;
    this.#seats.take(-seats);
    this.#countSeats(request, -seats);
    this.#recordDemand(now);
    if (queue) {
      queue.executing--;
      queue.clampToArrival();
      this.queues.removeIfIdle(queue);
    }
    if (this.queues.waiting > 0) this.#dispatch(now);
    else this.#notifyIfIdle();
  }

  #notifyIfIdle(): void {
    if (this.isQuiescing && this.isIdle) this.#onIdle();
  }

  #tryTake(seats: number): boolean {
    if (!this.settings.isExempt) return this.#seats.tryTake(seats);
    this.#seats.take(seats);
    return true;
  }

  #dispatch(now: number): void {
    while (this.queues.waiting > 0) {
      const queue = this.queues.nextQueue();
      const request = queue.first!;
      const { series } = request.flow;
      if (!this.#tryTake(request.seats)) {
        series.noAccommodation.value++;
        this.#retryLater();
        return;
      }
      this.queues.dispatch(queue);
      series.waiting.value--;
      this.#execute(request, now);
      queue.clampToArrival();
      request.onDecision?.(true);
    }
  }

  #execute(request: QueuedRequest, now: number): void {
    const { queue, seats, work, flow } = request;
    const { series } = flow;
    request.state = 'executing';
    request.startedAt = now;
    this.executing.add(request);
    this.#countSeats(request, seats);
    this.counts.dispatched++;
    series.dispatched.value++;
    series.executing.value++;
    series.seats.observe(Math.max(seats, work.finalSeats));
    this.#recordDemand(now);
    if (queue === undefined) return;
    queue.executing++;
    queue.nextDispatch += request.expectedWork;
    series.waited.observe((now - request.arrivedAt) / 1000);
  }

  #advance(now: number): void {
    if (this.queues.active.size > 0) this.queues.advance(now, this.seatsInUse, this.limit);
  }

  #recordDemand(now: number): void {
    const demand = this.seatsInUse + this.queues.seatsWaiting;
    this.#seats.report(demand, this.queues.waiting);
    this.demand.set(this.#seats.totalDemand ?? demand, now);
  }

  #retryLater(): void {
    if (this.#retryTimer || this.#seats.totalDemand === undefined) return;
    this.#retryTimer = setTimeout(() => {
      this.#retryTimer = undefined;
      const now = this.#clock.elapsed();
      this.#advance(now);
      this.#dispatch(now);
    }, retryMs).unref();
  }
}

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
  #updatedAt: number;
  #periodStart: number;
  /** Integrals over the period, of the demand and of its square. */
  #sum = 0;
  #squareSum = 0;
  #smoothed = 0;

  constructor(now: number) {
    this.#updatedAt = now;
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
    const periodMs = now - this.#periodStart;
    const average = periodMs > 0 ? this.#sum / periodMs : this.#current;
    const variance = periodMs > 0 ? this.#squareSum / periodMs - average * average : 0;
    const deviation = Math.sqrt(Math.max(0, variance));
    const envelope = average + deviation;
    this.#smoothed = Math.max(envelope, smoothing * this.#smoothed + (1 - smoothing) * envelope);
    const summary = { highest: this.#highest, average, deviation, smoothed: this.#smoothed };
    this.#periodStart = now;
    this.#highest = this.#current;
    this.#sum = 0;
    this.#squareSum = 0;
    return summary;
  }

  #advance(now: number): void {
    const elapsedMs = now - this.#updatedAt;
    // A clock that was set back adds nothing.
    if (elapsedMs > 0) {
      this.#sum += this.#current * elapsedMs;
      this.#squareSum += this.#current * this.#current * elapsedMs;
    }
    this.#updatedAt = now;
  }
}
