// How an OpenAPI document is encoded: JSON or Protobuf, joined from encoded parts.
import type { Document, Schema } from './document.ts';
import type { Document2 } from './v2.ts';

/** The forms in which documents are sent. */
export type DocumentFormat = 'json' | 'protobuf';

/** A document but for its paths and schemas. */
export type Frame2 = Omit<Document2, 'paths' | 'definitions'>;
export type Frame3 = Pick<Document, 'openapi' | 'info'>;

/** How a document is written that is put together from pieces of its paths and of its schemas. */
export interface Encoding<Item, Frame> {
  /** Several paths, and several schemas, by their names. */
  paths(paths: Readonly<Record<string, Item>>): Buffer;
  schemas(schemas: Readonly<Record<string, Schema>>): Buffer;
  /** What stands between two pieces. */
  readonly separator: Buffer;
  /** What stands around the paths and the schemas, of which there are so many bytes. */
  around(frame: Frame, pathsLength: number, schemasLength: number): Surroundings;
}

interface Surroundings {
  readonly before: Buffer;
  readonly between: Buffer;
  readonly after: Buffer;
}
