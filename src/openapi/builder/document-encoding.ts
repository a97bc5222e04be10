// OpenAPI document encoding: JSON or Protobuf, joined from encoded parts.
import type { Document, Schema } from './document.ts';
import type { Document2 } from './v2.ts';

export type DocumentFormat = 'json' | 'protobuf';

/** The frame of a document is what it has besides paths and schemas: of OpenAPI v2 (Document2) and v3 (Document). */
export type Frame2 = Omit<Document2, 'paths' | 'definitions'>;
export type Frame3 = Pick<Document, 'openapi' | 'info'>;

/** How to encode a document that is joined from encoded paths and schemas. `Item`: the path item of the OpenAPI version. */
export interface DocumentEncoding<Item, Frame> {
  /** Encodes some paths, so that the result can be joined with other paths. */
  paths(paths: Readonly<Record<string, Item>>): Buffer;
  /** Encodes some schemas, by name, in the same way. */
  schemas(schemas: Readonly<Record<string, Schema>>): Buffer;
  /** The bytes between two encoded groups of paths or of schemas; empty in Protobuf. */
  readonly separator: Buffer;
  /** Encodes the frame. It needs the lengths of the encoded paths and schemas, which Protobuf writes in front of them. */
  encodeFrame(frame: Frame, pathsLength: number, schemasLength: number): EncodedFrame;
}

interface EncodedFrame {
  readonly before: Buffer;
  readonly between: Buffer;
  readonly after: Buffer;
}
