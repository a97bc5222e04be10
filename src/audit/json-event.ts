// Audit: events in JSON format (--audit-log-format=json).
import type { Dialect } from '../dialect/index.ts';
import type { Decision } from '../request/authorizer.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { User } from '../request/user.ts';
import { redactUrl } from '../telemetry/redact-url.ts';
import { encodeJson } from '../transport/json-text.ts';
import type { Callers, RequestFragments } from './caller.ts';
import { jsonString } from './json-string.ts';
import type { MicroTimeFormatter } from './micro-time.ts';
import { type AuditLevel, type AuditStage, levels } from './policy.ts';
import { type AuditRecord, type EventFragments, noObject, type ResponseStatus } from './record.ts';

/** Formats the event of a stage as one line. RequestReceived events contain nothing that became known later. */
export interface EventFormat {
  formatLine(record: AuditRecord, stage: AuditStage, timeMs: number): string;
}

/**
 * One event per line, with fields in the order of the API. Hot path, twice per request: events are concatenated from
 * cached fragments instead of serializing an object.
 */
export class JsonEvents implements EventFormat {
  readonly #callers: Callers;
  readonly #timestamps: MicroTimeFormatter;
  readonly #annotationNames: Dialect['annotations'];
  readonly #startByLevel: Readonly<Record<AuditLevel, string>>;
  /** The annotations of a decision as JSON. The authorizer returns one decision object per binding, so they repeat. */
  readonly #annotationsByDecision = new WeakMap<Decision, string>();

  constructor(dialect: Dialect, callers: Callers, timestamps: MicroTimeFormatter) {
    this.#callers = callers;
    this.#timestamps = timestamps;
    this.#annotationNames = dialect.annotations;
    const apiVersion = dialect.apiVersion('audit', 'v1');
    const start = (level: AuditLevel) =>
      `{"kind":"Event","apiVersion":"${apiVersion}","level":"${level}","auditID":`;
    this.#startByLevel = Object.fromEntries(levels.map((level) => [level, start(level)])) as Record<
      AuditLevel,
      string
    >;
  }

  formatLine(record: AuditRecord, stage: AuditStage, timeMs: number): string {
    const { exchange } = record;
    record.fragments ??= this.#buildFragments(record);
    const { start, request, object, timestamps, received, shared } = record.fragments;
    if (stage === 'RequestReceived') return `${start}${stage}${request}${object}${timestamps}${received}"}\n`;
    const impersonated = exchange.impersonator
      ? `,"impersonatedUser":${this.#callers.userJson(exchange.user)}`
      : '';
    const source = record.objectMeta === noObject ? object : sourceAndObjectRef(shared, record);
    const outcome = outcomeFields(record);
    const stageTime = this.#timestamps.format(timeMs);
    const annotations = this.#annotations(record);
    return `${start}${stage}${request}${impersonated}${source}${outcome}${timestamps}${stageTime}"${annotations}}\n`;
  }

  #buildFragments(record: AuditRecord): EventFragments {
    const { exchange, config, caller, user } = record;
    const { info, request } = exchange;
    const shared =
      caller.lastFragments && canReuseFragments(caller.lastFragments, user, info)
        ? caller.lastFragments
        : this.#buildRequestFragments(record);
    const received = this.#timestamps.format(exchange.receivedAtMs);
    return {
      start: `${this.#startByLevel[config.level]}${jsonString(record.auditId)},"stage":"`,
      request: `","requestURI":${jsonString(redactUrl(request.url ?? ''))}${shared.userFields}`,
      shared,
      object: sourceAndObjectRef(shared, { exchange, objectMeta: noObject }),
      timestamps: `,"requestReceivedTimestamp":"${received}","stageTimestamp":"`,
      received,
    };
  }

  /** A connection mostly repeats requests for the same resource: the fragments are kept with the caller. */
  #buildRequestFragments({ caller, user, exchange: { info } }: AuditRecord): RequestFragments {
    const userFields = `,"verb":${jsonString(info.verb)},"user":${user ? this.#callers.userJson(user) : '{}'}`;
    const group = info.group === '' ? '' : `,"apiGroup":${jsonString(info.group)}`;
    const fragments: RequestFragments = {
      user,
      info,
      userFields,
      sourceFields: caller.sourceFields,
      objectRefStart: `,"objectRef":{"resource":${jsonString(info.resource)}`,
      objectRefVersion: `${group},"apiVersion":${jsonString(info.version)}`,
      objectRefEnd: info.subresource === '' ? '}' : `,"subresource":${jsonString(info.subresource)}}`,
    };
    caller.lastFragments = fragments;
    return fragments;
  }

  #annotations({ decision, annotations, isTruncated }: AuditRecord): string {
    if (annotations === undefined && !isTruncated) {
      if (decision === undefined) return '';
      return this.#cachedDecisionAnnotations(decision);
    }
    const merged = new Map([
      ...(decision ? this.#decisionAnnotations(decision) : []),
      ...(annotations ?? []),
    ]);
    if (isTruncated) merged.set(this.#annotationNames.auditTruncated, 'true');
    return this.#annotationsJson([...merged].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #decisionAnnotations({ allowed, reason }: Decision): Annotation[] {
    return [
      [this.#annotationNames.auditDecision, allowed ? 'allow' : 'forbid'],
      [this.#annotationNames.auditReason, reason],
    ];
  }

  #cachedDecisionAnnotations(decision: Decision): string {
    let text = this.#annotationsByDecision.get(decision);
    if (text === undefined) {
      text = this.#annotationsJson(this.#decisionAnnotations(decision));
      this.#annotationsByDecision.set(decision, text);
    }
    return text;
  }

  #annotationsJson(annotations: readonly Annotation[]): string {
    return `,"annotations":{${annotations.map(([key, value]) => `${jsonString(key)}:${jsonString(value)}`).join(',')}}`;
  }
}

type Annotation = readonly [key: string, value: string];

/** Whether the fragments of an earlier request fit this one. They do not contain the object's name and namespace. */
function canReuseFragments(
  { user, info: previousInfo }: RequestFragments,
  requestUser: User | undefined,
  info: RequestInfo,
): boolean {
  return (
    user === requestUser &&
    previousInfo.verb === info.verb &&
    previousInfo.isResource === info.isResource &&
    previousInfo.resource === info.resource &&
    previousInfo.group === info.group &&
    previousInfo.version === info.version &&
    previousInfo.subresource === info.subresource
  );
}

/** The fields sourceIPs and userAgent, and objectRef for a resource request. */
function sourceAndObjectRef(
  { sourceFields, objectRefStart, objectRefVersion, objectRefEnd }: RequestFragments,
  { exchange: { info }, objectMeta }: Pick<AuditRecord, 'exchange' | 'objectMeta'>,
): string {
  if (!info.isResource) return sourceFields;
  const namespace = info.namespace || objectMeta.namespace;
  const name = info.name || objectMeta.name;
  let text = sourceFields + objectRefStart;
  if (namespace) text += `,"namespace":${jsonString(namespace)}`;
  if (name) text += `,"name":${jsonString(name)}`;
  if (objectMeta.uid) text += `,"uid":${jsonString(objectMeta.uid)}`;
  text += objectRefVersion;
  if (objectMeta.resourceVersion) text += `,"resourceVersion":${jsonString(objectMeta.resourceVersion)}`;
  return text + objectRefEnd;
}

/** responseStatus, requestObject and responseObject; empty before the response has started (code 0). */
function outcomeFields({ code, status, requestObject, responseObject }: AuditRecord): string {
  if (code === 0) return '';
  let text = status === undefined ? statusWithCode(code) : statusWithDetails(status, code);
  if (requestObject !== '') text += `,"requestObject":${requestObject}`;
  if (responseObject !== '') text += `,"responseObject":${responseObject}`;
  return text;
}

const statusWithCode = (code: number) => `,"responseStatus":{"metadata":{},"code":${code}}`;

function statusWithDetails({ status, message, reason, details }: ResponseStatus, code: number): string {
  return `,"responseStatus":${encodeJson({
    metadata: {},
    status,
    ...(message && { message }),
    ...(reason && { reason }),
    ...(details && { details }),
    code,
  })}`;
}
