// Slices the metadata out of the JSON of a stored object without parsing it.
const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** The metadata in an object's canonical JSON, in which only kind and apiVersion come before it. */
export function sliceMetadata(json: Buffer): Buffer {
  const start = json.indexOf(metadataKey) + metadataKey.length;
  let depth = 0;
  for (let index = start; index < json.length; index++) {
    const byte = json[index]!;
    if (byte === quote) index = endOfString(json, index);
    else if (byte === openBrace) depth++;
    else if (byte === closeBrace && --depth === 0) return json.subarray(start, index + 1);
  }
  throw new Error('the object has no metadata');
}

const metadataKey = '"metadata":';

function endOfString(json: Buffer, start: number): number {
  for (let index = json.indexOf(quote, start + 1); index >= 0; index = json.indexOf(quote, index + 1)) {
    // An odd number of backslashes escapes the quote.
    let backslashes = 0;
    while (json[index - 1 - backslashes] === backslash) backslashes++;
    if (backslashes % 2 === 0) return index;
  }
  throw new Error('unterminated string');
}
