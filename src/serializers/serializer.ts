// The interface of a serializer: objects, lists and watch events in one media type.
import type { Chunk } from '../base/chunk.ts';
import type { JsonObject } from '../codec/json/json-value.ts';
import type { Struct } from '../schema/struct.ts';

/** A kind, with what has to be known to write an object of it in any form. */
export interface WrittenKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** Undefined where the form makes nothing of it. */
  readonly schema: Struct<unknown> | undefined;
  /** How another thread finds the schema; undefined where it cannot. */
  readonly readAs?: ReadAs;
}

/** Where the schema of a kind is found: that of a kind of the server's own, that of bare metadata, or none. */
type ReadAs =
  | { readonly group: string; readonly version: string; readonly plural: string }
  | 'metadata'
  | 'anything';

/** A kind as another thread is told of it. */
export type SentKind = Pick<WrittenKind, 'apiVersion' | 'kind'> & { readonly readAs: ReadAs };

/** A list, or something that holds many like one: what stands around the items. */
export interface ListDocument {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: ListMetadata;
  /** What comes between the metadata and the items. */
  readonly more?: JsonObject;
  readonly field: 'items' | 'rows';
  /** Their schema; what has none is not written as Protobuf. */
  readonly item?: Struct<unknown>;
  /** The items' JSON when there are none. */
  readonly none: '[]' | 'null';
  /** The numbers of metadata and items in Protobuf. */
  readonly numbers?: { readonly metadata: number; readonly items: number };
}

/** What an item's form depends on beside its schema. */
export type ItemNumbers = Pick<ListDocument, 'numbers'>;

export interface ListMetadata {
  readonly resourceVersion?: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

export type EventName = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

/** A way to write objects down. All of them begin with an object's JSON: it is what is stored. */
export interface Serializer {
  readonly mediaType: string;
  /** What a watch in this form is called; undefined where there is none. */
  readonly watchType: string | undefined;
  /** A whole object. */
  object(kind: WrittenKind, json: Buffer): Buffer;
  /** One event of a watch, around an object written in this form. */
  event(type: EventName, object: Buffer): Buffer;
  /** An object as an item of a list. */
  item(document: Pick<ListDocument, 'item' | 'numbers'>, json: Buffer): Buffer;
  /** The chunks of a list. The encoded items are read one by one, so they need not all be in memory. */
  list(document: ListDocument, items: Iterable<Chunk>): Iterable<Chunk>;
}
