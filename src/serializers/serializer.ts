// The interface of a serializer: objects, lists and watch events in one media type.
import type { Chunk } from '../base/chunk.ts';
import type { JsonObject } from '../codec/json/json-value.ts';
import type { Struct } from '../schema/struct.ts';

export interface SerializedKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** Undefined if no media type needs it. */
  readonly schema: Struct<unknown> | undefined;
  /** How a worker thread finds the schema; absent if it cannot. */
  readonly schemaReference?: SchemaReference;
}

/** The schema of a built-in kind, of PartialObjectMetadata (`metadata`), or none (`anything`: needs no schema). */
type SchemaReference =
  | { readonly group: string; readonly version: string; readonly plural: string }
  | 'metadata'
  | 'anything';

/** A kind in a message to a worker thread. */
export type TransferredKind = Pick<SerializedKind, 'apiVersion' | 'kind'> & {
  readonly schemaReference: SchemaReference;
};

/** A list or Table without its items. */
export interface ListDocument {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: ListMetadata;
  /** Fields between the metadata and the items. */
  readonly extraFields?: JsonObject;
  readonly itemsField: 'items' | 'rows';
  /** The schema of an item, which Protobuf requires. */
  readonly itemSchema?: Struct<unknown>;
  /** The JSON of an empty list's items. */
  readonly emptyItems: '[]' | 'null';
  /** The Protobuf field numbers of metadata and items. */
  readonly fieldNumbers?: { readonly metadata: number; readonly items: number };
}

/** The part of a ListDocument that a worker thread needs to encode an object as a list item. */
type ItemNumbers = Pick<ListDocument, 'fieldNumbers'>;

export interface ListMetadata {
  readonly resourceVersion?: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/** How an encoded object is wrapped: as an item of a list, or in a watch event. */
export type Wrapping = { readonly item: ItemNumbers } | { readonly event: EventName };

export type EventName = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

/** Every serializer starts from an object's JSON, the form in which objects are stored. */
export interface Serializer {
  readonly mediaType: string;
  /** The media type of a watch; undefined if there is none. */
  readonly watchType: string | undefined;
  object(kind: SerializedKind, json: Buffer): Buffer;
  /** A watch event around an encoded object. */
  event(type: EventName, object: Buffer): Buffer;
  /** An object as a list item. */
  item(document: Pick<ListDocument, 'itemSchema' | 'fieldNumbers'>, json: Buffer): Buffer;
  /** The chunks of a list. The encoded items are read one by one, so they need not all be in memory. */
  list(document: ListDocument, items: Iterable<Chunk>): Iterable<Chunk>;
}
