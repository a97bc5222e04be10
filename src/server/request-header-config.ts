// The requestheader settings that extension API servers need to authenticate users of this server.
import type { RequestHeaderConfig } from '../auth/extension-apiserver-authentication.ts';
import type { ServerOptions } from './options.ts';

/** The headers in which this server passes the user to extension API servers. */
const ownHeaders = {
  usernameHeaders: ['X-Remote-User'],
  uidHeaders: ['X-Remote-Uid'],
  groupHeaders: ['X-Remote-Group'],
  extraHeadersPrefix: ['X-Remote-Extra-'],
} as const;

/** The server's own front proxy certificate. */
export interface ServerProxyIdentity {
  readonly authority: string;
  readonly name: string;
}

/** Combines the configured front proxies with this server, if it has a proxy certificate; undefined without either. */
export function requestHeaderConfig(
  options: ServerOptions,
  authorities: string | undefined,
  own: ServerProxyIdentity | undefined,
): RequestHeaderConfig | undefined {
  if (authorities === undefined && own === undefined) return undefined;
  const configured: RequestHeaderConfig = {
    clientCa: authorities ?? '',
    allowedNames: options.requestheaderAllowedNames,
    usernameHeaders: options.requestheaderUsernameHeaders,
    uidHeaders: options.requestheaderUidHeaders,
    groupHeaders: options.requestheaderGroupHeaders,
    extraHeadersPrefix: options.requestheaderExtraHeadersPrefix,
  };
  if (!own) return configured;
  // An empty list allows every name.
  const isAnyName = authorities !== undefined && configured.allowedNames.length === 0;
  return {
    clientCa: `${configured.clientCa}\n${own.authority}`,
    allowedNames: isAnyName ? [] : [...configured.allowedNames, own.name],
    usernameHeaders: union(configured.usernameHeaders, ownHeaders.usernameHeaders),
    uidHeaders: union(configured.uidHeaders, ownHeaders.uidHeaders),
    groupHeaders: union(configured.groupHeaders, ownHeaders.groupHeaders),
    extraHeadersPrefix: union(configured.extraHeadersPrefix, ownHeaders.extraHeadersPrefix),
  };
}

function union(some: readonly string[], more: readonly string[]): string[] {
  const known = new Set(some.map((name) => name.toLowerCase()));
  return [...some, ...more.filter((name) => !known.has(name.toLowerCase()))];
}
