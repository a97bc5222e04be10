// YAML decoder (application/yaml): decodes the first document to the JSON value that sigs.k8s.io/yaml converts it to.
import { type ConstructedYaml, construct } from './construct.ts';
import { parseDocument } from './parser.ts';
import { YamlError } from './yaml-error.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const nonPrintable = /[^\t\n\r\u0020-\u007e\u0085\u00a0-\ufffd]/;

/** Throws YamlError. An empty stream is null. */
export function decodeYaml(body: Buffer): ConstructedYaml {
  const text = decodeUtf8(body);
  if (nonPrintable.test(text)) throw new YamlError('yaml: control characters are not allowed');
  const document = parseDocument(text);
  return document ? construct(document) : { value: null, duplicateKeys: [] };
}

function decodeUtf8(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch {
    throw new YamlError(`yaml: ${describeInvalidUtf8(body)}`);
  }
}

/** go-yaml's message for the first invalid UTF-8 sequence. */
function describeInvalidUtf8(body: Buffer): string {
  for (let offset = 0; offset < body.length; ) {
    const leadingOctet = body[offset]!;
    const width = sequenceWidth(leadingOctet);
    if (width === 0) return 'invalid leading UTF-8 octet';
    if (offset + width > body.length) return 'incomplete UTF-8 octet sequence';
    let code = width === 1 ? leadingOctet : leadingOctet & (0xff >> (width + 1));
    for (let i = 1; i < width; i++) {
      const octet = body[offset + i]!;
      if (octet >> 6 !== 2) return 'invalid trailing UTF-8 octet';
      code = (code << 6) | (octet & 0x3f);
    }
    if (code < minCodeByWidth[width]!) return 'invalid length of a UTF-8 sequence';
    if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) return 'invalid Unicode character';
    offset += width;
  }
  return 'invalid Unicode character';
}

/** The number of octets in a UTF-8 sequence with this leading octet; 0 if it cannot lead one. */
function sequenceWidth(leadingOctet: number): number {
  if (leadingOctet < 0x80) return 1;
  if (leadingOctet >> 5 === 0b110) return 2;
  if (leadingOctet >> 4 === 0b1110) return 3;
  return leadingOctet >> 3 === 0b11110 ? 4 : 0;
}

/** The smallest code point that needs a sequence of this many octets. */
const minCodeByWidth = [0, 0, 0x80, 0x800, 0x10000];
