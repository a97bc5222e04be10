// Audit: user and source of a request as JSON fragments of its events.
import { headerOf } from '../request/http-request.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { User } from '../request/user.ts';
import type { HttpExchange } from '../transport/exchange.ts';
import { jsonString } from './json-string.ts';
import { sourceAddresses } from './source-addresses.ts';

const maxUserAgentLength = 1024;

/** Source addresses and user agent of a request, also as event fields. */
export interface AuditCaller {
  readonly addresses: readonly string[];
  readonly agent: string;
  readonly fields: string;
  /** The fragments of the caller's last request. */
  lastFragments?: RequestFragments;
}

/** JSON fragments shared by requests of one caller that differ only in the object. */
export interface RequestFragments {
  readonly user: User | undefined;
  readonly info: RequestInfo;
  readonly userFields: string;
  readonly source: string;
  readonly resource: string;
  readonly version: string;
  readonly end: string;
}

interface CachedCaller extends AuditCaller {
  /** The User-Agent header. */
  readonly header: string | undefined;
}

/** Caches the fragments per user and per connection. */
export class Callers {
  readonly #users = new WeakMap<User, string>();
  readonly #callers = new WeakMap<object, CachedCaller>();

  user(user: User): string {
    let text = this.#users.get(user);
    if (text === undefined) {
      text = userJson(user);
      this.#users.set(user, text);
    }
    return text;
  }

  /** A component of the server itself. */
  internal(agent: string): AuditCaller {
    return { addresses: [], agent, fields: `,"userAgent":${jsonString(agent)}` };
  }

  of(exchange: HttpExchange): AuditCaller {
    const { request } = exchange;
    const { headers } = request;
    const header = headers['user-agent'];
    const isForwarded = headers['x-forwarded-for'] !== undefined || headers['x-real-ip'] !== undefined;
    // Over HTTP/2 each request has its own proxy of the socket: the session identifies the connection.
    const connection = 'stream' in request ? request.stream.session : request.socket;
    const cached = connection && this.#callers.get(connection);
    if (!isForwarded && cached !== undefined && cached.header === header) return cached;
    const caller = { ...describe(exchange), header };
    if (!isForwarded && connection) this.#callers.set(connection, caller);
    return caller;
  }
}

function describe(exchange: HttpExchange): AuditCaller {
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
