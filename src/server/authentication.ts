// Authentication: the authenticators that the options configure, in the order in which a request tries them.
import { readFileSync } from 'node:fs';
import { BearerTokenAuthenticator } from '../auth/bearer-token-authenticator.ts';
import { ClientCertificateAuthenticator } from '../auth/client-certificate-authenticator.ts';
import { type CaBundle, PeerCertificates, parseCaBundle } from '../auth/peer-certificates.ts';
import { RequestHeaderAuthenticator } from '../auth/request-header-authenticator.ts';
import { ServiceAccountAuthenticator } from '../auth/service-account-authenticator.ts';
import type { ServiceAccountTokens } from '../auth/service-account-tokens.ts';
import { TokenFileAuthenticator } from '../auth/token-file.ts';
import type { Client } from '../client/client.ts';
import type { Features } from '../kind/features/features.ts';
import { readCABundle } from '../pki/serving-files.ts';
import type { StorageContext } from '../registry/verb-context.ts';
import { AuthenticatorChain } from '../request/authenticator.ts';
import type { IdentityHeaders } from '../request/identity-headers.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Component } from './component.ts';
import type { ServerOptions } from './options.ts';

export interface AuthenticationParts {
  readonly api: StorageContext;
  readonly tokens: ServiceAccountTokens;
  readonly client: Client;
  readonly features: Features;
  readonly logger: Logger;
  readonly identityHeaders: IdentityHeaders;
  /** The CA bundle of authenticating proxies, PEM. */
  readonly proxyCa: string | undefined;
  /** Beside those of --token-auth-file. */
  readonly staticTokens: readonly StaticToken[];
}

/** A bearer token and its user. */
export interface StaticToken {
  readonly token: string;
  readonly user: string;
  readonly groups: readonly string[];
}

/** Request headers of an authenticating proxy come first, then client certificates, then bearer tokens. */
export class Authentication implements Component {
  readonly chain: AuthenticatorChain;
  readonly #serviceAccounts: ServiceAccountAuthenticator;
  #proxyCa: CaBundle | undefined;
  #clientCa: CaBundle | undefined;

  constructor(options: ServerOptions, parts: AuthenticationParts) {
    const { api, tokens, client, features, logger, identityHeaders: headers, proxyCa, staticTokens } = parts;
    const peers = new PeerCertificates(api.clock);
    const { serviceAccountLookup: lookup, requestheaderAllowedNames: allowedNames } = options;
    this.#serviceAccounts = new ServiceAccountAuthenticator({ api, tokens, client, logger, lookup });
    if (proxyCa !== undefined) this.#proxyCa = parseCaBundle(proxyCa);
    this.chain = new AuthenticatorChain([
      ...(proxyCa
        ? [new RequestHeaderAuthenticator({ clientCa: () => this.#proxyCa!, allowedNames, headers, peers })]
        : []),
      new ClientCertificateAuthenticator({
        peers,
        clientCa: () => this.#clientCa,
        credentialKey: api.dialect.userExtra.credentialId,
        readsUid: features.enabled('AllowParsingUserUIDFromCertAuth'),
      }),
      new BearerTokenAuthenticator(tokens.audiences, [
        ...tokenFileAuthenticators(options),
        ...(staticTokens.length > 0
          ? [new TokenFileAuthenticator(toCsv(staticTokens), 'static tokens')]
          : []),
        this.#serviceAccounts,
      ]),
    ]);
  }

  /**
   * With a CA of proxies, the TLS listener accepts certificates of both CAs. Client certificates are therefore verified
   * again with this CA alone; otherwise, the listener has verified them.
   */
  setCas(clientCa: string, proxyCa: string | undefined): void {
    if (proxyCa === undefined) return;
    this.#clientCa = parseCaBundle(clientCa);
    this.#proxyCa = parseCaBundle(proxyCa);
  }

  reset(): void {
    this.#serviceAccounts.reset();
  }
}

/** --requestheader-client-ca-file as PEM; undefined without the flag. */
export async function readProxyCa(options: ServerOptions): Promise<string | undefined> {
  const { requestheaderClientCaFile: file } = options;
  return file === undefined ? undefined : await readCABundle(file);
}

/** Header names of authenticating proxies, in lower case. */
export function identityHeadersOf(options: ServerOptions, features: Features): IdentityHeaders {
  const toLowerCase = (names: readonly string[]) => names.map((name) => name.toLowerCase());
  return {
    user: toLowerCase(options.requestheaderUsernameHeaders),
    uid: features.enabled('RemoteRequestHeaderUID') ? toLowerCase(options.requestheaderUidHeaders) : [],
    groups: toLowerCase(options.requestheaderGroupHeaders),
    extraPrefixes: toLowerCase(options.requestheaderExtraHeadersPrefix),
  };
}

function toCsv(tokens: readonly StaticToken[]): string {
  const quoted = (field: string) => `"${field.replaceAll('"', '""')}"`;
  return tokens
    .map(({ token, user, groups }) => [token, user, '', groups.join(',')].map(quoted).join(','))
    .join('\n');
}

function tokenFileAuthenticators({ tokenAuthFile: file }: ServerOptions): TokenFileAuthenticator[] {
  return file === undefined ? [] : [new TokenFileAuthenticator(readFileSync(file, 'utf8'), file)];
}
