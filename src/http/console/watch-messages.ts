// The messages of a console stream: JSON texts in both directions.
//
//   client  {"type":"subscribe","id":1,"path":"/api/v1/pods?watch=true&resourceVersion=5","accept":"application/json"}
//           {"type":"unsubscribe","id":1}
//   server  {"id":1,"events":[…]}                            watch events, as a watch of its own would send them
//           {"id":1,"end":{"code":403,"message":"…"}}        the watch has ended; code 200 is its timeout
import { isObject, type JsonObject } from '../../codec/json/json-value.ts';

/** Starts a watch. */
export interface SubscribeMessage {
  readonly type: 'subscribe';
  /** Chosen by the client; unique among its running watches. */
  readonly id: number;
  /** Path and query of a watch. */
  readonly path: string;
  readonly accept: string;
  /** Runs the watch as another user, if the caller may impersonate it. */
  readonly impersonateUser: string | undefined;
  readonly impersonateGroups: readonly string[];
}

export interface UnsubscribeMessage {
  readonly type: 'unsubscribe';
  readonly id: number;
}

const maxId = 2 ** 31;
const defaultAccept = 'application/json';
/** Header values must not have control characters: they would end the header. */
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Undefined for a message that no console sends. */
export function parseClientMessage(text: string): SubscribeMessage | UnsubscribeMessage | undefined {
  const message = parseObject(text);
  if (!message || !isId(message.id)) return undefined;
  const { id } = message;
  if (message.type === 'unsubscribe') return { type: 'unsubscribe', id };
  const { path, accept = defaultAccept, impersonateUser, impersonateGroups = [] } = message;
  if (message.type !== 'subscribe' || typeof path !== 'string' || !/^\/[\x21-\x7e]*$/.test(path))
    return undefined;
  if (!isHeaderValue(accept) || !(impersonateUser === undefined || isHeaderValue(impersonateUser)))
    return undefined;
  if (!Array.isArray(impersonateGroups) || !impersonateGroups.every(isHeaderValue)) return undefined;
  return { type: 'subscribe', id, path, accept, impersonateUser, impersonateGroups };
}

/** `lines` are watch events in JSON, one a line. */
export function eventsMessage(id: number, lines: Buffer): string {
  const events = lines.toString().trimEnd().replaceAll('\n', ',');
  return `{"id":${id},"events":[${events}]}`;
}

/** `body` is that of a rejected request: a Status, or a text. */
export function endMessage(id: number, code: number, body: string): string {
  const status = code === 200 ? undefined : parseObject(body);
  const message = typeof status?.message === 'string' ? status.message : body.trim();
  return JSON.stringify({ id, end: { code, message } });
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isId = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < maxId;
const isHeaderValue = (value: unknown): value is string =>
  typeof value === 'string' && headerValue.test(value);
