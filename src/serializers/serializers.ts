// The serializers of one server, and what its endpoints offer to content negotiation.
import type { Dialect } from '../dialect/dialect.ts';
import { cborSerializer } from './cbor-serializer.ts';
import { jsonSerializer } from './json-serializer.ts';
import type { Offer } from './offer.ts';
import { ProtobufSerializer } from './protobuf-serializer.ts';
import type { ItemNumbers, ListDocument, Serializer, WrittenKind } from './serializer.ts';
import { yamlSerializer } from './yaml-serializer.ts';

/** Objects from this size on are serialized on a worker thread, unless as JSON. */
export const large = 128 * 1024;

export interface SerializationWorker {
  /** Undefined if the worker cannot. `item`: encode a list item. */
  write(
    mediaType: string,
    kind: WrittenKind,
    json: Buffer,
    item: ItemNumbers | undefined,
  ): Promise<Buffer | undefined>;
}

export class Serializers {
  readonly protobuf: ProtobufSerializer;
  readonly isCborServed: boolean;
  /** The feature gate APIResponseCompression. */
  readonly isCompressed: boolean;
  /** Media types of objects, in the order of error messages. */
  readonly mediaTypes: readonly string[];
  /** Media types of everything that is no resource: never CBOR. */
  readonly plainTypes: readonly string[];
  readonly watchTypes: readonly string[];
  /** Offers for objects: the kind itself, PartialObjectMetadata, or a Table. */
  readonly objects: Offer;
  /** Offers for custom resources, which have no Protobuf. */
  readonly customObjects: Offer;
  readonly customCollections: Offer;
  /** Offers for objects that are not stored. */
  readonly objectsButTables: Offer;
  /** Offers for collections, which can be watched. */
  readonly collections: Offer;
  readonly collectionsButTables: Offer;
  readonly #byType: ReadonlyMap<string, Serializer>;
  readonly #elsewhere: SerializationWorker | undefined;
  readonly #metaGroup: string;

  constructor(dialect: Dialect, isCborServed: boolean, isCompressed = true, elsewhere?: SerializationWorker) {
    this.#elsewhere = elsewhere;
    this.protobuf = new ProtobufSerializer(dialect);
    this.isCborServed = isCborServed;
    this.isCompressed = isCompressed;
    const plain = [jsonSerializer, yamlSerializer, this.protobuf];
    const all = isCborServed ? [...plain, cborSerializer] : plain;
    this.plainTypes = plain.map(({ mediaType }) => mediaType);
    this.mediaTypes = all.map(({ mediaType }) => mediaType);
    // The JSON watch type has no parameter in Content-Type, but has one in error messages.
    this.watchTypes = all.flatMap((form) =>
      form === jsonSerializer ? `${form.mediaType};stream=watch` : (form.watchType ?? []),
    );
    this.#byType = new Map(all.map((form) => [form.mediaType, form]));
    this.#metaGroup = dialect.groupName('meta');
    this.objects = this.#offer(this.mediaTypes, true);
    this.objectsButTables = this.#offer(this.mediaTypes, false);
    const claimed = [...this.mediaTypes, ...this.watchTypes];
    this.collections = this.#offer(claimed, true);
    this.collectionsButTables = this.#offer(claimed, false);
    const showsItself = (type: string) => type !== this.protobuf.mediaType;
    this.customObjects = { ...this.objects, showsItself };
    this.customCollections = { ...this.collections, showsItself };
  }

  /** The serializer of a negotiated media type. */
  of(mediaType: string): Serializer {
    const form = this.#byType.get(mediaType);
    if (!form) throw new Error(`${mediaType} was not negotiated`);
    return form;
  }

  /** Serializes an object; large ones on a worker thread. */
  object(mediaType: string, kind: WrittenKind, json: Buffer): Buffer | Promise<Buffer> {
    const form = this.of(mediaType);
    const writing = this.#write(form, kind, json, undefined);
    return writing ? writing.then((written) => written ?? form.object(kind, json)) : form.object(kind, json);
  }

  /** Serializes a list item; large ones on a worker thread. */
  item(form: Serializer, kind: WrittenKind, document: ListDocument, json: Buffer): Buffer | Promise<Buffer> {
    const { numbers } = document;
    const writing = this.#write(form, kind, json, numbers ? { numbers } : {});
    return writing
      ? writing.then((written) => written ?? form.item(document, json))
      : form.item(document, json);
  }

  #write(
    form: Serializer,
    kind: WrittenKind,
    json: Buffer,
    item: ItemNumbers | undefined,
  ): Promise<Buffer | undefined> | undefined {
    if (json.length < large || form === jsonSerializer) return undefined;
    return this.#elsewhere?.write(form.mediaType, kind, json, item);
  }

  /** Whether this media type has watches. */
  readonly streams = (type: string): boolean => this.#byType.get(type)?.watchType !== undefined;

  #offer(representations: readonly string[], tables: boolean): Offer {
    return {
      types: this.mediaTypes,
      representations,
      streams: this.streams,
      shows: ({ kind, group, version }, type) => {
        if (group !== this.#metaGroup || (version !== 'v1' && version !== 'v1beta1')) return false;
        if (kind === 'Table')
          return tables && (type === jsonSerializer.mediaType || type === yamlSerializer.mediaType);
        return kind === 'PartialObjectMetadata' || kind === 'PartialObjectMetadataList';
      },
    };
  }
}
