// Audit: user and source of a request as JSON fragments of its events. They are cached, because most requests of a
// connection come from the same user.
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
  readonly userAgent: string;
  /** The event fields `sourceIPs` and `userAgent` as JSON, each with a leading comma. */
  readonly sourceFields: string;
  /** The fragments of the caller's last request, which its next request mostly can use too. */
  lastFragments?: RequestFragments;
}

/** JSON fragments shared by requests of one caller that differ only in the object's name and namespace. */
export interface RequestFragments {
  readonly user: User | undefined;
  readonly info: RequestInfo;
  /** `verb` and `user`. */
  readonly userFields: string;
  /** `sourceIPs` and `userAgent`. */
  readonly sourceFields: string;
  /** `objectRef` up to `resource`; the object's namespace, name and uid follow. */
  readonly objectRefStart: string;
  /** `apiGroup` and `apiVersion` of `objectRef`; the object's resourceVersion follows. */
  readonly objectRefVersion: string;
  /** `subresource`, and the closing brace of `objectRef`. */
  readonly objectRefEnd: string;
}

interface CachedCaller extends AuditCaller {
  readonly userAgentHeader: string | undefined;
}

/** Caches the JSON of users, and callers per connection. */
export class Callers {
  readonly #jsonByUser = new WeakMap<User, string>();
  readonly #byConnection = new WeakMap<object, CachedCaller>();

  userJson(user: User): string {
    let json = this.#jsonByUser.get(user);
    if (json === undefined) {
      json = encodeUser(user);
      this.#jsonByUser.set(user, json);
    }
    return json;
  }

  /** The caller of an internal request: a component of the server itself. */
  describeInternal(userAgent: string): AuditCaller {
    return { addresses: [], userAgent, sourceFields: `,"userAgent":${jsonString(userAgent)}` };
  }

  /** The caller of an HTTP request. Behind a proxy (X-Forwarded-For) callers share a connection and are not cached. */
  describe(exchange: HttpExchange): AuditCaller {
    const { headers, socket: connection } = exchange.request;
    const userAgentHeader = headers['user-agent'];
    const isForwarded = headers['x-forwarded-for'] !== undefined || headers['x-real-ip'] !== undefined;
    if (isForwarded || !connection) return describeCaller(exchange);
    const cached = this.#byConnection.get(connection);
    if (cached !== undefined && cached.userAgentHeader === userAgentHeader) return cached;
    const caller = { ...describeCaller(exchange), userAgentHeader };
    this.#byConnection.set(connection, caller);
    return caller;
  }
}

function describeCaller(exchange: HttpExchange): AuditCaller {
  const addresses = sourceAddresses({
    forwardedFor: headerOf(exchange, 'x-forwarded-for'),
    realIp: headerOf(exchange, 'x-real-ip'),
    remote: exchange.request.socket?.remoteAddress,
  });
  const userAgent = truncateUserAgent(exchange.userAgent);
  const sourceIps = addresses.length === 0 ? '' : `,"sourceIPs":[${addresses.map(jsonString).join(',')}]`;
  const userAgentField = userAgent === '' ? '' : `,"userAgent":${jsonString(userAgent)}`;
  return { addresses, userAgent, sourceFields: sourceIps + userAgentField };
}

function truncateUserAgent(agent: string): string {
  return agent.length > maxUserAgentLength ? `${agent.slice(0, maxUserAgentLength)}...TRUNCATED` : agent;
}

function encodeUser({ name, uid, groups, extra }: User): string {
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
