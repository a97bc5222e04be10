// OpenAPI document encoding: JSON or Protobuf, joined from encoded parts.
import type { Document, Schema } from './document.ts';
import type { Document2 } from './v2.ts';

export type DocumentFormat = 'json' | 'protobuf';

/** A document without its paths and schemas. */
export type Frame2 = Omit<Document2, 'paths' | 'definitions'>;
export type Frame3 = Pick<Document, 'openapi' | 'info'>;

/** How to encode a document that is joined from encoded paths and schemas. */
export interface DocumentEncoding<Item, Frame> {
  /** Paths, and schemas, by name. */
  paths(paths: Readonly<Record<string, Item>>): Buffer;
  schemas(schemas: Readonly<Record<string, Schema>>): Buffer;
  /** The bytes between two parts. */
  readonly separator: Buffer;
  /** The bytes before, between and after the encoded paths and schemas. */
  encodeFrame(frame: Frame, pathsLength: number, schemasLength: number): EncodedFrame;
}

interface EncodedFrame {
  readonly before: Buffer;
  readonly between: Buffer;
  readonly after: Buffer;
}
