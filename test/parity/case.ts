import type { Shown } from './certificates.ts';
import type { Answer } from './client.ts';
import type { Signer } from './tokens.ts';

/**
 * The notation of the corpus: a subject has cases, a case is a sequence of requests, and every response is compared.
 * Paths, headers and bodies may contain values in braces:
 *
 *   {ns}                    a namespace made for this case alone
 *   {name} {other}          names nobody else uses, for cluster-scoped objects the case makes itself
 *   {webhook} {authority}   where the run's webhook is, and whom to believe that it is, as base64
 *   {webhookCertificate}    its own certificate, as base64
 *   {selfSigned} {selfSignedCertificate}  the same for one that has signed its certificate itself
 *   {nameless} {misnamed}   one that is named by its common name alone, and one named otherwise; signed by {authority}
 *   {backend} {backendport} {backendca}   where the run's server behind others is, and whom to believe that it is
 *   {a.rv} {a.uid} {a.name} {a.continue} {a.etag} {a.hash} {a.token}   taken from the answer that was kept `as: 'a'`;
 *                           the hash is the etag without its quotes
 */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

/** The responses kept so far, by their `as` names. */
export type Kept = Readonly<Record<string, JsonObject>>;

/**
 * A string is sent verbatim; an object as JSON; a function builds the object from earlier responses, and may sign
 * tokens like the server.
 */
export type Body = string | Buffer | JsonObject | ((kept: Kept, sign: Signer) => JsonObject);

export interface Step {
  method: string;
  path: string;
  body?: Body;
  /** `null` omits a default header; a list sends the header once for each. */
  headers?: Record<string, string | string[] | null>;
  /** The token of the caller; `null` sends no credentials. By default the admin's. */
  token?: string | null | ((kept: Kept, sign: Signer) => string);
  /** The client certificate, on a separate connection. */
  certificate?: Shown;
  /** Keeps the body of the response under this name. */
  as?: string;
  watch?: WatchReading;
  /** Waits this many seconds before the request. */
  after?: number;
  /**
   * Repeats the request until the body, or the whole response, is like this, for asynchronous changes. Only the last
   * response counts.
   */
  until?: (body: JsonObject, answer: Answer) => boolean;
  /** Reduces the body of the response to the part that both servers share. */
  pick?: (body: JsonObject) => Json;
}

export interface WatchReading {
  /** How many events to read before disconnecting; by default the stream is read to its end. */
  events?: number;
  /** Requests made while the stream is open. */
  during?: Step[];
  over?: 'http' | 'websocket';
}

export interface Case {
  name: string;
  steps: Step[];
}

export interface Subject {
  name: string;
  cases: Case[];
  /** Takes minutes: skipped unless requested. */
  slow?: boolean;
  /** Needs its own servers, with request header authentication. */
  proxied?: boolean;
  /** Changes cluster-wide state: its cases run one after the other, while no others do. */
  alone?: boolean;
  /** Needs a webhook that both servers can call. */
  hooked?: boolean;
  /** Needs an extension API server for both. */
  backed?: boolean;
}

type Options = Pick<Step, 'headers' | 'token' | 'certificate' | 'as' | 'pick' | 'after' | 'until'>;

export function subject(
  name: string,
  cases: Case[],
  terms: Pick<Subject, 'slow' | 'proxied' | 'alone' | 'hooked' | 'backed'> = {},
): Subject {
  return { name, cases, ...terms };
}

export function ask(name: string, ...steps: (Step | Step[])[]): Case {
  return { name, steps: steps.flat() };
}

export function send(method: string, path: string, body?: Body, options: Options = {}): Step {
  return body === undefined ? { method, path, ...options } : { method, path, body, ...options };
}

export const get = (path: string, options?: Options): Step => send('GET', path, undefined, options);
export const post = (path: string, body: Body, options?: Options): Step => send('POST', path, body, options);
export const put = (path: string, body: Body, options?: Options): Step => send('PUT', path, body, options);
export const del = (path: string, body?: Body, options?: Options): Step =>
  send('DELETE', path, body, options);

export function watch(path: string, reading: WatchReading = {}, options: Options = {}): Step {
  return { method: 'GET', path, watch: reading, ...options };
}

/** The object kept under `name`, with some of its top-level fields replaced. */
export function changed(name: string, fields: JsonObject): (kept: Kept) => JsonObject {
  return (kept) => ({ ...kept[name], ...fields });
}

/** The object kept under `name`, with some fields of its metadata replaced. */
export function remade(
  name: string,
  metadata: JsonObject,
  fields: JsonObject = {},
): (kept: Kept) => JsonObject {
  return (kept) => ({
    ...kept[name],
    ...fields,
    metadata: { ...(kept[name]?.metadata as JsonObject), ...metadata },
  });
}
