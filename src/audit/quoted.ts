import { encodeJson } from '../transport/json-text.ts';

/** Nothing in it means anything in JSON, nor in a browser. */
const plain = /^[ !#-%'-;=?-[\]-~]*$/;

/** A text as JSON. Almost all of what comes by is plain. */
export function quoted(text: string): string {
  return plain.test(text) ? `"${text}"` : encodeJson(text);
}
