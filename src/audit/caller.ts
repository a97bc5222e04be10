import { headerOf } from '../request/http-request.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { User } from '../request/user.ts';
import type { HttpExchange } from '../transport/http-exchange.ts';
import { quoted } from './quoted.ts';
import { sourceAddresses } from './source-addresses.ts';

const longestAgent = 1024;

/** Where a request comes from and what sent it, and both as the fields of an event. */
export interface Caller {
  readonly addresses: readonly string[];
  readonly agent: string;
  readonly fields: string;
  /** What was last asked for from there. */
  matter?: Matter;
}

/** What requests are about that differ only in the object: who asks and for what, as pieces of the text of an event. */
export interface Matter {
  readonly user: User | undefined;
  readonly info: RequestInfo;
  readonly asker: string;
  readonly from: string;
  readonly resource: string;
  readonly version: string;
  readonly end: string;
}

interface Kept extends Caller {
  /** The header as it came. */
  readonly header: string | undefined;
}

/** Puts into words who asks. Users and connections come again and again, so what is said of them is kept. */
export class Callers {
  readonly #users = new WeakMap<User, string>();
  readonly #callers = new WeakMap<object, Kept>();

  user(user: User): string {
    let text = this.#users.get(user);
    if (text === undefined) {
      text = userText(user);
      this.#users.set(user, text);
    }
    return text;
  }

  /** A part of the server itself. */
  own(agent: string): Caller {
    return { addresses: [], agent, fields: `,"userAgent":${quoted(agent)}` };
  }

  of(exchange: HttpExchange): Caller {
    const { request } = exchange;
    const { headers } = request;
    const header = headers['user-agent'];
    const isForwarded = headers['x-forwarded-for'] !== undefined || headers['x-real-ip'] !== undefined;
    // Over HTTP/2 the socket of a request is a stand-in that is made anew for each.
    const connection = 'stream' in request ? request.stream.session : request.socket;
    const kept = connection && this.#callers.get(connection);
    if (!isForwarded && kept !== undefined && kept.header === header) return kept;
    const caller = { ...describe(exchange), header };
    if (!isForwarded && connection) this.#callers.set(connection, caller);
    return caller;
  }
}

function describe(exchange: HttpExchange): Caller {
  const addresses = sourceAddresses({
    forwardedFor: headerOf(exchange, 'x-forwarded-for'),
    realIp: headerOf(exchange, 'x-real-ip'),
    remote: exchange.request.socket?.remoteAddress,
  });
  const agent = shortened(exchange.userAgent);
  const from = addresses.length === 0 ? '' : `,"sourceIPs":[${addresses.map(quoted).join(',')}]`;
  return { addresses, agent, fields: agent === '' ? from : `${from},"userAgent":${quoted(agent)}` };
}

function shortened(agent: string): string {
  return agent.length > longestAgent ? `${agent.slice(0, longestAgent)}...TRUNCATED` : agent;
}

function userText({ name, uid, groups, extra }: User): string {
  const fields = [];
  if (name !== '') fields.push(`"username":${quoted(name)}`);
  if (uid !== '') fields.push(`"uid":${quoted(uid)}`);
  if (groups.length > 0) fields.push(`"groups":[${groups.map(quoted).join(',')}]`);
  const keys = Object.keys(extra).sort();
  if (keys.length > 0) {
    const values = keys.map((key) => `${quoted(key)}:[${extra[key]!.map(quoted).join(',')}]`);
    fields.push(`"extra":{${values.join(',')}}`);
  }
  return `{${fields.join(',')}}`;
}
