// Audit: user and source of a request as JSON fragments of its events.
import { headerOf } from '../request/http-request.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { User } from '../request/user.ts';
import type { HttpExchange } from '../transport/exchange.ts';
import { jsonString } from './json-string.ts';
import { sourceAddresses } from './source-addresses.ts';

const maxUserAgentLength = 1024;

/** Source addresses and user agent of a request. */
export interface AuditCaller {
  readonly addresses: readonly string[];
  readonly agent: string;
  /** The event fields `sourceIPs` and `userAgent` as JSON, each with a leading comma. */
  readonly fields: string;
  /** The fragments of the caller's last request. */
  lastFragments?: RequestFragments;
}

/** JSON fragments shared by requests of one caller that differ only in the object's name and namespace. */
export interface RequestFragments {
  readonly user: User | undefined;
  readonly info: RequestInfo;
  /** `verb` and `user`. */
  readonly userFields: string;
  /** `sourceIPs` and `userAgent`. */
  readonly source: string;
  /** The start of `objectRef`, with `resource`. */
  readonly resource: string;
  /** `apiGroup` and `apiVersion` of `objectRef`. */
  readonly version: string;
  /** The end of `objectRef`, with `subresource`. */
  readonly end: string;
}

interface CachedCaller extends AuditCaller {
  readonly userAgentHeader: string | undefined;
}

/** Caches the fragments per user and per connection. */
export class Callers {
  readonly #users = new WeakMap<User, string>();
  readonly #callers = new WeakMap<object, CachedCaller>();

  /** The user as JSON. */
  user(user: User): string {
    let json = this.#users.get(user);
    if (json === undefined) {
      json = userJson(user);
      this.#users.set(user, json);
    }
    return json;
  }

  /** The caller of an internal request: a component of the server itself. */
  internal(agent: string): AuditCaller {
    return { addresses: [], agent, fields: `,"userAgent":${jsonString(agent)}` };
  }

  /** The caller of an HTTP request. Behind a proxy (X-Forwarded-For) callers share a connection and are not cached. */
  of(exchange: HttpExchange): AuditCaller {
    const { request } = exchange;
    const { headers } = request;
    const userAgentHeader = headers['user-agent'];
    const isForwarded = headers['x-forwarded-for'] !== undefined || headers['x-real-ip'] !== undefined;
    // Over HTTP/2 each request has its own proxy of the socket: the session identifies the connection.
    const connection = 'stream' in request ? request.stream.session : request.socket;
    const cached = connection && this.#callers.get(connection);
    if (!isForwarded && cached !== undefined && cached.userAgentHeader === userAgentHeader) return cached;
    const caller = { ...describeCaller(exchange), userAgentHeader };
    if (!isForwarded && connection) this.#callers.set(connection, caller);
    return caller;
  }
}

function describeCaller(exchange: HttpExchange): AuditCaller {
  const addresses = sourceAddresses({
    forwardedFor: headerOf(exchange, 'x-forwarded-for'),
    realIp: headerOf(exchange, 'x-real-ip'),
    remote: exchange.request.socket?.remoteAddress,
  });
  const agent = truncateUserAgent(exchange.userAgent);
  const source = addresses.length === 0 ? '' : `,"sourceIPs":[${addresses.map(jsonString).join(',')}]`;
  return { addresses, agent, fields: agent === '' ? source : `${source},"userAgent":${jsonString(agent)}` };
}

function truncateUserAgent(agent: string): string {
  return agent.length > maxUserAgentLength ? `${agent.slice(0, maxUserAgentLength)}...TRUNCATED` : agent;
}

function userJson({ name, uid, groups, extra }: User): string {
  const fields = [];
  if (name !== '') fields.push(`"username":${jsonString(name)}`);
  if (uid !== '') fields.push(`"uid":${jsonString(uid)}`);
  if (groups.length > 0) fields.push(`"groups":[${groups.map(jsonString).join(',')}]`);
  const keys = Object.keys(extra).sort();
  if (keys.length > 0) {
    const values = keys.map((key) => `${jsonString(key)}:[${extra[key]!.map(jsonString).join(',')}]`);
    fields.push(`"extra":{${values.join(',')}}`);
  }
  return `{${fields.join(',')}}`;
}
