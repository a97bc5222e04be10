import * as crypto from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import type { User } from '../http/exchange.ts';
import {
  type Authenticator,
  authenticatedGroup,
  type Credentials,
  type Verdict,
  type Warn,
} from './authenticator.ts';
import { bearerToken } from './bearer-token.ts';
import { parseCsv } from './csv.ts';

/**
 * Static bearer tokens. They are kept and looked up by their digest, so how long a lookup takes says nothing about
 * how much of a guessed token is right; only what a connection itself has shown is remembered beside it.
 */
export class TokenFile implements Authenticator {
  readonly #users = new Map<string, User>();
  /** What a connection showed last: it mostly shows the same again, and hashing is the costliest part. */
  readonly #last = new WeakMap<TLSSocket, { readonly token: string; readonly verdict: Verdict }>();

  /** `csv`: lines of token, user name, uid and optionally a quoted list of groups. `origin` names it in errors. */
  constructor(csv: string, origin: string) {
    for (const { line, fields } of parseCsv(csv, origin)) {
      const [token = '', name = '', uid = '', groups = ''] = fields;
      if (fields.length < 3) {
        throw new Error(
          `${origin}, line ${line}: token, user name and uid are needed, found ${fields.length} columns`,
        );
      }
      if (token === '') throw new Error(`${origin}, line ${line}: the token is empty`);
      const key = digest(token);
      if (this.#users.has(key)) throw new Error(`${origin}, line ${line}: this token is given twice`);
      this.#users.set(key, { name, uid, groups: [...groupsOf(groups), authenticatedGroup], extra: {} });
    }
  }

  authenticate(credentials: Credentials, warn: Warn): Verdict {
    const token = bearerToken(credentials, warn);
    if (token === '') return undefined;
    const { connection } = credentials;
    const last = connection && this.#last.get(connection);
    if (last?.token === token) return last.verdict;
    const verdict = this.#users.get(digest(token)) ?? 'refused';
    if (connection) this.#last.set(connection, { token, verdict });
    return verdict;
  }
}

/** Every request with a token comes by here, and `hash` is three times as fast; Node has it from 20.12 on. */
const digest =
  typeof crypto.hash === 'function'
    ? (token: string) => crypto.hash('sha256', token, 'base64')
    : (token: string) => crypto.createHash('sha256').update(token).digest('base64');

function groupsOf(list: string): string[] {
  return list
    .split(',')
    .map((group) => group.trim())
    .filter((group) => group !== '' && group !== authenticatedGroup);
}
