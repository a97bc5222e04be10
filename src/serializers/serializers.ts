// The serializers of one server, and the offers of its endpoints to content negotiation.
import type { Dialect } from '../dialect/dialect.ts';
import type { ServedResource } from '../kind/registry.ts';
import { isCurrentEncoding } from '../kind/storage/codec.ts';
import type { RowTemplate, StoredRow } from '../kind/table/row-template.ts';
import type { TaskOwner } from '../request/task-owner.ts';
import { cborSerializer } from './cbor-serializer.ts';
import { jsonSerializer } from './json-serializer.ts';
import type { Offer } from './offer.ts';
import { ProtobufSerializer } from './protobuf-serializer.ts';
import type { EventName, ListDocument, SerializedKind, Serializer, Wrapping } from './serializer.ts';
import { yamlSerializer } from './yaml-serializer.ts';

/** Objects from this size on are serialized on a worker thread, except as JSON, which needs no conversion. */
export const minLargeBytes = 128 * 1024;
/** The same for YAML. Measured: it takes up to 200 µs per KB. */
const minLargeYamlBytes = 32 * 1024;

/** Serializes on worker threads. */
export interface SerializationWorker {
  /** Resolves to undefined if the worker lacks the schema. */
  write(
    mediaType: string,
    kind: SerializedKind,
    json: Buffer,
    wrapping: Wrapping | undefined,
    owner: TaskOwner,
  ): Promise<Buffer | undefined>;
  /** The JSON of a stored object in the version of `resource`. */
  inVersion(resource: ServedResource, stored: StoredRow, owner: TaskOwner): Promise<Buffer>;
  /** Renders the Table row of a stored object. */
  tableRow(resource: ServedResource, stored: StoredRow, owner: TaskOwner): Promise<RowTemplate>;
}

export interface SerializersOptions {
  /** The feature gate CBORServingAndStorage. */
  readonly isCborServed: boolean;
  /** The feature gate APIResponseCompression. */
  readonly isCompressed?: boolean;
  /** Absent: all objects are serialized on this thread. */
  readonly worker?: SerializationWorker | undefined;
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
  /** Offers for objects that are not stored, without Tables. */
  readonly unstoredObjects: Offer;
  /** Offers for collections, which can be watched. */
  readonly collections: Offer;
  /** Offers for a watch that announces the end of its initial events, which a Table cannot express. */
  readonly collectionsButTables: Offer;
  readonly #byMediaType: ReadonlyMap<string, Serializer>;
  readonly #worker: SerializationWorker | undefined;
  readonly #metaGroup: string;

  constructor(dialect: Dialect, { isCborServed, isCompressed = true, worker }: SerializersOptions) {
    this.#worker = worker;
    this.protobuf = new ProtobufSerializer(dialect);
    this.isCborServed = isCborServed;
    this.isCompressed = isCompressed;
    const withoutCbor = [jsonSerializer, yamlSerializer, this.protobuf];
    const allSerializers = isCborServed ? [...withoutCbor, cborSerializer] : withoutCbor;
    this.plainTypes = withoutCbor.map(({ mediaType }) => mediaType);
    this.mediaTypes = allSerializers.map(({ mediaType }) => mediaType);
    // The JSON watch type has no parameter in Content-Type, but has one in error messages.
    this.watchTypes = allSerializers.flatMap((serializer) =>
      serializer === jsonSerializer ? `${serializer.mediaType};stream=watch` : (serializer.watchType ?? []),
    );
    this.#byMediaType = new Map(allSerializers.map((serializer) => [serializer.mediaType, serializer]));
    this.#metaGroup = dialect.groupName('meta');
    this.objects = this.#offer(this.mediaTypes, { hasTables: true });
    this.unstoredObjects = this.#offer(this.mediaTypes, { hasTables: false });
    const routeTypes = [...this.mediaTypes, ...this.watchTypes];
    this.collections = this.#offer(routeTypes, { hasTables: true });
    this.collectionsButTables = this.#offer(routeTypes, { hasTables: false });
    const servesUnconverted = (mediaType: string) => mediaType !== this.protobuf.mediaType;
    this.customObjects = { ...this.objects, servesUnconverted };
    this.customCollections = { ...this.collections, servesUnconverted };
  }

  /** The serializer of a negotiated media type. */
  forMediaType(mediaType: string): Serializer {
    const serializer = this.#byMediaType.get(mediaType);
    if (!serializer) throw new Error(`${mediaType} was not negotiated`);
    return serializer;
  }

  /** Serializes an object; large ones on a worker thread. */
  object(mediaType: string, kind: SerializedKind, json: Buffer, owner: TaskOwner): Buffer | Promise<Buffer> {
    const serializer = this.forMediaType(mediaType);
    const serialized = this.#serializeOnWorker(serializer, kind, json, undefined, owner);
    return serialized
      ? serialized.then((bytes) => bytes ?? serializer.object(kind, json))
      : serializer.object(kind, json);
  }

  /** The Table row of a large object, rendered on a worker thread; undefined if this thread should render it. */
  tableRow(resource: ServedResource, stored: StoredRow, owner: TaskOwner): Promise<RowTemplate> | undefined {
    return stored.json.length < minLargeBytes ? undefined : this.#worker?.tableRow(resource, stored, owner);
  }

  /**
   * A large stored object, converted to the version of `resource` on a worker thread. Undefined if it needs no conversion, or
   * this thread should convert it.
   */
  inVersion(resource: ServedResource, stored: StoredRow, owner: TaskOwner): Promise<StoredRow> | undefined {
    if (!this.#worker || isCurrentEncoding(resource, stored.schemaFingerprint)) return undefined;
    if (stored.json.length < minLargeBytes) return undefined;
    const { key } = stored;
    const { fingerprint: schemaFingerprint } = resource.definition.schema;
    return this.#worker.inVersion(resource, stored, owner).then((json) => ({ key, json, schemaFingerprint }));
  }

  /** Serializes a list item; large ones on a worker thread. */
  item(
    serializer: Serializer,
    kind: SerializedKind,
    document: ListDocument,
    json: Buffer,
    owner: TaskOwner,
  ): Buffer | Promise<Buffer> {
    const { fieldNumbers } = document;
    const wrapping = { item: fieldNumbers ? { fieldNumbers } : {} };
    const serialized = this.#serializeOnWorker(serializer, kind, json, wrapping, owner);
    return serialized
      ? serialized.then((bytes) => bytes ?? serializer.item(document, json))
      : serializer.item(document, json);
  }

  /** Serializes a watch event; that of a large object on a worker thread. */
  event(
    serializer: Serializer,
    kind: SerializedKind,
    type: EventName,
    json: Buffer,
    owner: TaskOwner,
  ): Buffer | Promise<Buffer> {
    const serializeHere = () => serializer.event(type, serializer.object(kind, json));
    const serialized = this.#serializeOnWorker(serializer, kind, json, { event: type }, owner);
    return serialized ? serialized.then((bytes) => bytes ?? serializeHere()) : serializeHere();
  }

  /** Whether there is a worker thread for large objects. */
  get hasWorker(): boolean {
    return this.#worker !== undefined;
  }

  /** Undefined if this thread should serialize; resolves to undefined if the worker lacks the schema. */
  #serializeOnWorker(
    serializer: Serializer,
    kind: SerializedKind,
    json: Buffer,
    wrapping: Wrapping | undefined,
    owner: TaskOwner,
  ): Promise<Buffer | undefined> | undefined {
    const minBytes = serializer === yamlSerializer ? minLargeYamlBytes : minLargeBytes;
    if (json.length < minBytes || serializer === jsonSerializer) return undefined;
    return this.#worker?.write(serializer.mediaType, kind, json, wrapping, owner);
  }

  /** Whether this media type has watches. */
  readonly hasWatch = (mediaType: string): boolean =>
    this.#byMediaType.get(mediaType)?.watchType !== undefined;

  #offer(routeTypes: readonly string[], { hasTables }: { readonly hasTables: boolean }): Offer {
    return {
      mediaTypes: this.mediaTypes,
      routeTypes,
      hasWatch: this.hasWatch,
      converts: ({ kind, group, version }, mediaType) => {
        if (group !== this.#metaGroup || (version !== 'v1' && version !== 'v1beta1')) return false;
        if (kind === 'Table')
          return (
            hasTables && (mediaType === jsonSerializer.mediaType || mediaType === yamlSerializer.mediaType)
          );
        return kind === 'PartialObjectMetadata' || kind === 'PartialObjectMetadataList';
      },
    };
  }
}
