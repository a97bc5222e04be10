import type { TLSSocket } from 'node:tls';
import {
  authenticatedGroup,
  type Identity,
  type RequestCredentials,
  withAuthenticatedGroup,
} from '../request/authenticator.ts';
import type { TokenAuthenticator } from './bearer-token-authenticator.ts';
import { parseCsv } from './csv.ts';
import { tokenDigest } from './token-digest.ts';

/** Static bearer tokens. Only their digests are kept, and what a connection itself has shown. */
export class TokenFileAuthenticator implements TokenAuthenticator {
  readonly #owners = new Map<string, Identity>();
  /** What a connection showed last: it mostly shows the same again, and hashing is the costliest part. */
  readonly #last = new WeakMap<TLSSocket, { readonly token: string; readonly owner: Identity | undefined }>();

  /** `csv`: lines of token, user name, uid and optionally a quoted list of groups. `origin` names it in errors. */
  constructor(csv: string, origin: string) {
    for (const { line, fields } of parseCsv(csv, origin)) {
      const [token = '', name = '', uid = '', groups = ''] = fields;
      if (fields.length < 3) {
        throw new Error(
          `${origin}, line ${line}: token, user name and uid are required, found ${fields.length} columns`,
        );
      }
      if (token === '') throw new Error(`${origin}, line ${line}: the token is empty`);
      const key = tokenDigest(token);
      if (this.#owners.has(key)) throw new Error(`${origin}, line ${line}: duplicate token`);
      this.#owners.set(key, {
        user: withAuthenticatedGroup({ name, uid, groups: groupsOf(groups), extra: {} }),
      });
    }
  }

  authenticate(token: string, { connection }: RequestCredentials): Identity | undefined {
    const last = connection && this.#last.get(connection);
    if (last?.token === token) return last.owner;
    const owner = this.#owners.get(tokenDigest(token));
    if (connection) this.#last.set(connection, { token, owner });
    return owner;
  }
}

function groupsOf(list: string): string[] {
  return list
    .split(',')
    .map((group) => group.trim())
    .filter((group) => group !== '' && group !== authenticatedGroup);
}
