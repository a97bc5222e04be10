// Decodes DER string types in distinguished names, with the error messages of Go's encoding/asn1.
import {
  assertValidBoolean,
  assertValidInteger,
  type DerElement,
  DerError,
  parseBitString,
  parseObjectIdentifier,
  stringTags,
  tags,
} from './der.ts';

/** Returns the text of an attribute value. Other types are validated only, as in Go, and return undefined. */
export function decodeString(element: DerElement): string | undefined {
  const { class: tagClass, isCompound, tag, content } = element;
  if (tagClass !== 0 || isCompound) return undefined;
  switch (tag) {
    case stringTags.utf8:
      return decodeUtf8(content);
    case stringTags.numeric:
      return decodeRestricted(/^[0-9 ]*$/, content, 'NumericString');
    case stringTags.printable:
      return decodeRestricted(/^[A-Za-z0-9 '()+,\-./:=?*&]*$/, content, 'PrintableString');
    case stringTags.ia5:
      return decodeRestricted(ascii, content, 'IA5String');
    case stringTags.t61:
      return content.toString('latin1');
    case stringTags.bmp:
      return decodeBmpString(content);
    case tags.boolean:
      assertValidBoolean(element);
      return undefined;
    case tags.integer:
      assertValidInteger(element);
      return undefined;
    case tags.bitString:
      parseBitString(element);
      return undefined;
    case tags.objectId:
      parseObjectIdentifier(element);
      return undefined;
    default:
      return undefined;
  }
}

const ascii = /^[\x00-\x7f]*$/;

function decodeRestricted(allowed: RegExp, content: Buffer, name: string): string {
  const text = content.toString('latin1');
  if (allowed.test(text)) return text;
  throw new DerError(`asn1: syntax error: ${name} contains invalid character`);
}

function decodeUtf8(content: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    throw new DerError('asn1: invalid UTF-8 string');
  }
}

function decodeBmpString(content: Buffer): string {
  if (content.length % 2 !== 0) throw new DerError('invalid BMPString');
  return Buffer.from(content).swap16().toString('utf16le');
}
