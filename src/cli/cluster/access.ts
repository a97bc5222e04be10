import { CommandError } from '../command.ts';

/** How a client proves who it is. */
export type Credentials =
  | { readonly cert: string; readonly key: string }
  | { readonly token: string }
  | { readonly username: string; readonly password: string };

/** Where a server is, how it is known to be the right one, and as whom to ask it. */
export interface ClusterAccess {
  readonly url: string;
  /** PEM; without it the machine's own authorities count. */
  readonly caCertificate: string | undefined;
  readonly credentials: Credentials | undefined;
  /** The name that its certificate must have, where that is not the one in the URL. */
  readonly serverName: string | undefined;
  /** Its certificate is not looked at. */
  readonly isUnchecked: boolean;
  /** Where objects are looked for unless something else is said. */
  readonly namespace: string;
}

/** A server without credentials, as `orch dev` offers it on its plain address. */
export function plainAccess(url: string): ClusterAccess {
  if (!isWebAddress(url)) {
    throw new CommandError(`${JSON.stringify(url)} is not a server URL such as http://127.0.0.1:8080`);
  }
  return {
    url,
    caCertificate: undefined,
    credentials: undefined,
    serverName: undefined,
    isUnchecked: false,
    namespace: 'default',
  };
}

export function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
