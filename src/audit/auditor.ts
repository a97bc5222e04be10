// Audit: evaluates the policy for each request and writes its events to the backend.
import type { Clock } from '../base/clock.ts';
import type { User } from '../request/user.ts';
import type { Metrics, NumberSeries } from '../telemetry/metrics.ts';
import type { HttpExchange } from '../transport/exchange.ts';
import type { AuditBackend } from './backend.ts';
import type { Callers } from './caller.ts';
import type { EventFormat } from './json-event.ts';
import { type AuditLevel, type AuditStage, levels, type PolicyRuleEvaluator } from './policy.ts';
import { type AuditEventProcessor, type AuditedRequest, AuditRecord } from './record.ts';

export interface AuditorOptions {
  readonly policy: PolicyRuleEvaluator;
  readonly callers: Callers;
  readonly format: EventFormat;
  readonly backend: AuditBackend;
  /** Mode blocking-strict: a request fails if its RequestReceived event cannot be written. */
  readonly strict: boolean;
  readonly clock: Clock;
  readonly metrics: Metrics;
  /**
   * A longer event is truncated: it loses its request and response objects. Compared with the line's UTF-16 code units,
   * of which there are never more than UTF-8 bytes.
   */
  readonly maxEventBytes: number;
  readonly onLost: (events: number, error: unknown) => void;
}

/** How long a RequestReceived event waits for the next event of its request, to be written together with it. */
const maxHoldMs = 5;

const allowDecision = { allowed: true, reason: '' } as const;

export class Auditor implements AuditEventProcessor {
  readonly #options: AuditorOptions;
  readonly #events: NumberSeries;
  readonly #rejected: NumberSeries;
  readonly #levelCounts: Readonly<Record<AuditLevel, NumberSeries>>;
  /** Records whose RequestReceived event is not yet written. */
  readonly #held = new Set<AuditRecord>();
  #cancelTimer: (() => void) | undefined;

  constructor(options: AuditorOptions) {
    this.#options = options;
    const { metrics } = options;
    this.#events = metrics.counter('apiserver_audit_event_total').child();
    this.#rejected = metrics.counter('apiserver_audit_requests_rejected_total').child();
    const levelCounter = metrics.counter('apiserver_audit_level_total');
    const seriesByLevel = levels.map((level) => [level, levelCounter.child(level)]);
    this.#levelCounts = Object.fromEntries(seriesByLevel) as Record<AuditLevel, NumberSeries>;
  }

  /** Creates the record of a request; undefined at level None. `user` is undefined if authentication failed. */
  record(exchange: HttpExchange, user: User | undefined, longRunning: boolean): AuditRecord | undefined {
    const config = this.#options.policy.evaluate(user, exchange.info);
    this.#levelCounts[config.level].value++;
    if (config.level === 'None') return undefined;
    return new AuditRecord(this, exchange, config, user, this.#options.callers.of(exchange), longRunning);
  }

  /** Creates the record of a request that the server makes itself, which is always allowed. */
  recordInternal(request: AuditedRequest, agent: string): AuditRecord | undefined {
    const { user, info } = request;
    const config = this.#options.policy.evaluate(user, info);
    this.#levelCounts[config.level].value++;
    if (config.level === 'None') return undefined;
    const record = new AuditRecord(this, request, config, user, this.#options.callers.internal(agent), false);
    record.decision = allowDecision;
    return record;
  }

  processEvent(record: AuditRecord, stage: AuditStage, timeMs: number): boolean {
    if (record.config.omitStages.includes(stage)) return true;
    if (stage === 'RequestReceived')
      return this.#options.strict ? this.#writeStrict(record) : this.#hold(record);
    const heldEvent = this.#held.delete(record) ? this.#receivedEvent(record) : undefined;
    const stageEvent = this.#event(record, stage, timeMs);
    if (heldEvent !== undefined && stageEvent !== undefined)
      this.#options.backend.write(heldEvent + stageEvent, 2);
    else this.#write(heldEvent ?? stageEvent);
    return true;
  }

  /** Most requests finish at once: writing their first and last event together halves the cost. */
  #hold(record: AuditRecord): true {
    this.#held.add(record);
    this.#cancelTimer ??= this.#options.clock.after(maxHoldMs, () => this.#writeHeld());
    return true;
  }

  #writeHeld(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    for (const record of this.#held) this.#write(this.#receivedEvent(record));
    this.#held.clear();
  }

  #write(line: string | undefined): void {
    if (line !== undefined) this.#options.backend.write(line, 1);
  }

  #writeStrict(record: AuditRecord): boolean {
    const { backend, onLost } = this.#options;
    const line = this.#receivedEvent(record);
    if (line === undefined) return true;
    try {
      backend.writeNow(line);
      return true;
    } catch (error) {
      onLost(1, error);
      this.#rejected.value++;
      return false;
    }
  }

  /** The RequestReceived event. It has no objects to truncate. */
  #receivedEvent(record: AuditRecord): string | undefined {
    this.#events.value++;
    return this.#unlessTooLong(
      this.#options.format.line(record, 'RequestReceived', record.exchange.receivedAtMs),
    );
  }

  #event(record: AuditRecord, stage: AuditStage, timeMs: number): string | undefined {
    const { format, maxEventBytes } = this.#options;
    this.#events.value++;
    const line = format.line(record, stage, timeMs);
    if (line.length <= maxEventBytes) return line;
    record.truncate();
    return this.#unlessTooLong(format.line(record, stage, timeMs));
  }

  /** Returns the line, or undefined if it is too long, in which case the event is lost. */
  #unlessTooLong(line: string): string | undefined {
    const { maxEventBytes, onLost } = this.#options;
    if (line.length <= maxEventBytes) return line;
    onLost(1, new Error(`an audit event exceeds the limit of ${maxEventBytes} bytes`));
    return undefined;
  }

  close(): Promise<void> {
    this.#writeHeld();
    return this.#options.backend.close();
  }
}
