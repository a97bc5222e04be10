// Audit: JSON strings.
import { encodeJson } from '../transport/json-text.ts';

/** Characters that need no escaping in JSON or HTML. */
const plain = /^[ !#-%'-;=?-[\]-~]*$/;

/** Fast path: almost all strings need no escaping. */
export function quoted(text: string): string {
  return plain.test(text) ? `"${text}"` : encodeJson(text);
}
