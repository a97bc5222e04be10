// Audit: events in JSON format (--audit-log-format=json).
import type { Dialect } from '../dialect/index.ts';
import type { Decision } from '../request/authorizer.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { User } from '../request/user.ts';
import { redactUrl } from '../telemetry/redact-url.ts';
import { encodeJson } from '../transport/json-text.ts';
import type { Callers, RequestFragments } from './caller.ts';
import type { MicroTimeFormatter } from './micro-time.ts';
import { type AuditLevel, type AuditStage, levels } from './policy.ts';
import { quoted } from './quoted.ts';
import { type AuditRecord, type EventFragments, noObject, type ResponseStatus } from './record.ts';

/** Formats an event of a record at a stage. RequestReceived events contain nothing that became known later. */
export interface EventFormat {
  line(record: AuditRecord, stage: AuditStage, at: number): string;
}

/**
 * One event per line, with fields in the order of the API. Hot path, twice per request: events are concatenated from
 * cached fragments instead of serializing an object.
 */
export class JsonEvents implements EventFormat {
  readonly #callers: Callers;
  readonly #stamps: MicroTimeFormatter;
  readonly #names: Dialect['annotations'];
  readonly #starts: Readonly<Record<AuditLevel, string>>;
  /** Annotations by decision: there is one decision object per binding. */
  readonly #decisions = new WeakMap<Decision, string>();

  constructor(dialect: Dialect, callers: Callers, stamps: MicroTimeFormatter) {
    this.#callers = callers;
    this.#stamps = stamps;
    this.#names = dialect.annotations;
    const apiVersion = dialect.apiVersion('audit', 'v1');
    const start = (level: AuditLevel) =>
      `{"kind":"Event","apiVersion":"${apiVersion}","level":"${level}","auditID":`;
    this.#starts = Object.fromEntries(levels.map((level) => [level, start(level)])) as Record<
      AuditLevel,
      string
    >;
  }

  line(record: AuditRecord, stage: AuditStage, at: number): string {
    const { exchange, fragments = this.#fragmentsOf(record) } = record;
    const { start, asked, object, stamped, received } = fragments;
    if (stage === 'RequestReceived') return `${start}${stage}${asked}${object}${stamped}${received}"}\n`;
    const impersonated = exchange.impersonator && `,"impersonatedUser":${this.#callers.user(exchange.user)}`;
    const about = record.objectMeta === noObject ? object : objectRef(fragments.shared, record);
    const ended = `${outcome(record)}${stamped}${this.#stamps.format(at)}"${this.#annotations(record)}`;
    return `${start}${stage}${asked}${impersonated ?? ''}${about}${ended}}\n`;
  }

  #fragmentsOf(record: AuditRecord): EventFragments {
    const { exchange, config, caller, user } = record;
    const { info, request } = exchange;
    const shared =
      caller.lastFragments && isReusable(caller.lastFragments, user, info)
        ? caller.lastFragments
        : this.#requestFragments(record);
    const received = this.#stamps.format(exchange.startedAt);
    const fragments: EventFragments = {
      start: `${this.#starts[config.level]}${quoted(record.auditId)},"stage":"`,
      asked: `","requestURI":${quoted(redactUrl(request.url ?? ''))}${shared.userFields}`,
      shared,
      object: objectRef(shared, { exchange, objectMeta: noObject }),
      stamped: `,"requestReceivedTimestamp":"${received}","stageTimestamp":"`,
      received,
    };
    record.fragments = fragments;
    return fragments;
  }

  /** A connection mostly repeats requests for the same resource: the fragments are kept with the caller. */
  #requestFragments({ caller, user, exchange: { info } }: AuditRecord): RequestFragments {
    const userFields = `,"verb":${quoted(info.verb)},"user":${user ? this.#callers.user(user) : '{}'}`;
    const group = info.group === '' ? '' : `,"apiGroup":${quoted(info.group)}`;
    const shared = {
      user,
      info,
      userFields,
      from: caller.fields,
      resource: `,"objectRef":{"resource":${quoted(info.resource)}`,
      version: `${group},"apiVersion":${quoted(info.version)}`,
      end: info.subresource === '' ? '}' : `,"subresource":${quoted(info.subresource)}}`,
    };
    caller.lastFragments = shared;
    return shared;
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

/** Whether cached fragments fit a request, whatever its object's name and namespace. */
function isReusable(
  { user, info: was }: RequestFragments,
  userFields: User | undefined,
  info: RequestInfo,
): boolean {
  return (
    user === userFields &&
    was.verb === info.verb &&
    was.isResource === info.isResource &&
    was.resource === info.resource &&
    was.group === info.group &&
    was.version === info.version &&
    was.subresource === info.subresource
  );
}

/** The source fields and objectRef. */
function objectRef(
  { from, resource, version, end }: RequestFragments,
  { exchange: { info }, objectMeta }: Pick<AuditRecord, 'exchange' | 'objectMeta'>,
): string {
  if (!info.isResource) return from;
  const namespace = info.namespace || objectMeta.namespace;
  const name = info.name || objectMeta.name;
  let text = from + resource;
  if (namespace) text += `,"namespace":${quoted(namespace)}`;
  if (name) text += `,"name":${quoted(name)}`;
  if (objectMeta.uid) text += `,"uid":${quoted(objectMeta.uid)}`;
  text += version;
  if (objectMeta.resourceVersion) text += `,"resourceVersion":${quoted(objectMeta.resourceVersion)}`;
  return text + end;
}

/** responseStatus and the objects, once the response has started. */
function outcome({ code, status, requestObject, responseObject }: AuditRecord): string {
  if (code === 0) return '';
  let text = status === undefined ? plainStatus(code) : statusText(status, code);
  if (requestObject !== '') text += `,"requestObject":${requestObject}`;
  if (responseObject !== '') text += `,"responseObject":${responseObject}`;
  return text;
}

const plainStatus = (code: number) => `,"responseStatus":{"metadata":{},"code":${code}}`;

function statusText({ status, message, reason, details }: ResponseStatus, code: number): string {
  return `,"responseStatus":${encodeJson({
    metadata: {},
    status,
    ...(message && { message }),
    ...(reason && { reason }),
    ...(details && { details }),
    code,
  })}`;
}
