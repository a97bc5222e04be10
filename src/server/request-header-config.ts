import type { RequestHeaderConfig } from '../auth/extension-apiserver-authentication.ts';
import type { ServerOptions } from './options.ts';

/** How this server says to others whom it speaks for. */
const ownHeaders = {
  usernameHeaders: ['X-Remote-User'],
  uidHeaders: ['X-Remote-Uid'],
  groupHeaders: ['X-Remote-Group'],
  extraHeadersPrefix: ['X-Remote-Extra-'],
} as const;

/** By what others know this server as a proxy. */
export interface ServerProxyIdentity {
  readonly authority: string;
  readonly name: string;
}

/**
 * Which proxies others may believe: those that this server itself does, and this server, where it has made a certificate for
 * that. Undefined where there are none.
 */
export function requestHeaderConfig(
  options: ServerOptions,
  authorities: string | undefined,
  own: ServerProxyIdentity | undefined,
): RequestHeaderConfig | undefined {
  if (authorities === undefined && own === undefined) return undefined;
  const said: RequestHeaderConfig = {
    clientCa: authorities ?? '',
    allowedNames: options.requestheaderAllowedNames,
    usernameHeaders: options.requestheaderUsernameHeaders,
    uidHeaders: options.requestheaderUidHeaders,
    groupHeaders: options.requestheaderGroupHeaders,
    extraHeadersPrefix: options.requestheaderExtraHeadersPrefix,
  };
  if (!own) return said;
  // No names at all stand for every name.
  const isAnyName = authorities !== undefined && said.allowedNames.length === 0;
  return {
    clientCa: `${said.clientCa}\n${own.authority}`,
    allowedNames: isAnyName ? [] : [...said.allowedNames, own.name],
    usernameHeaders: together(said.usernameHeaders, ownHeaders.usernameHeaders),
    uidHeaders: together(said.uidHeaders, ownHeaders.uidHeaders),
    groupHeaders: together(said.groupHeaders, ownHeaders.groupHeaders),
    extraHeadersPrefix: together(said.extraHeadersPrefix, ownHeaders.extraHeadersPrefix),
  };
}

function together(some: readonly string[], more: readonly string[]): string[] {
  const known = new Set(some.map((name) => name.toLowerCase()));
  return [...some, ...more.filter((name) => !known.has(name.toLowerCase()))];
}
