import { shownUrl } from '../telemetry/shown-url.ts';
import type { EventFormat } from './json-event.ts';
import type { Stage } from './policy.ts';
import type { AuditRecord } from './record.ts';
import type { Stamps } from './stamp.ts';

/** Events as lines of words, as they were before they had a kind. Less is told than in JSON, whatever the level. */
export class LegacyEvents implements EventFormat {
  readonly #stamps: Stamps;

  constructor(stamps: Stamps) {
    this.#stamps = stamps;
  }

  line(record: AuditRecord, stage: Stage): string {
    const { exchange, user, caller } = record;
    const { info, impersonator } = exchange;
    const isFirst = stage === 'RequestReceived';
    const asked = impersonator && !isFirst ? exchange.user : undefined;
    const received = this.#stamps.of(exchange.startedAt).replace(/\.?0*Z$/, 'Z');
    const told = [
      ['id', record.auditId],
      ['stage', stage],
      ['ip', caller.addresses[0] ?? '<unknown>'],
      ['method', info.verb],
      ['user', user?.name || '<none>'],
      ['groups', groups(user?.name ? user.groups : [], '<none>')],
      ['as', asked?.name ?? '<self>'],
      ['asgroups', groups(asked?.groups ?? [], '<lookup>')],
      ['user-agent', caller.agent],
      ['namespace', info.namespace || (!isFirst && record.named.namespace) || '<none>'],
      ['uri', shownUrl(exchange.request.url ?? '')],
      ['response', record.code === 0 || isFirst ? '<deferred>' : String(record.code)],
    ];
    return `${received} AUDIT: ${told.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(' ')}\n`;
  }
}

function groups(names: readonly string[], none: string): string {
  return names.length === 0 ? none : names.map((name) => JSON.stringify(name)).join(',');
}
