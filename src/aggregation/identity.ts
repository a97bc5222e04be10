// API aggregation: the X-Remote headers that identify the user to an aggregated API server.
import type { OutgoingHttpHeaders } from 'node:http';
import type { User } from '../request/user.ts';

/** The characters that a header name may contain unescaped, without `%`, which begins an escape. */
const unescaped = /[A-Za-z0-9!#$&'*+\-.^_`|~]/;

export function identityHeadersFor(user: User, { withUid }: { withUid: boolean }): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = { 'x-remote-user': utf8AsLatin1(user.name) };
  if (withUid && user.uid !== '') headers['x-remote-uid'] = utf8AsLatin1(user.uid);
  if (user.groups.length > 0) headers['x-remote-group'] = user.groups.map(utf8AsLatin1);
  for (const [key, values] of Object.entries(user.extra)) {
    headers[`x-remote-extra-${escapeExtraKey(key)}`] = values.map(utf8AsLatin1);
  }
  return headers;
}

/** Node encodes header values as Latin-1. The result is a string whose Latin-1 bytes are the UTF-8 bytes of `text`. */
const utf8AsLatin1 = (text: string) => Buffer.from(text).toString('latin1');

/** Percent-encodes the UTF-8 bytes of the key of an extra value. Header names are not case-sensitive. */
function escapeExtraKey(key: string): string {
  return [...Buffer.from(key)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return unescaped.test(character) ? character : `%${byte.toString(16).padStart(2, '0')}`;
    })
    .join('')
    .toLowerCase();
}
