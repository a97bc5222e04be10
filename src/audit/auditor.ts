// Audit: evaluates the policy for each request and writes its events, one per stage, to the backend.
import type { Clock } from '../base/clock.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { User } from '../request/user.ts';
import type { Metrics, NumberSeries } from '../telemetry/metrics.ts';
import type { HttpExchange } from '../transport/exchange.ts';
import type { AuditBackend } from './backend.ts';
import type { Callers } from './caller.ts';
import type { EventFormat } from './json-event.ts';
import {
  type AuditLevel,
  type AuditStage,
  levels,
  type PolicyRuleEvaluator,
  type RequestAuditConfig,
} from './policy.ts';
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
  readonly onLost: (eventCount: number, error: unknown) => void;
}

/** How long a RequestReceived event waits for the next event of its request, to be written together with it. */
const maxHoldMs = 5;

const allowDecision = { allowed: true, reason: '' } as const;

export class Auditor implements AuditEventProcessor {
  readonly #options: AuditorOptions;
  readonly #eventTotal: NumberSeries;
  readonly #rejectedTotal: NumberSeries;
  readonly #totalByLevel: Readonly<Record<AuditLevel, NumberSeries>>;
  /** Records whose RequestReceived event is not yet written. */
  readonly #heldRecords = new Set<AuditRecord>();
  #cancelTimer: (() => void) | undefined;

  constructor(options: AuditorOptions) {
    this.#options = options;
    const { metrics } = options;
    this.#eventTotal = metrics.counter('apiserver_audit_event_total').child();
    this.#rejectedTotal = metrics.counter('apiserver_audit_requests_rejected_total').child();
    const levelCounter = metrics.counter('apiserver_audit_level_total');
    const seriesByLevel = levels.map((level) => [level, levelCounter.child(level)]);
    this.#totalByLevel = Object.fromEntries(seriesByLevel) as Record<AuditLevel, NumberSeries>;
  }

  /** Writes the events. */
  get backend(): AuditBackend {
    return this.#options.backend;
  }

  /** Creates the record of a request; undefined at level None. `user` is undefined if authentication failed. */
  record(exchange: HttpExchange, user: User | undefined, longRunning: boolean): AuditRecord | undefined {
    const config = this.#evaluatePolicy(user, exchange.info);
    if (config.level === 'None') return undefined;
    const caller = this.#options.callers.describe(exchange);
    return new AuditRecord(this, exchange, config, user, caller, longRunning);
  }

  /** Creates the record of a request that the server makes itself, which is always allowed; undefined at level None. */
  recordInternal(request: AuditedRequest, userAgent: string): AuditRecord | undefined {
    const { user, info } = request;
    const config = this.#evaluatePolicy(user, info);
    if (config.level === 'None') return undefined;
    const caller = this.#options.callers.describeInternal(userAgent);
    const longRunning = false;
    const record = new AuditRecord(this, request, config, user, caller, longRunning);
    record.decision = allowDecision;
    return record;
  }

  #evaluatePolicy(user: User | undefined, info: RequestInfo): RequestAuditConfig {
    const config = this.#options.policy.evaluate(user, info);
    this.#totalByLevel[config.level].value++;
    return config;
  }

  processEvent(record: AuditRecord, stage: AuditStage, timeMs: number): boolean {
    if (record.config.omitStages.includes(stage)) return true;
    if (stage === 'RequestReceived')
      return this.#options.strict ? this.#writeStrict(record) : this.#hold(record);
    const isHeld = this.#heldRecords.delete(record);
    const receivedLine = isHeld ? this.#formatReceivedEvent(record) : undefined;
    const stageLine = this.#formatEvent(record, stage, timeMs);
    if (receivedLine !== undefined && stageLine !== undefined)
      this.#options.backend.write(receivedLine + stageLine, 2);
    else this.#write(receivedLine ?? stageLine);
    return true;
  }

  /** Most requests finish at once: writing their first and last event together halves the cost. */
  #hold(record: AuditRecord): true {
    this.#heldRecords.add(record);
    this.#cancelTimer ??= this.#options.clock.after(maxHoldMs, () => this.#writeHeld());
    return true;
  }

  #writeHeld(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    for (const record of this.#heldRecords) this.#write(this.#formatReceivedEvent(record));
    this.#heldRecords.clear();
  }

  #write(line: string | undefined): void {
    if (line !== undefined) this.#options.backend.write(line, 1);
  }

  /** Returns false if the write failed, in which case the request is rejected. */
  #writeStrict(record: AuditRecord): boolean {
    const { backend, onLost } = this.#options;
    const line = this.#formatReceivedEvent(record);
    // An event that is too long is lost, but does not reject the request.
    if (line === undefined) return true;
    try {
      backend.writeNow(line);
      return true;
    } catch (error) {
      onLost(1, error);
      this.#rejectedTotal.value++;
      return false;
    }
  }

  /** Formats the RequestReceived event, which has no objects to truncate. Undefined if it is too long. */
  #formatReceivedEvent(record: AuditRecord): string | undefined {
    this.#eventTotal.value++;
    const line = this.#options.format.formatLine(record, 'RequestReceived', record.exchange.receivedAtMs);
    return this.#dropIfTooLong(line);
  }

  /** Formats the event of a later stage, truncated if necessary. Undefined if it is still too long. */
  #formatEvent(record: AuditRecord, stage: AuditStage, timeMs: number): string | undefined {
    const { format, maxEventBytes } = this.#options;
    this.#eventTotal.value++;
    const line = format.formatLine(record, stage, timeMs);
    if (line.length <= maxEventBytes) return line;
    record.truncate();
    return this.#dropIfTooLong(format.formatLine(record, stage, timeMs));
  }

  /** Returns the line. If it is too long, reports the event as lost and returns undefined. */
  #dropIfTooLong(line: string): string | undefined {
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
