// Estimates the cost of a write before anything is parsed, so that an expensive one is prepared on a worker thread. The cost
// depends on bytes (long strings) and on elements: fields and array items, each of which is decoded, validated and owned.

import type { EncodedInput } from '../registry/write/context.ts';
import type { StoredObject } from '../store/store.ts';

/**
 * Bytes above which a write could block the event loop for too long, whatever they contain. Patch and apply take longer,
 * because managedFields must be computed.
 */
const maxBytes = { object: 256 * 1024, patch: 64 * 1024 };
/** Elements above which it could. Measured: an invalid element takes up to 10 µs. */
const maxElements = 4_000;
/** An element takes at least 2 bytes, so fewer bytes have no more than `maxElements`. */
const maxUncountedBytes = 2 * maxElements;
/** Elements of CBOR and Protobuf are not counted, but most have more than 4 bytes. */
const maxBinaryBytes = 4 * maxElements;

/** Whether the write could block the event loop for too long. `current`: the stored object that it changes. */
export function isExpensive(input: EncodedInput, current: StoredObject | undefined): boolean {
  const source = 'body' in input ? input.body.source : input.source;
  const bytes = source.length + (current?.json.length ?? 0);
  if (bytes <= maxUncountedBytes) return false;
  if (bytes > ('body' in input ? maxBytes.object : maxBytes.patch)) return true;
  if (isBinary(input) && source.length > maxBinaryBytes) return true;
  return countElements(source) + (current ? countElements(current.json) : 0) > maxElements;
}

function isBinary(input: EncodedInput): boolean {
  if (!('body' in input)) return input.type.includes('cbor');
  return input.body.format === 'cbor' || input.body.format === 'protobuf';
}

const [comma, brace, bracket, lineFeed] = Buffer.from(',{[\n');

/** An upper bound of the elements in JSON or YAML: strings may contain these characters, too. */
function countElements(text: Buffer): number {
  let count = 0;
  for (const byte of text) {
    if (byte === comma || byte === brace || byte === bracket || byte === lineFeed) count++;
  }
  return count;
}
