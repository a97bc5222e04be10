// Audit: encodes a string of an audit event as JSON.
import { encodeJson } from '../transport/json-text.ts';

/** Text without characters that need escaping in JSON or HTML. */
const plainText = /^[ !#-%'-;=?-[\]-~]*$/;

/** Fast path: almost all strings need no escaping. */
export function jsonString(text: string): string {
  return plainText.test(text) ? `"${text}"` : encodeJson(text);
}
