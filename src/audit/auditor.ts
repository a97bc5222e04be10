import type { Clock } from '../base/clock.ts';
import type { User } from '../request/user.ts';
import type { Metrics, Value } from '../telemetry/metrics.ts';
import type { HttpExchange } from '../transport/http-exchange.ts';
import type { Callers } from './caller.ts';
import type { EventFormat } from './json-event.ts';
import { type Level, levels, type PolicyRules, type Stage } from './policy.ts';
import { type AuditedRequest, AuditRecord, type RecordKeeper } from './record.ts';
import type { AuditSink } from './sink.ts';

export interface AuditorParts {
  readonly rules: PolicyRules;
  readonly callers: Callers;
  readonly format: EventFormat;
  readonly sink: AuditSink;
  /** A request whose beginning cannot be written down is not served. */
  readonly strict: boolean;
  readonly clock: Clock;
  readonly meters: Metrics;
  /** An event longer than this goes without its objects. */
  readonly longestEvent: number;
  readonly onLost: (events: number, error: unknown) => void;
}

/** So long, in milliseconds, it may take until is told that a request has come. */
const longestHold = 5;

const allowed = { allowed: true, reason: '' } as const;

/** Decides what is noted of each request, and hands the events on to where they are kept. */
export class Auditor implements RecordKeeper {
  readonly #parts: AuditorParts;
  readonly #events: Value;
  readonly #rejected: Value;
  readonly #levels: Readonly<Record<Level, Value>>;
  /** Requests of which has not been told yet that they have come. */
  readonly #begun = new Set<AuditRecord>();
  #callOff: (() => void) | undefined;

  constructor(parts: AuditorParts) {
    this.#parts = parts;
    const { meters } = parts;
    this.#events = meters.counter('apiserver_audit_event_total').child();
    this.#rejected = meters.counter('apiserver_audit_requests_rejected_total').child();
    const byLevel = meters.counter('apiserver_audit_level_total');
    const counts = levels.map((level) => [level, byLevel.child(level)]);
    this.#levels = Object.fromEntries(counts) as Record<Level, Value>;
  }

  /** Begins the record of a request, if there is to be one. `user` is who sent it, as far as that is known. */
  record(exchange: HttpExchange, user: User | undefined, longRunning: boolean): AuditRecord | undefined {
    const verdict = this.#parts.rules.judge(user, exchange.info);
    this.#levels[verdict.level].value++;
    if (verdict.level === 'None') return undefined;
    return new AuditRecord(this, exchange, verdict, user, this.#parts.callers.of(exchange), longRunning);
  }

  /** The same for what has not come over the network: it is allowed, as it is the server's own work. */
  recordOwn(request: AuditedRequest, agent: string): AuditRecord | undefined {
    const { user, info } = request;
    const verdict = this.#parts.rules.judge(user, info);
    this.#levels[verdict.level].value++;
    if (verdict.level === 'None') return undefined;
    const record = new AuditRecord(this, request, verdict, user, this.#parts.callers.own(agent), false);
    record.decision = allowed;
    return record;
  }

  keep(record: AuditRecord, stage: Stage, at: number): boolean {
    if (record.verdict.omitStages.includes(stage)) return true;
    if (stage === 'RequestReceived') return this.#parts.strict ? this.#keepNow(record) : this.#hold(record);
    const first = this.#begun.delete(record) ? this.#first(record) : undefined;
    const last = this.#line(record, stage, at);
    if (first !== undefined && last !== undefined) this.#parts.sink.write(first + last, 2);
    else this.#write(first ?? last);
    return true;
  }

  /** Most requests are over in a moment: it takes half the time to tell how they began and ended in one go. */
  #hold(record: AuditRecord): true {
    this.#begun.add(record);
    this.#callOff ??= this.#parts.clock.after(longestHold, () => this.#tellBegun());
    return true;
  }

  #tellBegun(): void {
    this.#callOff?.();
    this.#callOff = undefined;
    for (const record of this.#begun) this.#write(this.#first(record));
    this.#begun.clear();
  }

  #write(line: string | undefined): void {
    if (line !== undefined) this.#parts.sink.write(line, 1);
  }

  #keepNow(record: AuditRecord): boolean {
    const { sink, onLost } = this.#parts;
    const line = this.#first(record);
    if (line === undefined) return true;
    try {
      sink.writeNow(line);
      return true;
    } catch (error) {
      onLost(1, error);
      this.#rejected.value++;
      return false;
    }
  }

  /** How it began, of which nothing can be left out. */
  #first(record: AuditRecord): string | undefined {
    this.#events.value++;
    return this.#ifShort(this.#parts.format.line(record, 'RequestReceived', record.exchange.startedAt));
  }

  #line(record: AuditRecord, stage: Stage, at: number): string | undefined {
    const { format, longestEvent } = this.#parts;
    this.#events.value++;
    const line = format.line(record, stage, at);
    if (line.length <= longestEvent) return line;
    record.truncate();
    return this.#ifShort(format.line(record, stage, at));
  }

  #ifShort(line: string): string | undefined {
    const { longestEvent, onLost } = this.#parts;
    if (line.length <= longestEvent) return line;
    onLost(1, new Error(`an audit event exceeds the limit of ${longestEvent} bytes`));
    return undefined;
  }

  close(): Promise<void> {
    this.#tellBegun();
    return this.#parts.sink.close();
  }
}
