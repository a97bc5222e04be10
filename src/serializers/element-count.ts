// Counts the elements of a request body without parsing it: its fields and array items, each of which is decoded and
// validated. The cost of a body depends on them more than on its bytes.
import type { BodyFormat } from './request-body.ts';

/** Elements of CBOR and Protobuf are not counted, but most have more bytes than this. */
const binaryElementBytes = 4;
/** The YAML decoder accepts documents of which up to 99 % come from aliases. */
const maxAliasExpansion = 100;

/** Exact for JSON, an upper bound for YAML, and an estimate by bytes for CBOR and Protobuf. */
export function countElements(source: Buffer, format: BodyFormat): number {
  if (format === 'json') return countInJson(source);
  if (format === 'yaml') return countInYaml(source);
  return Math.ceil(source.length / binaryElementBytes);
}

const [comma, brace, bracket, quote, backslash, lineFeed, carriageReturn] = Buffer.from(',{["\\\n\r');
/** The last bytes of U+0085, U+2028 and U+2029 in UTF-8. */
const [nextLine, lineSeparator, paragraphSeparator] = [0x85, 0xa8, 0xa9];

function countInJson(source: Buffer): number {
  let count = 0;
  let isInString = false;
  for (let i = 0; i < source.length; i++) {
    const byte = source[i];
    if (byte === quote) isInString = !isInString;
    else if (isInString) {
      if (byte === backslash) i++;
    } else if (byte === comma || byte === brace || byte === bracket) count++;
  }
  return count;
}

/** Counts line breaks and separators, even in strings. */
function countInYaml(source: Buffer): number {
  let count = 0;
  for (let i = 0; i < source.length; i++) {
    switch (source[i]) {
      case comma:
      case brace:
      case bracket:
      case lineFeed:
      case carriageReturn:
      case nextLine:
      case lineSeparator:
      case paragraphSeparator:
        count++;
    }
  }
  const hasAliases = source.includes('&') && source.includes('*');
  return hasAliases ? count * maxAliasExpansion : count;
}
