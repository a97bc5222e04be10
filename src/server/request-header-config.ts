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
  /** The CA that signed it, PEM. */
  readonly authority: string;
  /** Its common name. */
  readonly name: string;
}

/** Combines the configured front proxies with this server, if it has a proxy certificate; undefined without either. */
export function requestHeaderConfig(
  options: ServerOptions,
  proxyCa: string | undefined,
  ownProxy: ServerProxyIdentity | undefined,
): RequestHeaderConfig | undefined {
  if (proxyCa === undefined && ownProxy === undefined) return undefined;
  const configured: RequestHeaderConfig = {
    clientCa: proxyCa ?? '',
    allowedNames: options.requestheaderAllowedNames,
    usernameHeaders: options.requestheaderUsernameHeaders,
    uidHeaders: options.requestheaderUidHeaders,
    groupHeaders: options.requestheaderGroupHeaders,
    extraHeadersPrefix: options.requestheaderExtraHeadersPrefix,
  };
  if (!ownProxy) return configured;
  // An empty list allows every name.
  const allowsAnyName = proxyCa !== undefined && configured.allowedNames.length === 0;
  return {
    clientCa: `${configured.clientCa}\n${ownProxy.authority}`,
    allowedNames: allowsAnyName ? [] : [...configured.allowedNames, ownProxy.name],
    usernameHeaders: union(configured.usernameHeaders, ownHeaders.usernameHeaders),
    uidHeaders: union(configured.uidHeaders, ownHeaders.uidHeaders),
    groupHeaders: union(configured.groupHeaders, ownHeaders.groupHeaders),
    extraHeadersPrefix: union(configured.extraHeadersPrefix, ownHeaders.extraHeadersPrefix),
  };
}

/** Without duplicates: header names are case-insensitive. */
function union(configured: readonly string[], own: readonly string[]): string[] {
  const configuredNames = new Set(configured.map((name) => name.toLowerCase()));
  return [...configured, ...own.filter((name) => !configuredNames.has(name.toLowerCase()))];
}
