import type { Decision } from '../auth/authorizer.ts';
import type { Dialect } from '../dialect/index.ts';
import { encodeJson } from '../http/json-text.ts';
import { shownUrl } from '../telemetry/shown-url.ts';
import type { Callers } from './caller.ts';
import { type Level, levels, type Stage } from './policy.ts';
import { quoted } from './quoted.ts';
import type { AuditRecord, CommonWords, ToldStatus } from './record.ts';
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
  readonly #names: Dialect['annotations'];
  readonly #starts: Readonly<Record<Level, string>>;
  /** There is one decision for each binding that allows something. */
  readonly #decisions = new WeakMap<Decision, string>();

  constructor(dialect: Dialect, callers: Callers, stamps: Stamps) {
    this.#callers = callers;
    this.#stamps = stamps;
    this.#names = dialect.annotations;
    const apiVersion = dialect.apiVersion('audit', 'v1');
    const start = (level: Level) =>
      `{"kind":"Event","apiVersion":"${apiVersion}","level":"${level}","auditID":`;
    this.#starts = Object.fromEntries(levels.map((level) => [level, start(level)])) as Record<Level, string>;
  }

  line(record: AuditRecord, stage: Stage, at: number): string {
    const { exchange, words = this.#wordsFor(record) } = record;
    const { impersonator, startedAt } = exchange;
    if (words.named !== record.named) {
      words.named = record.named;
      words.from = told(record);
    }
    // Joining an array makes the text in one go; adding up would make a tree of it that is taken apart later.
    return [
      words.start,
      stage,
      words.asked,
      impersonator === undefined ? '' : `,"impersonatedUser":${this.#callers.user(exchange.user)}`,
      words.from,
      outcome(record),
      ',"requestReceivedTimestamp":"',
      words.received,
      '","stageTimestamp":"',
      at === startedAt ? words.received : this.#stamps.of(at),
      '"',
      this.#annotations(record),
      '}\n',
    ].join('');
  }

  #wordsFor(record: AuditRecord): CommonWords {
    const { exchange, user, verdict, named } = record;
    const { info, request } = exchange;
    const words = {
      start: [this.#starts[verdict.level], quoted(record.auditId), ',"stage":"'].join(''),
      asked: [
        '","requestURI":',
        quoted(shownUrl(request.url ?? '')),
        ',"verb":',
        quoted(info.verb),
        ',"user":',
        user ? this.#callers.user(user) : '{}',
      ].join(''),
      from: told(record),
      received: this.#stamps.of(exchange.startedAt),
      named,
    };
    record.words = words;
    return words;
  }

  #annotations({ decision, annotations, isTruncated }: AuditRecord): string {
    if (annotations === undefined && !isTruncated) {
      if (decision === undefined) return '';
      return this.#onlyDecided(decision);
    }
    const all = new Map([...(decision ? this.#decided(decision) : []), ...(annotations ?? [])]);
    if (isTruncated) all.set(this.#names.auditTruncated, 'true');
    return this.#listed([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #decided({ allowed, reason }: Decision): Annotation[] {
    return [
      [this.#names.auditDecision, allowed ? 'allow' : 'forbid'],
      [this.#names.auditReason, reason],
    ];
  }

  #onlyDecided(decision: Decision): string {
    let text = this.#decisions.get(decision);
    if (text === undefined) {
      text = this.#listed(this.#decided(decision));
      this.#decisions.set(decision, text);
    }
    return text;
  }

  #listed(annotations: readonly Annotation[]): string {
    return `,"annotations":{${annotations.map(([key, value]) => `${quoted(key)}:${quoted(value)}`).join(',')}}`;
  }
}

type Annotation = readonly [key: string, value: string];

/** Where the request comes from, and which object it is about. */
function told({ exchange: { info }, caller, named }: AuditRecord): string {
  if (!info.isResource) return caller.fields;
  const namespace = info.namespace || named.namespace;
  const name = info.name || named.name;
  const pieces = [caller.fields, ',"objectRef":{"resource":', quoted(info.resource)];
  if (namespace) pieces.push(',"namespace":', quoted(namespace));
  if (name) pieces.push(',"name":', quoted(name));
  if (named.uid) pieces.push(',"uid":', quoted(named.uid));
  if (info.group !== '') pieces.push(',"apiGroup":', quoted(info.group));
  pieces.push(',"apiVersion":', quoted(info.version));
  if (named.resourceVersion) pieces.push(',"resourceVersion":', quoted(named.resourceVersion));
  if (info.subresource !== '') pieces.push(',"subresource":', quoted(info.subresource));
  pieces.push('}');
  return pieces.join('');
}

/** What became of the request so far. */
function outcome({ code, status, requestObject, responseObject }: AuditRecord): string {
  if (code === 0) return '';
  let text = status === undefined ? plainStatus(code) : statusText(status, code);
  if (requestObject !== '') text += `,"requestObject":${requestObject}`;
  if (responseObject !== '') text += `,"responseObject":${responseObject}`;
  return text;
}

const plainStatus = (code: number) => `,"responseStatus":{"metadata":{},"code":${code}}`;

function statusText({ status, message, reason, details }: ToldStatus, code: number): string {
  return `,"responseStatus":${encodeJson({
    metadata: {},
    status,
    ...(message && { message }),
    ...(reason && { reason }),
    ...(details && { details }),
    code,
  })}`;
}
