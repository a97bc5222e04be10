// Requests of the attack suite by any caller and in any format, with the response as JSON.
import { exchange, type Server } from '../parity/client.ts';

interface Sent {
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Encoded as JSON, unless it is a Buffer. */
  readonly body?: object;
  /** Of the body. */
  readonly type?: string;
}

export interface Received {
  readonly status: number;
  readonly text: string;
  /** The body as JSON; an empty object if it is something else. */
  readonly json: ReceivedObject;
}

interface ReceivedObject {
  readonly kind?: string;
  readonly metadata?: {
    readonly name?: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly continue?: string;
  };
  readonly items?: readonly ReceivedObject[];
  readonly status?: unknown;
  readonly [field: string]: unknown;
}

/** Sends with the token of the server, if it has one; a server without token has an agent with a certificate. */
export async function ask(server: Server, method: string, path: string, sent: Sent = {}): Promise<Received> {
  const { body, type = 'application/json' } = sent;
  const headers = {
    ...(server.token && { authorization: `Bearer ${server.token}` }),
    ...(body && { 'content-type': type }),
    ...sent.headers,
  };
  const bytes = body && (Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body)));
  const answer = await exchange(server, { method, path, headers, ...(bytes && { body: bytes }) });
  return { status: answer.status, text: answer.body, json: objectOf(answer.body) };
}

/** The same for a step of the setup, which must succeed. */
export async function setUpObject(
  server: Server,
  method: string,
  path: string,
  body?: object,
): Promise<ReceivedObject> {
  const received = await ask(server, method, path, body && { body });
  if (received.status >= 300) throw new Error(`${method} ${path}: ${received.status} ${received.text}`);
  return received.json;
}

function objectOf(text: string): ReceivedObject {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as ReceivedObject) : {};
  } catch {
    return {};
  }
}
