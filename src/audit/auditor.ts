import type { User } from '../http/exchange.ts';
import type { HttpExchange } from '../http/http-exchange.ts';
import type { Meters, Value } from '../telemetry/meters.ts';
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
  readonly meters: Meters;
  /** An event longer than this goes without its objects. */
  readonly longestEvent: number;
  readonly onLost: (events: number, error: unknown) => void;
}

const allowed = { allowed: true, reason: '' } as const;

/** Decides what is noted of each request, and hands the events on to where they are kept. */
export class Auditor implements RecordKeeper {
  readonly #parts: AuditorParts;
  readonly #events: Value;
  readonly #rejected: Value;
  readonly #levels: Readonly<Record<Level, Value>>;

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
    const { sink, strict, onLost } = this.#parts;
    this.#events.value++;
    const line = this.#line(record, stage, at);
    if (line === undefined) return true;
    if (!strict || stage !== 'RequestReceived') {
      sink.write(line);
      return true;
    }
    try {
      sink.writeNow(line);
      return true;
    } catch (error) {
      onLost(1, error);
      this.#rejected.value++;
      return false;
    }
  }

  #line(record: AuditRecord, stage: Stage, at: number): string | undefined {
    const { format, longestEvent, onLost } = this.#parts;
    const line = format.line(record, stage, at);
    if (line.length <= longestEvent) return line;
    record.truncate();
    const shorter = format.line(record, stage, at);
    if (shorter.length <= longestEvent) return shorter;
    onLost(1, new Error(`an audit event is longer than the ${longestEvent} bytes that it may have`));
    return undefined;
  }

  close(): Promise<void> {
    return this.#parts.sink.close();
  }
}
