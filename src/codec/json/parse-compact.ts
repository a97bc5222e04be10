// Fast path of the JSON parser: uses the native JSON.parse where its result is exact.
import type { JsonValue } from './json-value.ts';
import { type ParsedJson, parseJson } from './parse.ts';

/**
 * Like parseJson, but faster for JSON as most programs write it: text that survives a round trip through JSON.parse
 * and JSON.stringify has no duplicate keys and no inexact numbers, so the native result is exact.
 */
export function parseCompactJson(source: Buffer): ParsedJson {
  const text = source.toString();
  const value = text.startsWith('{"') && !needsExactParser(text) ? parseIfExact(text) : undefined;
  return value === undefined ? parseJson(text) : { value };
}

/** A `__proto__` key or a lone surrogate, which the native parser treats differently. */
const needsExactParser = (text: string) => text.includes('__proto__') || text.includes('\\ud');

function parseIfExact(text: string): JsonValue | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return JSON.stringify(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}
