// Bodies that are not stored: reviews, evictions, bindings, token requests and DeleteOptions. The serving thread decodes
// them, so their cost is bounded.
import { tooManyElements } from '../../errors/catalogue.ts';
import { countElements } from '../../serializers/element-count.ts';
import type { RequestBody } from '../../serializers/request-body.ts';

/** Fields and list items. Measured: decoding takes up to 4 µs each. Real bodies have a few hundred. */
const maxElements = 10_000;
/** The size limit, which is checked before the body is read. Measured: a review takes up to 25 µs per KB. */
export const maxUnstoredBytes = 256 * 1024;
/** Larger bodies wait for a turn of the event loop that has time for them. */
export const maxImmediateBytes = 16 * 1024;
/** Elements of CBOR and Protobuf are not counted, and long strings of YAML are expensive. */
const maxBytesUnlessJson = 40_000;

/** Throws 413 if decoding the body would block the event loop for too long. */
export function assertFewElements({ source, format = 'json' }: RequestBody): void {
  const isTooLong = format !== 'json' && source.length > maxBytesUnlessJson;
  const isBinary = format === 'cbor' || format === 'protobuf';
  if (isTooLong || (!isBinary && countElements(source, format) > maxElements)) {
    throw tooManyElements(maxElements, maxBytesUnlessJson);
  }
}
