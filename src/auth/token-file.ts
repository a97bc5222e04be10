// Authentication with the static token file (--token-auth-file).
import type { TLSSocket } from 'node:tls';
import { digestOf } from '../base/digest.ts';
import {
  authenticatedGroup,
  type Identity,
  type RequestCredentials,
  withAuthenticatedGroup,
} from '../request/authenticator.ts';
import type { TokenAuthenticator } from './bearer-token-authenticator.ts';
import { parseCsv } from './csv.ts';

/** Keeps digests of the tokens only, and the last token of each connection. */
export class TokenFileAuthenticator implements TokenAuthenticator {
  readonly #identities = new Map<string, Identity>();
  /** Most connections always send the same one, and hashing is the main cost. */
  readonly #last = new WeakMap<
    TLSSocket,
    { readonly token: string; readonly identity: Identity | undefined }
  >();

  /** `csv`: lines of token, user name, uid and optionally a quoted list of groups. `origin` names the file in errors. */
  constructor(csv: string, origin: string) {
    for (const { line, fields } of parseCsv(csv, origin)) {
      const [token = '', name = '', uid = '', groups = ''] = fields;
      if (fields.length < 3) {
        throw new Error(
          `${origin}, line ${line}: token, user name and uid are required, found ${fields.length} columns`,
        );
      }
      if (token === '') throw new Error(`${origin}, line ${line}: the token is empty`);
      const key = digestOf(token);
      if (this.#identities.has(key)) throw new Error(`${origin}, line ${line}: duplicate token`);
      this.#identities.set(key, {
        user: withAuthenticatedGroup({ name, uid, groups: parseGroups(groups), extra: {} }),
      });
    }
  }

  authenticate(token: string, { connection }: RequestCredentials): Identity | undefined {
    const last = connection && this.#last.get(connection);
    if (last?.token === token) return last.identity;
    const identity = this.#identities.get(digestOf(token));
    if (connection) this.#last.set(connection, { token, identity });
    return identity;
  }
}

function parseGroups(list: string): string[] {
  return list
    .split(',')
    .map((group) => group.trim())
    .filter((group) => group !== '' && group !== authenticatedGroup);
}
