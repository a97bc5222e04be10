// Request headers in which an authenticating front proxy names the user it acts for (--requestheader-*-headers).

/** Header names and prefixes, in lower case. */
export interface IdentityHeaders {
  readonly user: readonly string[];
  readonly uid: readonly string[];
  readonly groups: readonly string[];
  readonly extraPrefixes: readonly string[];
}

/** Whether a header (name in lower case) carries the user's identity. A proxy must not pass it on to a backend. */
export function isIdentityHeader(
  name: string,
  { user, uid, groups, extraPrefixes }: IdentityHeaders,
): boolean {
  return (
    user.includes(name) ||
    uid.includes(name) ||
    groups.includes(name) ||
    extraPrefixes.some((prefix) => name.startsWith(prefix))
  );
}

/** Decodes the key of a user's extra field: characters that a header name cannot have are percent-encoded. */
export function unescapeExtraKey(key: string): string {
  if (!key.includes('%') || /%(?![0-9a-f]{2})/i.test(key)) return key;
  const bytes = key.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
