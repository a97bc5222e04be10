// Test fixture: a priority level on a manual clock.
import type { Clock } from '../base/clock.ts';
import type { RequestInfo } from '../request/request-info.ts';
import { readRequestInfo } from '../request/request-info.ts';
import type { User } from '../request/user.ts';
import { createServerMetrics } from '../telemetry/metrics.ts';
import { EffectiveFlowSchema, type Flow } from './flow.ts';
import { oneSeat } from './flow-control.ts';
import { FlowMetrics } from './flow-metrics.ts';
import type { LevelSettings } from './limits.ts';
import { PriorityLevel, type QueuedRequest, type WorkEstimate } from './priority-level.ts';

/** A clock that moves only by `advance`. */
export class ManualClock implements Clock {
  #now = 1_000_000;
  #timers: { at: number; run: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  elapsed(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.#now + ms, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const [next] = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (!next) break;
      this.#now = next.at;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      next.run();
    }
    this.#now = end;
  }
}

export const userNamed = (name: string, ...groups: string[]): User => ({ name, uid: '', groups, extra: {} });
export const requestInfo = (path: string, method = 'GET'): RequestInfo => readRequestInfo(method, path);

export class LevelFixture {
  readonly clock = new ManualClock();
  readonly meters = createServerMetrics();
  readonly metrics = new FlowMetrics(this.meters);
  readonly level: PriorityLevel;
  schema: EffectiveFlowSchema;

  constructor(limit: number, settings: Partial<LevelSettings> = {}) {
    const configuration = {
      spec: { type: 'Limited' },
      settings: { isExempt: false, queues: 8, handSize: 1, queueLengthLimit: 100, ...settings },
      limits: { nominal: limit, lower: limit, upper: limit },
      isQuiescing: false,
    };
    this.level = new PriorityLevel('level', configuration, this.clock, this.metrics.level('level'));
    this.level.setLimit(limit);
    this.schema = this.#makeSchema();
  }

  /** Drops all flows, as a new configuration does. */
  forgetFlows(): void {
    this.schema = this.#makeSchema();
  }

  #makeSchema(): EffectiveFlowSchema {
    const spec = {
      priorityLevelConfiguration: { name: 'level' },
      matchingPrecedence: 1000,
      distinguisherMethod: { type: 'ByUser' },
    } as const;
    return new EffectiveFlowSchema({ metadata: { name: 'schema' }, spec }, this.level, this.metrics, []);
  }

  flow(user: string): Flow {
    return this.schema.flowOf(userNamed(user), { namespace: '' });
  }

  arrive(user: string, work: WorkEstimate = oneSeat) {
    return this.level.arrive(this.flow(user), work, {
      user: userNamed(user),
      info: requestInfo('/api/v1/pods'),
    });
  }

  /** Like `arrive`, for requests that are not rejected. */
  admitted(user: string, work: WorkEstimate = oneSeat): QueuedRequest {
    const request = this.arrive(user, work);
    if (typeof request === 'string') throw new Error(request);
    return request;
  }
}

export const wide = (seats: number): WorkEstimate => ({ seats, finalSeats: 0, finalMs: 0 });
