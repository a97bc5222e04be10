// CEL parser: values of number, string and bytes literals.
import type { LiteralValue } from './ast.ts';

const maxInt = 2n ** 63n - 1n;
const maxUint = 2n ** 64n - 1n;

/** The value of a number as written, or undefined where it is too large. */
export function readInt(text: string, negative: boolean): LiteralValue | undefined {
  const value = negative ? -BigInt(text) : BigInt(text);
  if (value > maxInt || value < -maxInt - 1n) return undefined;
  return { kind: 'int', value };
}

export function readUint(text: string): LiteralValue | undefined {
  const value = BigInt(text.slice(0, -1));
  return value > maxUint ? undefined : { kind: 'uint', value };
}

export function readDouble(text: string): LiteralValue | undefined {
  const value = Number(text);
  return Number.isFinite(value) ? { kind: 'double', value } : undefined;
}

/** The value of a string or bytes literal, or its error. */
export function readQuoted(
  written: string,
  kind: 'string' | 'bytes',
): LiteralValue | { readonly problem: string } {
  let text = kind === 'bytes' ? written.slice(1) : written;
  const isRaw = text[0] === 'r' || text[0] === 'R';
  if (isRaw) text = text.slice(1);
  const quotes = /^(?:"""|''')/.test(text) ? 3 : 1;
  const inner = text.slice(quotes, -quotes).replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  if (kind === 'string') {
    const value = isRaw ? inner : unescapeString(inner);
    return typeof value === 'string' ? { kind, value } : value;
  }
  return { kind, value: isRaw ? Buffer.from(inner) : unescapeBytes(inner) };
}

const escapes =
  /\\(?:([abfnrtv"'\\?`])|([0-3][0-7][0-7])|[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/g;

const controls: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

function unescapeString(text: string): string | { readonly problem: string } {
  let isWrong = false;
  const value = text.replace(escapes, (_, plain, octal, hex, four, eight) => {
    if (plain !== undefined) return controls[plain] ?? plain;
    const code = octal !== undefined ? Number.parseInt(octal, 8) : Number.parseInt(hex ?? four ?? eight, 16);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
      isWrong = true;
      return '';
    }
    return String.fromCodePoint(code);
  });
  return isWrong ? { problem: 'invalid unicode code point' } : value;
}

/** In bytes `\xff` and `\377` are one byte; other escapes are characters, as UTF-8. */
function unescapeBytes(text: string): Uint8Array {
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const match of text.matchAll(escapes)) {
    parts.push(Buffer.from(text.slice(at, match.index)));
    const [whole, plain, octal, hex, four, eight] = match;
    if (plain !== undefined) parts.push(Buffer.from(controls[plain] ?? plain));
    else if (octal !== undefined) parts.push(Uint8Array.of(Number.parseInt(octal, 8)));
    else if (hex !== undefined) parts.push(Uint8Array.of(Number.parseInt(hex, 16)));
    else parts.push(Buffer.from(String.fromCodePoint(Number.parseInt((four ?? eight)!, 16) % 0x110000)));
    at = match.index + whole.length;
  }
  parts.push(Buffer.from(text.slice(at)));
  return new Uint8Array(Buffer.concat(parts));
}
