import type { Dialect } from '../dialect/index.ts';
import type { Decision } from '../request/authorizer.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { User } from '../request/user.ts';
import { shownUrl } from '../telemetry/shown-url.ts';
import { encodeJson } from '../transport/json-text.ts';
import type { Callers, Matter } from './caller.ts';
import { type Level, levels, type Stage } from './policy.ts';
import { quoted } from './quoted.ts';
import { type AuditRecord, type CommonWords, noObject, type ToldStatus } from './record.ts';
import type { Stamps } from './stamp.ts';

/** How a record is written down at one of its stages. Of how a request began nothing is told that came later. */
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
    const { start, asked, object, stamped, received } = words;
    if (stage === 'RequestReceived') return `${start}${stage}${asked}${object}${stamped}${received}"}\n`;
    const impersonated = exchange.impersonator && `,"impersonatedUser":${this.#callers.user(exchange.user)}`;
    const about = record.named === noObject ? object : told(words.matter, record);
    const ended = `${outcome(record)}${stamped}${this.#stamps.of(at)}"${this.#annotations(record)}`;
    return `${start}${stage}${asked}${impersonated ?? ''}${about}${ended}}\n`;
  }

  #wordsFor(record: AuditRecord): CommonWords {
    const { exchange, verdict, caller, user } = record;
    const { info, request } = exchange;
    const matter = caller.matter && isOf(caller.matter, user, info) ? caller.matter : this.#matterOf(record);
    const received = this.#stamps.of(exchange.startedAt);
    const words: CommonWords = {
      start: `${this.#starts[verdict.level]}${quoted(record.auditId)},"stage":"`,
      asked: `","requestURI":${quoted(shownUrl(request.url ?? ''))}${matter.asker}`,
      matter,
      object: told(matter, { exchange, named: noObject }),
      stamped: `,"requestReceivedTimestamp":"${received}","stageTimestamp":"`,
      received,
    };
    record.words = words;
    return words;
  }

  /** Whoever asks for something asks for others of its kind, mostly over the same connection. */
  #matterOf({ caller, user, exchange: { info } }: AuditRecord): Matter {
    const asker = `,"verb":${quoted(info.verb)},"user":${user ? this.#callers.user(user) : '{}'}`;
    const group = info.group === '' ? '' : `,"apiGroup":${quoted(info.group)}`;
    const matter = {
      user,
      info,
      asker,
      from: caller.fields,
      resource: `,"objectRef":{"resource":${quoted(info.resource)}`,
      version: `${group},"apiVersion":${quoted(info.version)}`,
      end: info.subresource === '' ? '}' : `,"subresource":${quoted(info.subresource)}}`,
    };
    caller.matter = matter;
    return matter;
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

/** Whether it is what somebody asks for now, whatever the object's name and namespace. */
function isOf({ user, info: was }: Matter, asker: User | undefined, info: RequestInfo): boolean {
  return (
    user === asker &&
    was.verb === info.verb &&
    was.isResource === info.isResource &&
    was.resource === info.resource &&
    was.group === info.group &&
    was.version === info.version &&
    was.subresource === info.subresource
  );
}

/** Where the request comes from, and which object it is about. */
function told(
  { from, resource, version, end }: Matter,
  { exchange: { info }, named }: Pick<AuditRecord, 'exchange' | 'named'>,
): string {
  if (!info.isResource) return from;
  const namespace = info.namespace || named.namespace;
  const name = info.name || named.name;
  let text = from + resource;
  if (namespace) text += `,"namespace":${quoted(namespace)}`;
  if (name) text += `,"name":${quoted(name)}`;
  if (named.uid) text += `,"uid":${quoted(named.uid)}`;
  text += version;
  if (named.resourceVersion) text += `,"resourceVersion":${quoted(named.resourceVersion)}`;
  return text + end;
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
