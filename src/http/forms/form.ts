import type { JsonObject } from '../../codec/json/json-value.ts';
import type { Struct } from '../../schema/struct.ts';

/** A kind, with what has to be known to write an object of it in any form. */
export interface WrittenKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly schema: Struct<unknown>;
}

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

export interface ListMetadata {
  readonly resourceVersion?: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

export type EventName = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

/** A way to write objects down. All of them begin with an object's JSON: it is what is stored. */
export interface Form {
  readonly mediaType: string;
  /** What a watch in this form is called; undefined where there is none. */
  readonly watchType: string | undefined;
  /** A whole object. */
  object(kind: WrittenKind, json: Buffer): Buffer;
  /** One event of a watch, around an object written in this form. */
  event(type: EventName, object: Buffer): Buffer;
  /** The parts of a list, whose items come one by one and need not all be there at the same time. */
  list(document: ListDocument, items: Iterable<Buffer>): Iterable<Buffer>;
}

/** An item that asks for a turn of the event loop instead of being one. */
export const pause: Buffer = Buffer.alloc(0);
