// API aggregation: the X-Remote headers that identify the user to an aggregated API server.
import type { OutgoingHttpHeaders } from 'node:http';
import type { User } from '../request/user.ts';

/** Characters of a header name that need no escaping; `%` begins an escape. */
const unescaped = /[A-Za-z0-9!#$&'*+\-.^_`|~]/;

export function identityHeadersFor(user: User, withUid: boolean): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = { 'x-remote-user': asLatin1(user.name) };
  if (withUid && user.uid !== '') headers['x-remote-uid'] = asLatin1(user.uid);
  if (user.groups.length > 0) headers['x-remote-group'] = user.groups.map(asLatin1);
  for (const [key, values] of Object.entries(user.extra)) {
    headers[`x-remote-extra-${escapedKey(key)}`] = values.map(asLatin1);
  }
  return headers;
}

/** Node writes header values as Latin-1: this keeps the UTF-8 bytes. */
const asLatin1 = (text: string) => Buffer.from(text).toString('latin1');

function escapedKey(key: string): string {
  return [...Buffer.from(key)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return unescaped.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('')
    .toLowerCase();
}
