// Slices the metadata out of the JSON of a stored object without parsing it.
const quote = 0x22;
const backslash = 0x5c;
const open = 0x7b;
const close = 0x7d;

/** The metadata in an object's canonical JSON, where only kind and apiVersion come before it. */
export function sliceMetadata(json: Buffer): Buffer {
  const start = json.indexOf(metadataKey) + metadataKey.length;
  let depth = 0;
  for (let index = start; index < json.length; index++) {
    const byte = json[index]!;
    if (byte === quote) index = endOfString(json, index);
    else if (byte === open) depth++;
    else if (byte === close && --depth === 0) return json.subarray(start, index + 1);
  }
  throw new Error('the object has no metadata');
}

const metadataKey = '"metadata":';

function endOfString(json: Buffer, start: number): number {
  for (let index = json.indexOf(quote, start + 1); index >= 0; index = json.indexOf(quote, index + 1)) {
    let escapes = 0;
    while (json[index - 1 - escapes] === backslash) escapes++;
    if (escapes % 2 === 0) return index;
  }
  throw new Error('unterminated string');
}
