// Protobuf serializer: objects in the runtime.Unknown envelope.
import { type Chunk, Pause } from '../base/chunk.ts';
import { parseJson } from '../codec/json/parse.ts';
import { encodeMessage, writeMessage } from '../codec/protobuf/encode.ts';
import { encodeEnvelope, writeEnvelope } from '../codec/protobuf/envelope.ts';
import { WireWriter } from '../codec/protobuf/wire-writer.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { ListMeta } from '../kind/meta/list-meta.ts';
import type { EventName, ListDocument, Serializer, WrittenKind } from './serializer.ts';

export class ProtobufSerializer implements Serializer {
  readonly mediaType: string;
  readonly watchType: string;
  readonly magic: string;

  constructor({ protobufMediaType, protobufMagic }: Dialect) {
    this.mediaType = protobufMediaType;
    this.watchType = `${protobufMediaType};stream=watch`;
    this.magic = protobufMagic;
  }

  object({ apiVersion, kind, schema }: WrittenKind, json: Buffer): Buffer {
    if (!schema) throw withoutSchema();
    const message = encodeMessage(schema, schema.decode(parseJson(json).value).object);
    return writeEnvelope({ apiVersion, kind, message }, this.magic);
  }

  /** A length prefix of four bytes, then the WatchEvent message. */
  event(type: EventName, object: Buffer): Buffer {
    const writer = new WireWriter(object.length + 64);
    writer.bytes(object);
    writer.delimit(1, 0);
    writer.delimit(2, 0);
    const before = writer.length;
    writer.text(type);
    writer.delimit(1, before);
    const { length } = writer;
    writer.bytes(Buffer.from([length >>> 24, length >>> 16, length >>> 8, length]));
    return writer.finish();
  }

  /** Collects all items first, because the envelope starts with their length. */
  *list(document: ListDocument, items: Iterable<Chunk>): Generator<Chunk, void> {
    const all: Buffer[] = [];
    let size = 0;
    for (const item of items) {
      if (item instanceof Pause) {
        yield item;
        continue;
      }
      all.push(item);
      size += item.length;
    }
    yield* this.around(document, size, all);
  }

  /** An item as a length-delimited field. */
  item(
    { item: schema, numbers = usualNumbers }: Pick<ListDocument, 'item' | 'numbers'>,
    json: Buffer,
  ): Buffer {
    if (!schema) throw withoutSchema();
    const writer = new WireWriter(json.length + 64);
    writeMessage(writer, schema, schema.decode(parseJson(json).value).object);
    writer.delimit(numbers.items, 0);
    return writer.finish();
  }

  /** A list of encoded items, `itemBytes` in all. */
  *around(document: ListDocument, itemBytes: number, items: Iterable<Chunk>): Generator<Chunk, void> {
    const { apiVersion, kind, metadata, numbers = usualNumbers } = document;
    const writer = new WireWriter(256);
    writeMessage(writer, ListMeta, metadata);
    writer.delimit(numbers.metadata, 0);
    const head = writer.finish();
    const envelope = encodeEnvelope({ apiVersion, kind }, head.length + itemBytes, this.magic);
    yield envelope.head;
    if (numbers.metadata < numbers.items) yield head;
    yield* items;
    if (numbers.metadata > numbers.items) yield head;
    yield envelope.tail;
  }
}

const withoutSchema = () => new Error('Protobuf requires a schema');

const usualNumbers = { metadata: 1, items: 2 };
