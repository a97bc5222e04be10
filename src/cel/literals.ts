// CEL parser: values of number, string and bytes literals.
import type { LiteralValue } from './ast.ts';

const maxInt = 2n ** 63n - 1n;
const maxUint = 2n ** 64n - 1n;

/** Undefined if the value does not fit 64 bits. */
export function parseInt64Literal(text: string, isNegative: boolean): LiteralValue | undefined {
  const value = isNegative ? -BigInt(text) : BigInt(text);
  if (value > maxInt || value < -maxInt - 1n) return undefined;
  return { kind: 'int', value };
}

export function parseUint64Literal(text: string): LiteralValue | undefined {
  const withoutSuffix = text.slice(0, -1);
  const value = BigInt(withoutSuffix);
  return value > maxUint ? undefined : { kind: 'uint', value };
}

export function parseDoubleLiteral(text: string): LiteralValue | undefined {
  const value = Number(text);
  return Number.isFinite(value) ? { kind: 'double', value } : undefined;
}

/** The value of a string or bytes literal, or its error. */
export function parseQuotedLiteral(
  source: string,
  kind: 'string' | 'bytes',
): LiteralValue | { readonly problem: string } {
  let text = kind === 'bytes' ? source.slice(1) : source;
  const isRaw = text[0] === 'r' || text[0] === 'R';
  if (isRaw) text = text.slice(1);
  const quoteLength = /^(?:"""|''')/.test(text) ? 3 : 1;
  const content = text.slice(quoteLength, -quoteLength).replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  if (kind === 'string') {
    const value = isRaw ? content : unescapeString(content);
    return typeof value === 'string' ? { kind, value } : value;
  }
  return { kind, value: isRaw ? Buffer.from(content) : unescapeBytes(content) };
}

const escapePattern =
  /\\(?:([abfnrtv"'\\?`])|([0-3][0-7][0-7])|[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/g;

const controlCharacters: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

function unescapeString(text: string): string | { readonly problem: string } {
  let isInvalid = false;
  const value = text.replace(escapePattern, (_, simple, octal, hex, four, eight) => {
    if (simple !== undefined) return controlCharacters[simple] ?? simple;
    const code = octal !== undefined ? Number.parseInt(octal, 8) : Number.parseInt(hex ?? four ?? eight, 16);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
      isInvalid = true;
      return '';
    }
    return String.fromCodePoint(code);
  });
  return isInvalid ? { problem: 'invalid unicode code point' } : value;
}

/** In bytes literals `\xff` and `\377` are one byte; other escapes are UTF-8 characters. */
function unescapeBytes(text: string): Uint8Array {
  const parts: Uint8Array[] = [];
  let index = 0;
  for (const match of text.matchAll(escapePattern)) {
    parts.push(Buffer.from(text.slice(index, match.index)));
    const [sequence, simple, octal, hex, four, eight] = match;
    if (simple !== undefined) parts.push(Buffer.from(controlCharacters[simple] ?? simple));
    else if (octal !== undefined) parts.push(Uint8Array.of(Number.parseInt(octal, 8)));
    else if (hex !== undefined) parts.push(Uint8Array.of(Number.parseInt(hex, 16)));
    else parts.push(Buffer.from(String.fromCodePoint(Number.parseInt((four ?? eight)!, 16) % 0x110000)));
    index = match.index + sequence.length;
  }
  parts.push(Buffer.from(text.slice(index)));
  return new Uint8Array(Buffer.concat(parts));
}
