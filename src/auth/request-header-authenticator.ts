import { userKeyed } from '../codec/json/json-value.ts';
import {
  type AuthenticationResult,
  type Authenticator,
  InvalidCredentials,
  type RequestCredentials,
  withAuthenticatedGroup,
} from '../request/authenticator.ts';
import { type IdentityHeaders, unescapeExtraKey } from '../request/identity-headers.ts';
import type { CaBundle, PeerCertificates } from './peer-certificates.ts';

export interface RequestHeaderOptions {
  readonly peers: PeerCertificates;
  /** Who may sign the certificates of proxies. */
  readonly clientCa: CaBundle;
  /** The common names that proxies may have; none stands for all. */
  readonly allowedNames: readonly string[];
  readonly headers: IdentityHeaders;
}

/** Proxies that have found out themselves who a request is from, and say so in its headers. */
export class RequestHeaderAuthenticator implements Authenticator {
  readonly #terms: RequestHeaderOptions;

  constructor(terms: RequestHeaderOptions) {
    this.#terms = terms;
  }

  authenticate({ connection, rawHeaders }: RequestCredentials): AuthenticationResult {
    const { peers, clientCa, allowedNames, headers } = this.#terms;
    const certificate = peers.of(connection);
    if (certificate === undefined) return undefined;
    const problem = peers.verify(certificate, clientCa);
    if (problem !== undefined) return new InvalidCredentials(problem);
    if (allowedNames.length > 0 && !allowedNames.includes(certificate.commonName)) {
      return new InvalidCredentials('the certificate is of no proxy that is allowed');
    }
    const said = readHeaders(rawHeaders);
    const name = first(said, headers.user);
    if (name === '') return undefined;
    return {
      user: withAuthenticatedGroup({
        name,
        uid: first(said, headers.uid),
        groups: headers.groups.flatMap((header) => (said.get(header) ?? []).filter((group) => group !== '')),
        extra: extraIn(said, headers.extraPrefixes),
      }),
    };
  }
}

type Said = ReadonlyMap<string, readonly string[]>;

/** By their names in lower case. Values are UTF-8, though headers are read as single bytes. */
function readHeaders(rawHeaders: readonly string[]): Said {
  const said = new Map<string, string[]>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase();
    const value = Buffer.from(rawHeaders[i + 1]!, 'latin1').toString();
    const before = said.get(name);
    if (before === undefined) said.set(name, [value]);
    else before.push(value);
  }
  return said;
}

/** The first header that is there and not empty, of those that come several times the first. */
function first(said: Said, names: readonly string[]): string {
  for (const name of names) {
    const value = said.get(name)?.[0];
    if (value) return value;
  }
  return '';
}

function extraIn(said: Said, prefixes: readonly string[]): Record<string, string[]> {
  const extra = userKeyed<string[]>();
  for (const prefix of prefixes) {
    for (const [name, values] of said) {
      if (!name.startsWith(prefix)) continue;
      const key = unescapeExtraKey(name.slice(prefix.length));
      extra[key] = [...(extra[key] ?? []), ...values];
    }
  }
  return extra;
}
