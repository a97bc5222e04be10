// Authentication: the authenticators that the options configure, in the order in which a request tries them.
import { readFileSync } from 'node:fs';
import { BearerTokens } from '../auth/bearer-tokens.ts';
import { ClientCertificates } from '../auth/client-certificate.ts';
import { FrontProxy } from '../auth/front-proxy.ts';
import { type Authorities, authoritiesIn, PeerCertificates } from '../auth/peer-certificates.ts';
import { ServiceAccountAuthenticator } from '../auth/service-account-authenticator.ts';
import { TokenFile } from '../auth/token-file.ts';
import type { Client } from '../client/client.ts';
import type { Features } from '../kind/features/features.ts';
import { readAuthorities } from '../pki/serving-files.ts';
import type { Api } from '../registry/api.ts';
import { AuthenticatorChain } from '../request/authenticator.ts';
import type { IdentityHeaders } from '../request/identity-headers.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Component } from './component.ts';
import type { ServerOptions } from './options.ts';

export interface AuthenticationParts {
  readonly api: Api;
  readonly client: Client;
  readonly features: Features;
  readonly logger: Logger;
  readonly identityHeaders: IdentityHeaders;
  /** The CA bundle of authenticating proxies, PEM. */
  readonly proxyCa: string | undefined;
}

export class Authentication implements Component {
  readonly chain: AuthenticatorChain;
  readonly #serviceAccounts: ServiceAccountAuthenticator;
  readonly #hasProxyCa: boolean;
  #clientAuthorities: Authorities | undefined;

  constructor(options: ServerOptions, parts: AuthenticationParts) {
    const { api, client, features, logger, identityHeaders: headers, proxyCa } = parts;
    const peers = new PeerCertificates(api.clock);
    const { serviceAccountLookup: lookup, requestheaderAllowedNames: names } = options;
    this.#serviceAccounts = new ServiceAccountAuthenticator({ api, client, logger, lookup });
    this.#hasProxyCa = proxyCa !== undefined;
    this.chain = new AuthenticatorChain([
      ...(proxyCa ? [new FrontProxy({ authorities: authoritiesIn(proxyCa), names, headers, peers })] : []),
      new ClientCertificates({
        peers,
        authorities: () => this.#clientAuthorities,
        credentialKey: api.dialect.userExtra.credentialId,
        readsUid: features.enabled('AllowParsingUserUIDFromCertAuth'),
      }),
      new BearerTokens(api.tokens.audiences, [...tokenFiles(options), this.#serviceAccounts]),
    ]);
  }

  /**
   * With a CA of proxies the TLS listener accepts certificates of two CAs, so client certificates are verified again
   * with theirs.
   */
  setClientCa(pem: string): void {
    if (this.#hasProxyCa) this.#clientAuthorities = authoritiesIn(pem);
  }

  reset(): void {
    this.#serviceAccounts.reset();
  }
}

export async function readProxyCa(options: ServerOptions): Promise<string | undefined> {
  const { requestheaderClientCaFile: file } = options;
  return file === undefined ? undefined : await readAuthorities(file);
}

/** Header names of authenticating proxies, in lower case. */
export function identityHeadersOf(options: ServerOptions, features: Features): IdentityHeaders {
  const lower = (names: readonly string[]) => names.map((name) => name.toLowerCase());
  return {
    user: lower(options.requestheaderUsernameHeaders),
    uid: features.enabled('RemoteRequestHeaderUID') ? lower(options.requestheaderUidHeaders) : [],
    groups: lower(options.requestheaderGroupHeaders),
    extraPrefixes: lower(options.requestheaderExtraHeadersPrefix),
  };
}

function tokenFiles({ tokenAuthFile: file }: ServerOptions): TokenFile[] {
  return file === undefined ? [] : [new TokenFile(readFileSync(file, 'utf8'), file)];
}
