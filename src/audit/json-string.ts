// Audit: encodes a string of an audit event as JSON.
import { encodeJson } from '../transport/json-text.ts';

/** Characters that need no escaping in JSON or HTML. */
const unescaped = /^[ !#-%'-;=?-[\]-~]*$/;

/** Fast path: almost all strings need no escaping. */
export function jsonString(text: string): string {
  return unescaped.test(text) ? `"${text}"` : encodeJson(text);
}
