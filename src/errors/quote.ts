// String quoting as Go's strconv.Quote does it.
import { isUtf8 } from 'node:buffer';

const named: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '"': '\\"',
  '\\': '\\\\',
};

const plain = /^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/;
/** Characters that Go considers not printable. */
const unprintable = /[\p{C}\p{Z}]/u;

/** Go's %q of a string. */
export function quote(text: string): string {
  if (plain.test(text)) return `"${text}"`;
  let quoted = '"';
  for (const character of text) quoted += character === ' ' ? ' ' : (named[character] ?? escaped(character));
  return `${quoted}"`;
}

/** Go's %q of bytes; invalid UTF-8 is escaped byte by byte. */
export function quoteBytes(bytes: Buffer): string {
  let quoted = '';
  for (let at = 0; at < bytes.length; ) {
    const length = [1, 2, 3, 4].find((size) => isUtf8(bytes.subarray(at, at + size)));
    quoted += length
      ? quote(bytes.toString('utf8', at, at + length)).slice(1, -1)
      : `\\x${hex(bytes[at]!, 2)}`;
    at += length ?? 1;
  }
  return `"${quoted}"`;
}

function escaped(character: string): string {
  if (!unprintable.test(character)) return character;
  const code = character.codePointAt(0)!;
  if (code < 0x80) return `\\x${hex(code, 2)}`;
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

const hex = (code: number, width: number) => code.toString(16).padStart(width, '0');
