// The JSON and Protobuf encodings of OpenAPI v2 and v3.
import type { PathItem } from './document.ts';
import type { DocumentFormat, Encoding, Frame2, Frame3 } from './document-encoding.ts';
import { protobuf2 } from './protobuf/v2.ts';
import { protobuf3 } from './protobuf/v3.ts';
import type { PathItem2 } from './v2.ts';

/** The members of a JSON object, without its braces. */
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

export const encodings2: Readonly<Record<DocumentFormat, Encoding<PathItem2, Frame2>>> = {
  json: json2,
  protobuf: protobuf2,
};
export const encodings3: Readonly<Record<DocumentFormat, Encoding<PathItem, Frame3>>> = {
  json: json3,
  protobuf: protobuf3,
};
