// The fast path of the JSON parser: uses the native JSON.parse if its result is exact.
import type { JsonValue } from './json-value.ts';
import { type ParsedJson, parseJson } from './parse.ts';

/**
 * Like parseJson, but faster for compact JSON: text that JSON.parse and JSON.stringify reproduce unchanged has no
 * duplicate keys and no inexact numbers.
 */
export function parseCompactJson(source: Buffer): ParsedJson {
  const text = source.toString();
  const value = text.startsWith('{"') && !needsExactParser(text) ? parseIfExact(text) : undefined;
  return value === undefined ? parseJson(text) : { value };
}

/** JSON.parse handles a `__proto__` key and a lone surrogate differently from parseJson. */
const needsExactParser = (text: string) => text.includes('__proto__') || text.includes('\\ud');

function parseIfExact(text: string): JsonValue | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return JSON.stringify(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}
