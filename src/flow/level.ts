/**
 * One priority level: so many seats, and queues in front of them.
 *
 * Invariants:
 * - Seats in use never exceed the limit, but for one request that is wider than that and then has the level to itself.
 *   (A limit that is lowered takes no seat away; it lets none be taken until enough are free.)
 * - A request that was let in gives back exactly the seats it took; one that waits is let in or turned away, once.
 * - While requests wait, either a seat is in use or nothing waits that fits: nobody waits for nothing.
 * - Fairness is that of virtual time. It passes in all queues that have something to do at the same rate, that of
 *   the seats each of them would get; a queue is charged for what its requests take, and the one whose next request
 *   would be done first in virtual time comes next.
 */
import type { PriorityLevelConfigurationSpec } from '../api/flowcontrol/prioritylevelconfiguration.ts';
import type { Clock } from '../clock.ts';
import type { Flow } from './flow.ts';
import type { LevelSeries } from './flow-metrics.ts';
import type { Limits } from './limits.ts';
import { Queue } from './queue.ts';
import { RetryAfter } from './retry-after.ts';
import { SeatDemand } from './seat-demand.ts';
import { expectedMs, type Requester, Ticket, type Work } from './ticket.ts';

export interface LevelSettings {
  /** Never held up. */
  readonly isExempt: boolean;
  /** How many queues requests are dealt to; with none, who finds no seat is turned away. */
  readonly queues: number;
  readonly handSize: number;
  readonly queueLengthLimit: number;
}

/** What a level is told of itself. */
export interface LevelConfiguration {
  readonly spec: PriorityLevelConfigurationSpec;
  readonly settings: LevelSettings;
  readonly limits: Limits;
  readonly isQuiescing: boolean;
}

/** Why a request is turned away at once. */
export type Refusal = 'concurrency-limit' | 'queue-full';
/** Why one that waited is. */
export type GivenUp = 'time-out' | 'cancelled';

/** No request takes more seats than this. */
const widest = 10;
/** Nor more than this part of its level's. */
const widestPart = 0.15;

export class Level {
  readonly name: string;
  readonly series: LevelSeries;
  readonly demand: SeatDemand;
  readonly retryAfter = new RetryAfter();
  readonly executing = new Set<Ticket>();
  configuration: LevelConfiguration;
  /** Seats that may be in use now. */
  limit = 0;
  seatsInUse = 0;
  seatsWaiting = 0;
  waiting = 0;
  readonly counts = { dispatched: 0, rejected: 0, timedOut: 0, cancelled: 0 };
  readonly #clock: Clock;
  readonly #whenIdle: () => void;
  /** The queues that have something to do, by index: there may be millions, and an idle one has nothing to remember. */
  readonly #active = new Map<number, Queue>();
  /** Virtual time, in seats times milliseconds, and when it was that. */
  #virtual = 0;
  #virtualAt: number;
  #robin = 0;
  #enqueued = 0;

  constructor(
    name: string,
    configuration: LevelConfiguration,
    clock: Clock,
    series: LevelSeries,
    whenIdle: () => void = () => {},
  ) {
    this.name = name;
    this.configuration = configuration;
    this.series = series;
    this.#clock = clock;
    this.#whenIdle = whenIdle;
    this.#virtualAt = clock.elapsed();
    this.demand = new SeatDemand(this.#virtualAt);
  }

  get settings(): LevelSettings {
    return this.configuration.settings;
  }

  get limits(): Limits {
    return this.configuration.limits;
  }

  /** It has been deleted, and is gone once its last request is. */
  get isQuiescing(): boolean {
    return this.configuration.isQuiescing;
  }

  setLimit(limit: number): void {
    const now = this.#clock.elapsed();
    this.#advance(now);
    this.limit = limit;
    this.#dispatch(now);
  }

  /** How many seats a request may be estimated to take. */
  get maxSeats(): number {
    const { queues, handSize } = this.settings;
    if (queues === 0) return widest;
    const { nominal } = this.limits;
    return Math.max(1, Math.min(widest, Math.floor(Math.min(widestPart * nominal, nominal / handSize))));
  }

  get isIdle(): boolean {
    return this.waiting === 0 && this.executing.size === 0 && this.seatsInUse === 0;
  }

  /** Those that have something to do; also some that are too many since the level was configured anew. */
  get activeQueues(): readonly Queue[] {
    return [...this.#active.values()].sort((a, b) => a.index - b.index);
  }

  get virtualTime(): number {
    return this.#virtual;
  }

  /** Lets a request in, puts it in a queue or turns it away. */
  arrive(flow: Flow, work: Work, requester: Requester): Ticket | Refusal {
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
    const ticket = new Ticket(this, flow, work, requester, queue, now, this.#virtual);
    this.series.queueLength.observe(queue.waiting);
    if (this.waiting === 0 && this.#fits(ticket.seats)) {
      this.#begin(ticket, now);
      return ticket;
    }
    queue.push(ticket);
    this.waiting++;
    this.seatsWaiting += ticket.seats;
    flow.schema.series.waiting.value++;
    this.#noteDemand(now);
    this.#dispatch(now);
    return ticket;
  }

  #arriveWithoutQueue(flow: Flow, work: Work, requester: Requester, now: number): Ticket | Refusal {
    const ticket = new Ticket(this, flow, work, requester, undefined, now, this.#virtual);
    if (!this.#fits(ticket.seats)) {
      this.counts.rejected++;
      return 'concurrency-limit';
    }
    this.#begin(ticket, now);
    return ticket;
  }

  /** A request has waited too long, or nobody waits for it any more. */
  giveUp(ticket: Ticket, reason: GivenUp): void {
    if (ticket.state !== 'waiting') return;
    const now = this.#clock.elapsed();
    this.#advance(now);
    this.#leaveQueue(ticket);
    ticket.state = 'over';
    this.counts[reason === 'time-out' ? 'timedOut' : 'cancelled']++;
    this.counts.rejected++;
    const { series } = ticket.flow.schema;
    series.waitedInVain.observe((now - ticket.arrivedAt) / 1000);
    this.#noteDemand(now);
    this.#mayBeIdle(ticket.queue!);
    ticket.whenDecided?.(false);
    // It may have been one that stood in the way because it was too wide.
    this.#dispatch(now);
    this.#leaveIfDone();
  }

  /** A request is done; `Ticket.release` sees to it that this happens once. */
  finish(ticket: Ticket): void {
    const { queue, work, flow } = ticket;
    const { series } = flow.schema;
    const now = this.#clock.elapsed();
    this.#advance(now);
    ticket.state = 'over';
    this.executing.delete(ticket);
    const isWatch = ticket.requester.info.verb === 'watch';
    (isWatch ? series.watchStart : series.execution).observe((now - ticket.startedAt) / 1000);
    series.executing.value--;
    // It was charged for what it was expected to take: now it is known.
    if (queue) queue.nextDispatch += work.seats * (now - ticket.startedAt - expectedMs);
    if (work.finalSeats > 0 && work.finalMs > 0) {
      this.#clock.after(work.finalMs, () => {
        const later = this.#clock.elapsed();
        this.#advance(later);
        this.#free(ticket, later);
      });
    } else this.#free(ticket, now);
  }

  #free(ticket: Ticket, now: number): void {
    const { queue, seats } = ticket;
    this.seatsInUse -= seats;
    ticket.flow.schema.series.executingSeats.value -= seats;
    this.#noteDemand(now);
    if (queue) {
      queue.executing--;
      queue.seatsInUse -= seats;
      notBeforeArrival(queue);
      this.#mayBeIdle(queue);
    }
    if (this.waiting > 0) this.#dispatch(now);
    else this.#leaveIfDone();
  }

  #leaveIfDone(): void {
    if (this.isQuiescing && this.isIdle) this.#whenIdle();
  }

  #fits(seats: number): boolean {
    if (this.settings.isExempt) return true;
    return seats > this.limit ? this.seatsInUse === 0 : this.seatsInUse + seats <= this.limit;
  }

  /** The queue of the flow's hand with the least to do. Where several are the same, each is taken in turn. */
  #queueFor(flow: Flow): Queue {
    const { hand } = flow;
    const offset = this.#enqueued++ % hand.length;
    let best: Queue | undefined;
    for (let i = 0; i < hand.length; i++) {
      const index = hand[(offset + i) % hand.length]!;
      const queue = this.#active.get(index) ?? new Queue(index);
      if (queue.workWaiting === 0) return queue;
      if (best === undefined || queue.workWaiting < best.workWaiting) best = queue;
    }
    return best!;
  }

  #dispatch(now: number): void {
    while (this.waiting > 0) {
      const queue = this.#nextQueue();
      const ticket = queue.first!;
      if (!this.#fits(ticket.seats)) {
        ticket.flow.schema.series.tooWideForNow.value++;
        return;
      }
      this.#robin = queue.index;
      this.#leaveQueue(ticket);
      this.#begin(ticket, now);
      notBeforeArrival(queue);
      ticket.whenDecided?.(true);
    }
  }

  /** The queue whose first request would be done first. Among equals, one that has not just had its turn. */
  #nextQueue(): Queue {
    let next: Queue | undefined;
    let earliest = Infinity;
    for (const queue of this.#active.values()) {
      if (queue.first === undefined) continue;
      const end = queue.nextDispatch + queue.first.expectedWork;
      if (end < earliest || (end === earliest && this.#turn(queue) < this.#turn(next!))) {
        earliest = end;
        next = queue;
      }
    }
    return next!;
  }

  /** Queues take turns by index, from the one after the last that had it. */
  #turn({ index }: Queue): number {
    return index > this.#robin ? index : index + Number.MAX_SAFE_INTEGER / 2;
  }

  #begin(ticket: Ticket, now: number): void {
    const { queue, seats, flow } = ticket;
    const { series } = flow.schema;
    ticket.state = 'executing';
    ticket.startedAt = now;
    this.executing.add(ticket);
    this.seatsInUse += seats;
    this.counts.dispatched++;
    series.dispatched.value++;
    series.executing.value++;
    series.executingSeats.value += seats;
    series.seats.observe(seats);
    this.#noteDemand(now);
    if (queue === undefined) return;
    queue.executing++;
    queue.seatsInUse += seats;
    queue.nextDispatch += ticket.expectedWork;
    series.waited.observe((now - ticket.arrivedAt) / 1000);
  }

  #leaveQueue(ticket: Ticket): void {
    ticket.queue!.remove(ticket);
    this.waiting--;
    this.seatsWaiting -= ticket.seats;
    ticket.flow.schema.series.waiting.value--;
  }

  #mayBeIdle(queue: Queue): void {
    if (!queue.isActive) this.#active.delete(queue.index);
  }

  /** Virtual time goes on at the rate at which each queue that has something to do is served. */
  #advance(now: number): void {
    const passed = now - this.#virtualAt;
    this.#virtualAt = now;
    if (passed <= 0 || this.#active.size === 0) return;
    const seats = Math.min(this.seatsInUse + this.seatsWaiting, this.limit);
    this.#virtual += (passed * seats) / this.#active.size;
  }

  #noteDemand(now: number): void {
    this.demand.set(this.seatsInUse + this.seatsWaiting, now);
  }
}

/** A queue that could not use all it was given saves nothing up: its next request is not due before it came. */
function notBeforeArrival(queue: Queue): void {
  const { first } = queue;
  if (first !== undefined && queue.nextDispatch < first.arrival) queue.nextDispatch = first.arrival;
}
