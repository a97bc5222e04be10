// URI validation (RFC 3986) with the error messages of Go's net/url.
import { isIPv4, isIPv6 } from 'node:net';
import { quote } from '../../errors/quote.ts';

/** Returns the unescaped host and port, or the error message. */
export function hostOfUri(text: string): { readonly host: string } | { readonly problem: string } {
  const hashAt = text.indexOf('#');
  const beforeFragment = hashAt < 0 ? text : text.slice(0, hashAt);
  const parsed = readHierarchy(beforeFragment);
  if ('problem' in parsed) return { problem: `parse ${quote(beforeFragment)}: ${parsed.problem}` };
  const wrong = hashAt < 0 ? undefined : wrongEscape(text.slice(hashAt + 1));
  return wrong === undefined ? parsed : { problem: `parse ${quote(text)}: ${wrong}` };
}

/** The error message for an invalid request URI, which is absolute or an absolute path (url.ParseRequestURI in Go). */
export function requestUriProblem(text: string): string | undefined {
  if (/[\u0000-\u001f\u007f]/.test(text)) return 'net/url: invalid control character in URL';
  if (text === '') return 'empty url';
  if (text === '*') return undefined;
  const parsed = readHierarchy(text, true);
  return 'problem' in parsed ? parsed.problem : undefined;
}

function readHierarchy(
  text: string,
  isRequest = false,
): { readonly host: string } | { readonly problem: string } {
  if (/[\u0000-\u001f\u007f]/.test(text)) return { problem: 'net/url: invalid control character in URL' };
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text)?.[0] ?? '';
  if (scheme === '' && text.startsWith(':')) return { problem: 'missing protocol scheme' };
  const rest = text.slice(scheme.length).replace(/\?[\s\S]*$/, '');
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { host: '' };
    if (isRequest) return { problem: 'invalid URI for request' };
    if (/^[^/]*:/.test(rest)) return { problem: 'first path segment in URL cannot contain colon' };
  }
  const hasAuthority = rest.startsWith('//') && (scheme !== '' || !(isRequest || rest.startsWith('///')));
  const authority = hasAuthority ? rest.slice(2).split('/', 1)[0]! : '';
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  const user = authority.slice(0, Math.max(at, 0));
  const path = rest.slice(hasAuthority ? 2 + authority.length : 0);
  const problem = hostProblem(host) ?? userProblem(user) ?? wrongEscape(path);
  return problem === undefined ? { host: unescapedHost(host) } : { problem };
}

function userProblem(user: string): string | undefined {
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) return 'net/url: invalid userinfo';
  const [name = '', ...password] = user.split(':');
  return wrongEscape(name) ?? wrongEscape(password.join(':'));
}

function hostProblem(host: string): string | undefined {
  const bracketAt = host.lastIndexOf('[');
  if (bracketAt > 0) return 'invalid IP-literal';
  if (bracketAt < 0) {
    const port = /:[^:]*$/.exec(host)?.[0] ?? '';
    return portProblem(port) ?? nameProblem(host);
  }
  const end = host.lastIndexOf(']');
  if (end < 0) return "missing ']' in host";
  const zoneAt = host.indexOf('%25');
  const hasZone = zoneAt >= 0 && zoneAt < end;
  const address = host.slice(1, hasZone ? zoneAt : end);
  return portProblem(host.slice(end + 1)) ?? nameProblem(address) ?? literalProblem(address);
}

function literalProblem(address: string): string | undefined {
  if (isIPv4(address)) return 'invalid IP-literal';
  return isIPv6(address) ? undefined : `invalid host: ParseAddr(${quote(address)}): unable to parse IP`;
}

function portProblem(port: string): string | undefined {
  return /^(?::[0-9]*)?$/.test(port) ? undefined : `invalid port ${quote(port)} after host`;
}

/** In a host only `%25` and bytes beyond ASCII are escaped. */
function nameProblem(name: string): string | undefined {
  const found = /%(?!25|[89a-fA-F][0-9a-fA-F])[\s\S]{0,2}|[ #\\^`{|}]/.exec(name)?.[0];
  if (found === undefined) return undefined;
  return found.startsWith('%')
    ? `invalid URL escape ${quote(found)}`
    : `invalid character ${quote(found)} in host name`;
}

const unescapedHost = (host: string) =>
  host.replace(/%([0-9a-fA-F]{2})/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16)));

function wrongEscape(text: string): string | undefined {
  const found = /%(?![0-9a-fA-F]{2})[\s\S]{0,2}/.exec(text);
  return found ? `invalid URL escape ${quote(found[0])}` : undefined;
}
