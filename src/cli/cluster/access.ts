// The URL, TLS settings and credentials with which a command connects to an API server.
import { CommandError } from '../command.ts';

export type Credentials =
  | { readonly cert: string; readonly key: string }
  | { readonly token: string }
  | { readonly username: string; readonly password: string };

export interface ClusterAccess {
  readonly url: string;
  /** PEM; default: the system's roots. */
  readonly caCertificate: string | undefined;
  readonly credentials: Credentials | undefined;
  /** tls-server-name: the name the certificate must be valid for, if not that of the URL. */
  readonly serverName: string | undefined;
  /** insecure-skip-tls-verify. */
  readonly skipTlsVerify: boolean;
  /** The default namespace. */
  readonly namespace: string;
}

/** A server without authentication, such as the plain HTTP listener of `orch dev`. */
export function plainAccess(url: string): ClusterAccess {
  if (!isHttpUrl(url)) {
    throw new CommandError(`${JSON.stringify(url)} is not a server URL such as http://127.0.0.1:8080`);
  }
  return {
    url,
    caCertificate: undefined,
    credentials: undefined,
    serverName: undefined,
    skipTlsVerify: false,
    namespace: 'default',
  };
}

export function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
