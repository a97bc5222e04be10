// JSON serializer. Stored objects are JSON, so most responses are the stored bytes.
import { Pause } from '../base/chunk.ts';
import { stringifyJson } from '../codec/json/stringify.ts';
import { jsonEvent } from '../store/watch/event.ts';
import type { ListDocument, Serializer } from './serializer.ts';

const comma = Buffer.from(',');
/** Items are joined to chunks of about this size. */
const chunkBytes = 32 * 1024;

export const jsonSerializer: Serializer = {
  mediaType: 'application/json',
  watchType: 'application/json',
  object: (_kind, json) => json,
  event: jsonEvent,
  item: (_document, json) => json,
  *list(document, items) {
    yield jsonListHead(document);
    let isFirst = true;
    // Most items are small, so several are joined to one chunk.
    let buffered: Buffer[] = [];
    let bufferedBytes = 0;
    for (const item of items) {
      if (!(item instanceof Pause)) {
        buffered.push(isFirst ? openBracket : comma, item);
        bufferedBytes += item.length;
        isFirst = false;
        if (bufferedBytes < chunkBytes) continue;
      }
      if (bufferedBytes > 0) yield Buffer.concat(buffered);
      if (item instanceof Pause) yield item;
      buffered = [];
      bufferedBytes = 0;
    }
    yield Buffer.concat([...buffered, Buffer.from(isFirst ? `${document.emptyItems}}\n` : ']}\n')]);
  },
};

const openBracket = Buffer.from('[');

/** `{"kind":"XList","apiVersion":"v1","metadata":{…},"items":` */
export function jsonListHead({ kind, apiVersion, metadata, extraFields, itemsField }: ListDocument): Buffer {
  const head = stringifyJson({ kind, apiVersion, metadata, ...extraFields });
  return Buffer.from(`${head.slice(0, -1)},"${itemsField}":`);
}
