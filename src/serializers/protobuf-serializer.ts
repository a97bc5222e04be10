// Protobuf serializer: objects in the runtime.Unknown envelope.
import { type Chunk, Pause } from '../base/chunk.ts';
import { parseJson } from '../codec/json/parse.ts';
import { encodeMessage, writeMessage } from '../codec/protobuf/encode.ts';
import { encodeEnvelope, writeEnvelope } from '../codec/protobuf/envelope.ts';
import { WireWriter } from '../codec/protobuf/wire-writer.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { ListMeta } from '../kind/meta/list-meta.ts';
import type { EventName, ListDocument, SerializedKind, Serializer } from './serializer.ts';

export class ProtobufSerializer implements Serializer {
  readonly mediaType: string;
  readonly watchType: string;
  readonly magic: string;

  constructor({ protobufMediaType, protobufMagic }: Dialect) {
    this.mediaType = protobufMediaType;
    this.watchType = `${protobufMediaType};stream=watch`;
    this.magic = protobufMagic;
  }

  object({ apiVersion, kind, schema }: SerializedKind, json: Buffer): Buffer {
    if (!schema) throw missingSchemaError();
    const message = encodeMessage(schema, schema.decode(parseJson(json).value).object);
    return writeEnvelope({ apiVersion, kind, message }, this.magic);
  }

  /**
   * A length prefix of four bytes, then the WatchEvent message: `type` is field 1, and `object` field 2, a RawExtension
   * whose field 1 is the encoded object. WireWriter writes from the end to the start, so the last part comes first.
   */
  event(type: EventName, object: Buffer): Buffer {
    const writer = new WireWriter(object.length + 64);
    writer.bytes(object);
    writer.delimit(1, 0);
    writer.delimit(2, 0);
    const start = writer.length;
    writer.text(type);
    writer.delimit(1, start);
    const { length } = writer;
    writer.bytes(Buffer.from([length >>> 24, length >>> 16, length >>> 8, length]));
    return writer.finish();
  }

  /** Collects all items first, because the envelope starts with their length. */
  *list(document: ListDocument, items: Iterable<Chunk>): Generator<Chunk, void> {
    const buffered: Buffer[] = [];
    let itemBytes = 0;
    for (const item of items) {
      if (item instanceof Pause) {
        yield item;
        continue;
      }
      buffered.push(item);
      itemBytes += item.length;
    }
    yield* this.wrapItems(document, itemBytes, buffered);
  }

  /** An item as a length-delimited field. */
  item(
    {
      itemSchema: schema,
      fieldNumbers = defaultFieldNumbers,
    }: Pick<ListDocument, 'itemSchema' | 'fieldNumbers'>,
    json: Buffer,
  ): Buffer {
    if (!schema) throw missingSchemaError();
    const writer = new WireWriter(json.length + 64);
    writeMessage(writer, schema, schema.decode(parseJson(json).value).object);
    writer.delimit(fieldNumbers.items, 0);
    return writer.finish();
  }

  /** A list of encoded items, `itemBytes` in all. */
  *wrapItems(document: ListDocument, itemBytes: number, items: Iterable<Chunk>): Generator<Chunk, void> {
    const { apiVersion, kind, metadata, fieldNumbers = defaultFieldNumbers } = document;
    const writer = new WireWriter(256);
    writeMessage(writer, ListMeta, metadata);
    writer.delimit(fieldNumbers.metadata, 0);
    const metadataField = writer.finish();
    const envelope = encodeEnvelope({ apiVersion, kind }, metadataField.length + itemBytes, this.magic);
    yield envelope.head;
    if (fieldNumbers.metadata < fieldNumbers.items) yield metadataField;
    yield* items;
    if (fieldNumbers.metadata > fieldNumbers.items) yield metadataField;
    yield envelope.tail;
  }
}

const missingSchemaError = () => new Error('Protobuf requires a schema');

const defaultFieldNumbers = { metadata: 1, items: 2 };
