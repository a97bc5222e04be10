// DER string types.
import { bits, checkBoolean, checkInteger, DerProblem, type Element, objectId, tags } from './der.ts';

const texts = { utf8: 12, numeric: 18, printable: 19, t61: 20, ia5: 22, wide: 30 } as const;

/**
 * The text of one part of a name. Other values may stand there too and must be well written, but say nothing.
 */
export function textIn(element: Element): string | undefined {
  const { class: kind, isCompound, tag, content } = element;
  if (kind !== 0 || isCompound) return undefined;
  switch (tag) {
    case texts.utf8:
      return utf8(content);
    case texts.numeric:
      return only(/^[0-9 ]*$/, content, 'NumericString');
    case texts.printable:
      return only(/^[A-Za-z0-9 '()+,\-./:=?*&]*$/, content, 'PrintableString');
    case texts.ia5:
      return only(ascii, content, 'IA5String');
    case texts.t61:
      return content.toString('latin1');
    case texts.wide:
      return wide(content);
    case tags.boolean:
      checkBoolean(element);
      return undefined;
    case tags.integer:
      checkInteger(element);
      return undefined;
    case tags.bitString:
      bits(element);
      return undefined;
    case tags.objectId:
      objectId(element);
      return undefined;
    default:
      return undefined;
  }
}

const ascii = /^[\x00-\x7f]*$/;

function only(allowed: RegExp, content: Buffer, name: string): string {
  const text = content.toString('latin1');
  if (allowed.test(text)) return text;
  throw new DerProblem(`asn1: syntax error: ${name} contains invalid character`);
}

function utf8(content: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    throw new DerProblem('asn1: invalid UTF-8 string');
  }
}

function wide(content: Buffer): string {
  if (content.length % 2 !== 0) throw new DerProblem('invalid BMPString');
  return Buffer.from(content).swap16().toString('utf16le');
}
