// CBOR serializer: application/cbor, and application/cbor-seq for watches.
import { Pause } from '../base/chunk.ts';
import { arrayHead, encodeCbor, mapHead, selfDescription } from '../codec/cbor/encode.ts';
import type { JsonValue } from '../codec/json/json-value.ts';
import { parseJson } from '../codec/json/parse.ts';
import type { Serializer } from './serializer.ts';

/** Starts an array of indefinite length, which `breakByte` ends. */
const indefiniteArrayHead = Buffer.from([0x9f]);
const breakByte = Buffer.from([0xff]);

/** Items are buffered up to this size, to start the array with its length; a larger list has indefinite length. */
const maxBufferedBytes = 4 * 1024 * 1024;

export const cborSerializer: Serializer = {
  mediaType: 'application/cbor',
  watchType: 'application/cbor-seq',
  object: ({ schema }, json) => Buffer.concat([selfDescription, encodeCbor(parseJson(json).value, schema)]),
  event: (type, object) =>
    Buffer.concat([
      selfDescription,
      mapHead(2),
      encodeCbor('type'),
      encodeCbor(type),
      encodeCbor('object'),
      object,
    ]),
  item: ({ itemSchema: schema }, json) => encodeCbor(parseJson(json).value, schema),
  *list({ kind, apiVersion, metadata, extraFields, itemsField, emptyItems }, items) {
    const fields = Object.entries({ kind, apiVersion, metadata, ...extraFields });
    yield selfDescription;
    yield mapHead(fields.length + 1);
    for (const [key, value] of fields) {
      yield encodeCbor(key);
      yield encodeCbor(value as JsonValue);
    }
    yield encodeCbor(itemsField);
    // Undefined once the array has been started with indefinite length.
    let buffered: Buffer[] | undefined = [];
    let bufferedBytes = 0;
    for (const item of items) {
      if (item instanceof Pause) {
        yield item;
        continue;
      }
      bufferedBytes += item.length;
      if (!buffered) {
        yield item;
        continue;
      }
      buffered.push(item);
      if (bufferedBytes < maxBufferedBytes) continue;
      yield indefiniteArrayHead;
      yield* buffered;
      buffered = undefined;
    }
    if (!buffered) {
      yield breakByte;
    } else if (buffered.length === 0 && emptyItems === 'null') {
      yield encodeCbor(null);
    } else {
      yield arrayHead(buffered.length);
      yield* buffered;
    }
  },
};
