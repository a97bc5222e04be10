// CBOR serializer: application/cbor and application/cbor-seq.
import { Pause } from '../base/chunk.ts';
import { arrayHead, encodeCbor, mapHead, selfDescription } from '../codec/cbor/encode.ts';
import type { JsonValue } from '../codec/json/json-value.ts';
import { parseJson } from '../codec/json/parse.ts';
import type { Serializer } from './serializer.ts';

const unboundedList = Buffer.from([0x9f]);
const end = Buffer.from([0xff]);

/** Items beyond this size make the list one of indefinite length. */
const mostGathered = 4 * 1024 * 1024;

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
  item: ({ item: schema }, json) => encodeCbor(parseJson(json).value, schema),
  *list({ kind, apiVersion, metadata, more, field, none }, items) {
    const around = Object.entries({ kind, apiVersion, metadata, ...more });
    yield selfDescription;
    yield mapHead(around.length + 1);
    for (const [key, value] of around) {
      yield encodeCbor(key);
      yield encodeCbor(value as JsonValue);
    }
    yield encodeCbor(field);
    let gathered: Buffer[] | undefined = [];
    let size = 0;
    for (const item of items) {
      if (item instanceof Pause) {
        yield item;
        continue;
      }
      size += item.length;
      if (!gathered) {
        yield item;
        continue;
      }
      gathered.push(item);
      if (size < mostGathered) continue;
      yield unboundedList;
      yield* gathered;
      gathered = undefined;
    }
    if (!gathered) {
      yield end;
    } else if (gathered.length === 0 && none === 'null') {
      yield encodeCbor(null);
    } else {
      yield arrayHead(gathered.length);
      yield* gathered;
    }
  },
};
