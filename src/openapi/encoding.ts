import type { Document, PathItem, Schema } from './document.ts';
import { protobuf2 } from './protobuf/v2.ts';
import { protobuf3 } from './protobuf/v3.ts';
import type { Document2, PathItem2 } from './v2.ts';

/** The forms in which documents are sent. */
export type Form = 'json' | 'protobuf';

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

export interface Surroundings {
  readonly before: Buffer;
  readonly between: Buffer;
  readonly after: Buffer;
}

/** What an object says, without its braces. */
const inside = (value: object) => JSON.stringify(value).slice(1, -1);
const entries = (value: object) => Buffer.from(inside(value));
const comma = Buffer.from(',');

const json2: Encoding<PathItem2, Frame2> = {
  paths: entries,
  schemas: entries,
  separator: comma,
  around: ({ swagger, info, ...rest }) => ({
    before: Buffer.from(`{${inside({ swagger, info })},"paths":{`),
    between: Buffer.from('},"definitions":{'),
    after: Buffer.from(`},${inside(rest)}}`),
  }),
};

const json3: Encoding<PathItem, Frame3> = {
  paths: entries,
  schemas: entries,
  separator: comma,
  around: (frame) => ({
    before: Buffer.from(`{${inside(frame)},"paths":{`),
    between: Buffer.from('},"components":{"schemas":{'),
    after: Buffer.from('}}}'),
  }),
};

export const encodings2: Readonly<Record<Form, Encoding<PathItem2, Frame2>>> = {
  json: json2,
  protobuf: protobuf2,
};
export const encodings3: Readonly<Record<Form, Encoding<PathItem, Frame3>>> = {
  json: json3,
  protobuf: protobuf3,
};
