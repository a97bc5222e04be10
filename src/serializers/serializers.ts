// The serializers of one server, and what its endpoints offer to content negotiation.
import type { Dialect } from '../dialect/dialect.ts';
import type { ResourceDefinition } from '../kind/definition.ts';
import { cborSerializer } from './cbor-serializer.ts';
import { jsonSerializer } from './json-serializer.ts';
import type { Offer } from './negotiate.ts';
import { ProtobufSerializer } from './protobuf-serializer.ts';
import type { ItemNumbers, ListDocument, Serializer, WrittenKind } from './serializer.ts';
import { yamlSerializer } from './yaml-serializer.ts';

/** To write an object with so many bytes in another form would keep others waiting. */
export const large = 128 * 1024;

/** Another thread, where large objects are written. */
export interface SerializationWorker {
  /** Undefined where it cannot. `item`: it stands in a list. */
  write(
    mediaType: string,
    kind: WrittenKind,
    json: Buffer,
    item: ItemNumbers | undefined,
  ): Promise<Buffer | undefined>;
}

/** The forms in which one server writes and reads. */
export class Serializers {
  readonly protobuf: ProtobufSerializer;
  readonly isCborServed: boolean;
  /** Large answers are compressed for who can read that. */
  readonly isCompressed: boolean;
  /** For objects, in the order in which messages name them. */
  readonly mediaTypes: readonly string[];
  /** For everything that is no object of a resource: it is never CBOR. */
  readonly plainTypes: readonly string[];
  readonly watchTypes: readonly string[];
  /** What can be asked of objects: their kinds, only their metadata, or a Table. */
  readonly objects: Offer;
  /** The same for objects, and collections, of kinds that have no Protobuf. */
  readonly customObjects: Offer;
  readonly customCollections: Offer;
  /** The same for what is not stored. */
  readonly objectsButTables: Offer;
  /** The same for collections, which can be watched too. */
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
    // A watch in JSON is called by its bare name in the answer, and with a parameter in the list of what there is.
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

  /** What can be asked of objects of a kind. */
  objectsOf({ isCustom }: Pick<ResourceDefinition, 'isCustom'>): Offer {
    return isCustom ? this.customObjects : this.objects;
  }

  collectionsOf({ isCustom }: Pick<ResourceDefinition, 'isCustom'>): Offer {
    return isCustom ? this.customCollections : this.collections;
  }

  /** The form of a media type that was chosen from an offer of these forms. */
  of(mediaType: string): Serializer {
    const form = this.#byType.get(mediaType);
    if (!form) throw new Error(`${mediaType} was not negotiated`);
    return form;
  }

  /** An object in a form. A promise where it is large, and another thread writes it. */
  object(mediaType: string, kind: WrittenKind, json: Buffer): Buffer | Promise<Buffer> {
    const form = this.of(mediaType);
    const writing = this.#write(form, kind, json, undefined);
    return writing ? writing.then((written) => written ?? form.object(kind, json)) : form.object(kind, json);
  }

  /** The same of an item of a list. */
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

  /** Whether there are watches in this media type. */
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
