// Cuts the metadata out of an object's JSON without parsing it.
const quote = 0x22;
const backslash = 0x5c;
const open = 0x7b;
const close = 0x7d;

/** The metadata in an object's canonical JSON, where only kind and apiVersion come before it. */
export function metadataOf(json: Buffer): Buffer {
  const start = json.indexOf(metadataKey) + metadataKey.length;
  let depth = 0;
  for (let at = start; at < json.length; at++) {
    const byte = json[at]!;
    if (byte === quote) at = endOfString(json, at);
    else if (byte === open) depth++;
    else if (byte === close && --depth === 0) return json.subarray(start, at + 1);
  }
  throw new Error('the object has no metadata');
}

const metadataKey = '"metadata":';

function endOfString(json: Buffer, start: number): number {
  for (let at = json.indexOf(quote, start + 1); at >= 0; at = json.indexOf(quote, at + 1)) {
    let escapes = 0;
    while (json[at - 1 - escapes] === backslash) escapes++;
    if (escapes % 2 === 0) return at;
  }
  throw new Error('unterminated string');
}
