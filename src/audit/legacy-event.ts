// Audit: events in legacy text format (--audit-log-format=legacy).
import { redactUrl } from '../telemetry/redact-url.ts';
import type { EventFormat } from './json-event.ts';
import type { MicroTimeFormatter } from './micro-time.ts';
import type { AuditStage } from './policy.ts';
import type { AuditRecord } from './record.ts';

/** One line of key=value pairs per event, with fewer fields than JSON at any level. */
export class LegacyEvents implements EventFormat {
  readonly #timestamps: MicroTimeFormatter;

  constructor(timestamps: MicroTimeFormatter) {
    this.#timestamps = timestamps;
  }

  formatLine(record: AuditRecord, stage: AuditStage): string {
    const { exchange, user, caller } = record;
    const { info, impersonator } = exchange;
    // The RequestReceived event must not contain what became known later.
    const isReceivedStage = stage === 'RequestReceived';
    const impersonated = impersonator && !isReceivedStage ? exchange.user : undefined;
    // Unlike JSON events, without the trailing zeros of the fraction.
    const received = this.#timestamps.format(exchange.receivedAtMs).replace(/\.?0*Z$/, 'Z');
    const fields = [
      ['id', record.auditId],
      ['stage', stage],
      ['ip', caller.addresses[0] ?? '<unknown>'],
      ['method', info.verb],
      ['user', user?.name || '<none>'],
      ['groups', groups(user?.name ? user.groups : [], '<none>')],
      ['as', impersonated?.name ?? '<self>'],
      ['asgroups', groups(impersonated?.groups ?? [], '<lookup>')],
      ['user-agent', caller.userAgent],
      ['namespace', info.namespace || (!isReceivedStage && record.objectMeta.namespace) || '<none>'],
      ['uri', redactUrl(exchange.request.url ?? '')],
      ['response', record.code === 0 || isReceivedStage ? '<deferred>' : String(record.code)],
    ];
    return `${received} AUDIT: ${fields.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(' ')}\n`;
  }
}

function groups(names: readonly string[], placeholder: string): string {
  return names.length === 0 ? placeholder : names.map((name) => JSON.stringify(name)).join(',');
}
