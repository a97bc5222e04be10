import type { Dialect } from '../dialect/index.ts';
import type { RequestInfo } from '../http/exchange.ts';
import { encodeJson } from '../http/json-text.ts';
import type { Callers } from './caller.ts';
import { type Level, levels, type Stage } from './policy.ts';
import { quoted } from './quoted.ts';
import type { AuditRecord } from './record.ts';
import type { Stamps } from './stamp.ts';

/** How a record is written down at one of its stages. */
export interface EventFormat {
  line(record: AuditRecord, stage: Stage, at: number): string;
}

/**
 * Events as JSON, one per line, in the order of fields that the API has. Every request comes by here twice: the text is
 * put together from pieces that are ready, not from an object.
 */
export class JsonEvents implements EventFormat {
  readonly #callers: Callers;
  readonly #stamps: Stamps;
  readonly #starts: Readonly<Record<Level, string>>;
  readonly #truncated: string;

  constructor(dialect: Dialect, callers: Callers, stamps: Stamps) {
    this.#callers = callers;
    this.#stamps = stamps;
    this.#truncated = dialect.annotations.auditTruncated;
    const apiVersion = dialect.apiVersion('audit', 'v1');
    const start = (level: Level) =>
      `{"kind":"Event","apiVersion":"${apiVersion}","level":"${level}","auditID":`;
    this.#starts = Object.fromEntries(levels.map((level) => [level, start(level)])) as Record<Level, string>;
  }

  line(record: AuditRecord, stage: Stage, at: number): string {
    const { exchange, user } = record;
    const { info, impersonator } = exchange;
    let text = `${this.#starts[record.verdict.level]}${quoted(record.auditId)},"stage":"${stage}","requestURI":${quoted(exchange.request.url ?? '')},"verb":${quoted(info.verb)},"user":${user ? this.#callers.user(user) : '{}'}`;
    if (impersonator !== undefined) text += `,"impersonatedUser":${this.#callers.user(exchange.user)}`;
    text += record.caller.fields;
    if (info.isResource) text += objectRef(info, record);
    if (record.code !== 0) text += responseStatus(record);
    if (stage !== 'RequestReceived') text += objects(record);
    const received = this.#stamps.of(exchange.startedAt);
    const reached = at === exchange.startedAt ? received : this.#stamps.of(at);
    text += `,"requestReceivedTimestamp":"${received}","stageTimestamp":"${reached}"`;
    if (record.isTruncated) record.annotate(this.#truncated, 'true');
    return `${text}${annotations(record)}}\n`;
  }
}

function objectRef(info: RequestInfo, { named }: AuditRecord): string {
  const namespace = info.namespace || named.namespace;
  const name = info.name || named.name;
  let text = info.resource === '' ? '' : `,"resource":${quoted(info.resource)}`;
  if (namespace) text += `,"namespace":${quoted(namespace)}`;
  if (name) text += `,"name":${quoted(name)}`;
  if (named.uid) text += `,"uid":${quoted(named.uid)}`;
  if (info.group !== '') text += `,"apiGroup":${quoted(info.group)}`;
  if (info.version !== '') text += `,"apiVersion":${quoted(info.version)}`;
  if (named.resourceVersion) text += `,"resourceVersion":${quoted(named.resourceVersion)}`;
  if (info.subresource !== '') text += `,"subresource":${quoted(info.subresource)}`;
  return `,"objectRef":{${text.slice(1)}}`;
}

function responseStatus({ status, code }: AuditRecord): string {
  if (status === undefined) return `,"responseStatus":{"metadata":{},"code":${code}}`;
  const { status: outcome, message, reason, details } = status;
  return `,"responseStatus":${encodeJson({
    metadata: {},
    status: outcome,
    ...(message && { message }),
    ...(reason && { reason }),
    ...(details && { details }),
    code,
  })}`;
}

function objects({ requestObject, responseObject }: AuditRecord): string {
  let text = requestObject === '' ? '' : `,"requestObject":${requestObject}`;
  if (responseObject !== '') text += `,"responseObject":${responseObject}`;
  return text;
}

function annotations(record: AuditRecord): string {
  if (record.annotations.length === 0) return '';
  let text = '';
  for (const [key, value] of record.annotations) text += `,${quoted(key)}:${quoted(value)}`;
  return `,"annotations":{${text.slice(1)}}`;
}
