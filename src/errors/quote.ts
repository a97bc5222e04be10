// Quotes strings as Go's strconv.Quote does.
import { isUtf8 } from 'node:buffer';

const namedEscapes: Readonly<Record<string, string>> = {
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

const printableAscii = /^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/;
/** Characters for which unicode.IsPrint is false in Go. */
const unprintable = /[\p{C}\p{Z}]/u;

/** Go's %q of a string. */
export function quote(text: string): string {
  if (printableAscii.test(text)) return `"${text}"`;
  let quoted = '"';
  for (const character of text)
    quoted += character === ' ' ? ' ' : (namedEscapes[character] ?? escapeCharacter(character));
  return `${quoted}"`;
}

/** Go's %q of bytes; invalid UTF-8 is escaped byte by byte. */
export function quoteBytes(bytes: Buffer): string {
  let quoted = '';
  for (let offset = 0; offset < bytes.length; ) {
    const length = [1, 2, 3, 4].find((size) => isUtf8(bytes.subarray(offset, offset + size)));
    quoted += length
      ? quote(bytes.toString('utf8', offset, offset + length)).slice(1, -1)
      : `\\x${hex(bytes[offset]!, 2)}`;
    offset += length ?? 1;
  }
  return `"${quoted}"`;
}

function escapeCharacter(character: string): string {
  if (!unprintable.test(character)) return character;
  const code = character.codePointAt(0)!;
  if (code < 0x80) return `\\x${hex(code, 2)}`;
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

const hex = (code: number, width: number) => code.toString(16).padStart(width, '0');
