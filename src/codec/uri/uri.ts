// URI validation (RFC 3986) with the error messages of Go's net/url.
import { isIPv4, isIPv6 } from 'node:net';
import { quote } from '../../errors/quote.ts';

/** Returns the unescaped host with port, '' if the URI has none; or the error message of url.Parse. */
export function parseUriHost(text: string): { readonly host: string } | { readonly problem: string } {
  const fragmentStart = text.indexOf('#');
  const withoutFragment = fragmentStart < 0 ? text : text.slice(0, fragmentStart);
  const parsed = parseHierarchicalPart(withoutFragment, { isRequestUri: false });
  if ('problem' in parsed) return { problem: `parse ${quote(withoutFragment)}: ${parsed.problem}` };
  const problem = fragmentStart < 0 ? undefined : escapeProblem(text.slice(fragmentStart + 1));
  return problem === undefined ? parsed : { problem: `parse ${quote(text)}: ${problem}` };
}

/** The error message of url.ParseRequestURI, which accepts absolute URIs and absolute paths; undefined for a valid one. */
export function requestUriProblem(text: string): string | undefined {
  if (/[\u0000-\u001f\u007f]/.test(text)) return 'net/url: invalid control character in URL';
  if (text === '') return 'empty url';
  if (text === '*') return undefined;
  const parsed = parseHierarchicalPart(text, { isRequestUri: true });
  return 'problem' in parsed ? parsed.problem : undefined;
}

/** Parses a URI without a fragment. `isRequestUri`: as url.ParseRequestURI does. */
function parseHierarchicalPart(
  text: string,
  { isRequestUri }: { readonly isRequestUri: boolean },
): { readonly host: string } | { readonly problem: string } {
  if (/[\u0000-\u001f\u007f]/.test(text)) return { problem: 'net/url: invalid control character in URL' };
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text)?.[0] ?? '';
  if (scheme === '' && text.startsWith(':')) return { problem: 'missing protocol scheme' };
  const withoutSchemeAndQuery = text.slice(scheme.length).replace(/\?[\s\S]*$/, '');
  if (!withoutSchemeAndQuery.startsWith('/')) {
    if (scheme !== '') return { host: '' };
    if (isRequestUri) return { problem: 'invalid URI for request' };
    if (/^[^/]*:/.test(withoutSchemeAndQuery))
      return { problem: 'first path segment in URL cannot contain colon' };
  }
  // Without a scheme, `//host/path` has an authority only in a URI reference, and `///path` never.
  const mayHaveAuthority = scheme !== '' || !(isRequestUri || withoutSchemeAndQuery.startsWith('///'));
  const hasAuthority = withoutSchemeAndQuery.startsWith('//') && mayHaveAuthority;
  const authority = hasAuthority ? withoutSchemeAndQuery.slice(2).split('/', 1)[0]! : '';
  const userInfoEnd = authority.lastIndexOf('@');
  const host = authority.slice(userInfoEnd + 1);
  const userInfo = authority.slice(0, Math.max(userInfoEnd, 0));
  const path = withoutSchemeAndQuery.slice(hasAuthority ? 2 + authority.length : 0);
  const problem = hostProblem(host) ?? userInfoProblem(userInfo) ?? escapeProblem(path);
  return problem === undefined ? { host: unescapeHost(host) } : { problem };
}

function userInfoProblem(userInfo: string): string | undefined {
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(userInfo)) return 'net/url: invalid userinfo';
  const [name = '', ...password] = userInfo.split(':');
  return escapeProblem(name) ?? escapeProblem(password.join(':'));
}

function hostProblem(host: string): string | undefined {
  const bracketStart = host.lastIndexOf('[');
  if (bracketStart > 0) return 'invalid IP-literal';
  if (bracketStart < 0) {
    const port = /:[^:]*$/.exec(host)?.[0] ?? '';
    return portProblem(port) ?? hostNameProblem(host);
  }
  const end = host.lastIndexOf(']');
  if (end < 0) return "missing ']' in host";
  const zoneStart = host.indexOf('%25');
  const hasZone = zoneStart >= 0 && zoneStart < end;
  const address = host.slice(1, hasZone ? zoneStart : end);
  return portProblem(host.slice(end + 1)) ?? hostNameProblem(address) ?? ipLiteralProblem(address);
}

function ipLiteralProblem(address: string): string | undefined {
  if (isIPv4(address)) return 'invalid IP-literal';
  return isIPv6(address) ? undefined : `invalid host: ParseAddr(${quote(address)}): unable to parse IP`;
}

function portProblem(port: string): string | undefined {
  return /^(?::[0-9]*)?$/.test(port) ? undefined : `invalid port ${quote(port)} after host`;
}

/** A host name may contain only `%25` and escaped non-ASCII bytes. */
function hostNameProblem(name: string): string | undefined {
  const match = /%(?!25|[89a-fA-F][0-9a-fA-F])[\s\S]{0,2}|[ #\\^`{|}]/.exec(name)?.[0];
  if (match === undefined) return undefined;
  return match.startsWith('%')
    ? `invalid URL escape ${quote(match)}`
    : `invalid character ${quote(match)} in host name`;
}

const unescapeHost = (host: string) =>
  host.replace(/%([0-9a-fA-F]{2})/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16)));

function escapeProblem(text: string): string | undefined {
  const match = /%(?![0-9a-fA-F]{2})[\s\S]{0,2}/.exec(text);
  return match ? `invalid URL escape ${quote(match[0])}` : undefined;
}
