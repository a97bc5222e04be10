// Authentication and authorization: their options.
import type { AuthorizationMode } from './authorization-modes.ts';

export interface AuthOptions {
  readonly clientCaFile: string | undefined;
  readonly tokenAuthFile: string | undefined;
  /** Allows requests without credentials, as user system:anonymous. */
  readonly anonymousAuth: boolean;
  /** Authenticating proxies: the CA bundle of their client certificates, and their common names (empty allows any). */
  readonly requestheaderClientCaFile: string | undefined;
  readonly requestheaderAllowedNames: readonly string[];
  readonly requestheaderUsernameHeaders: readonly string[];
  readonly requestheaderUidHeaders: readonly string[];
  readonly requestheaderGroupHeaders: readonly string[];
  readonly requestheaderExtraHeadersPrefix: readonly string[];
  /** Accepted audiences of service account tokens; empty means the issuers. */
  readonly apiAudiences: readonly string[];
  /** Issuers of service account tokens; the first one signs. Empty means the in-cluster URL of this server. */
  readonly serviceAccountIssuer: readonly string[];
  /** Private key that signs service account tokens, PEM; by default the server creates one on first start. */
  readonly serviceAccountSigningKeyFile: string | undefined;
  /** Additional keys that verify service account tokens, PEM. */
  readonly serviceAccountKeyFile: readonly string[];
  /** JWKS URI in the OIDC discovery document; by default that of this server. */
  readonly serviceAccountJwksUri: string | undefined;
  /** Maximum lifetime of a service account token in milliseconds; 0 is no limit. */
  readonly serviceAccountMaxTokenExpiration: number;
  /** Extends pod tokens from one hour to one year, for clients that do not reload them. */
  readonly serviceAccountExtendTokenExpiration: boolean;
  /** Accepts a legacy service account token only while its Secret holds it. */
  readonly serviceAccountLookup: boolean;
  /** Authorizers in order; a request is allowed if one of them allows it. */
  readonly authorizationMode: readonly AuthorizationMode[];
}

export const defaultAuthOptions: AuthOptions = {
  clientCaFile: undefined,
  tokenAuthFile: undefined,
  anonymousAuth: true,
  requestheaderClientCaFile: undefined,
  requestheaderAllowedNames: [],
  requestheaderUsernameHeaders: [],
  requestheaderUidHeaders: [],
  requestheaderGroupHeaders: [],
  requestheaderExtraHeadersPrefix: [],
  apiAudiences: [],
  serviceAccountIssuer: [],
  serviceAccountSigningKeyFile: undefined,
  serviceAccountKeyFile: [],
  serviceAccountJwksUri: undefined,
  serviceAccountMaxTokenExpiration: 0,
  serviceAccountExtendTokenExpiration: true,
  serviceAccountLookup: true,
  authorizationMode: ['RBAC'],
};
