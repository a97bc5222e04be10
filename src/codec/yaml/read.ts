// YAML decoding (application/yaml).
import { type Constructed, construct } from './construct.ts';
import { parseDocument } from './parser.ts';
import { YamlError } from './yaml-error.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const control = /[^\t\n\r\u0020-\u007e\u0085\u00a0-\ufffd]/;

/** Reads the first document of a YAML text as the JSON value that sigs.k8s.io/yaml converts it to. Throws YamlError. */
export function readYaml(body: Buffer): Constructed {
  const text = decode(body);
  if (control.test(text)) throw new YamlError('yaml: control characters are not allowed');
  const document = parseDocument(text);
  return document ? construct(document) : { value: null, repeated: [] };
}

function decode(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch {
    throw new YamlError(`yaml: ${describeInvalidUtf8(body)}`);
  }
}

/** go-yaml's message for the first invalid UTF-8 sequence. */
function describeInvalidUtf8(body: Buffer): string {
  for (let at = 0; at < body.length; ) {
    const first = body[at]!;
    const width = first < 0x80 ? 1 : first >> 5 === 6 ? 2 : first >> 4 === 14 ? 3 : first >> 3 === 30 ? 4 : 0;
    if (width === 0) return 'invalid leading UTF-8 octet';
    if (at + width > body.length) return 'incomplete UTF-8 octet sequence';
    let code = width === 1 ? first : first & (0xff >> (width + 1));
    for (let i = 1; i < width; i++) {
      const octet = body[at + i]!;
      if (octet >> 6 !== 2) return 'invalid trailing UTF-8 octet';
      code = (code << 6) | (octet & 0x3f);
    }
    if ([0, 0, 0x80, 0x800, 0x10000][width]! > code) return 'invalid length of a UTF-8 sequence';
    if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) return 'invalid Unicode character';
    at += width;
  }
  return 'invalid Unicode character';
}
