// Authentication by an authenticating front proxy: request headers name the user (--requestheader-*).
import { nullPrototypeObject } from '../codec/json/json-value.ts';
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
  /** The CAs of the proxies' client certificates. */
  clientCa(): CaBundle;
  /** The common names of allowed proxies; an empty list allows every name. */
  readonly allowedNames: readonly string[];
  readonly headers: IdentityHeaders;
}

export class RequestHeaderAuthenticator implements Authenticator {
  readonly #options: RequestHeaderOptions;

  constructor(options: RequestHeaderOptions) {
    this.#options = options;
  }

  authenticate({ connection, rawHeaders }: RequestCredentials): AuthenticationResult {
    const { peers, clientCa, allowedNames, headers } = this.#options;
    const certificate = peers.certificateOf(connection);
    if (certificate === undefined) return undefined;
    const problem = peers.findProblem(certificate, clientCa());
    if (problem !== undefined) return new InvalidCredentials(problem);
    if (allowedNames.length > 0 && !allowedNames.includes(certificate.commonName)) {
      return new InvalidCredentials('the common name of the certificate is not an allowed proxy');
    }
    const values = readHeaders(rawHeaders);
    const name = firstValue(values, headers.user);
    if (name === '') return undefined;
    return {
      user: withAuthenticatedGroup({
        name,
        uid: firstValue(values, headers.uid),
        groups: headers.groups.flatMap((header) =>
          (values.get(header) ?? []).filter((group) => group !== ''),
        ),
        extra: readExtra(values, headers.extraPrefixes),
      }),
    };
  }
}

type HeaderValues = ReadonlyMap<string, readonly string[]>;

/** Values by lower-case header name. Clients send UTF-8, but Node decodes headers as latin1. */
function readHeaders(rawHeaders: readonly string[]): HeaderValues {
  const values = new Map<string, string[]>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase();
    const value = Buffer.from(rawHeaders[i + 1]!, 'latin1').toString();
    const existing = values.get(name);
    if (existing === undefined) values.set(name, [value]);
    else existing.push(value);
  }
  return values;
}

/** The first of the headers `names` that is not empty; of a repeated header only its first value counts. */
function firstValue(values: HeaderValues, names: readonly string[]): string {
  for (const name of names) {
    const value = values.get(name)?.[0];
    if (value) return value;
  }
  return '';
}

function readExtra(headers: HeaderValues, prefixes: readonly string[]): Record<string, string[]> {
  const extra = nullPrototypeObject<string[]>();
  for (const prefix of prefixes) {
    for (const [name, values] of headers) {
      if (!name.startsWith(prefix)) continue;
      const key = unescapeExtraKey(name.slice(prefix.length));
      extra[key] = [...(extra[key] ?? []), ...values];
    }
  }
  return extra;
}
