// The JSON and Protobuf encodings of OpenAPI v2 and v3.
import type { PathItem } from './document.ts';
import type { DocumentEncoding, DocumentFormat, Frame2, Frame3 } from './document-encoding.ts';
import { protobuf2 } from './protobuf/v2.ts';
import { protobuf3 } from './protobuf/v3.ts';
import type { PathItem2 } from './v2.ts';

/** The members of a JSON object, without its braces. */
const members = (value: object) => JSON.stringify(value).slice(1, -1);
const encodeMembers = (value: object) => Buffer.from(members(value));
const comma = Buffer.from(',');

const json2: DocumentEncoding<PathItem2, Frame2> = {
  paths: encodeMembers,
  schemas: encodeMembers,
  separator: comma,
  encodeFrame: ({ swagger, info, ...rest }) => ({
    before: Buffer.from(`{${members({ swagger, info })},"paths":{`),
    between: Buffer.from('},"definitions":{'),
    after: Buffer.from(`},${members(rest)}}`),
  }),
};

const json3: DocumentEncoding<PathItem, Frame3> = {
  paths: encodeMembers,
  schemas: encodeMembers,
  separator: comma,
  encodeFrame: (frame) => ({
    before: Buffer.from(`{${members(frame)},"paths":{`),
    between: Buffer.from('},"components":{"schemas":{'),
    after: Buffer.from('}}}'),
  }),
};

export const encodings2: Readonly<Record<DocumentFormat, DocumentEncoding<PathItem2, Frame2>>> = {
  json: json2,
  protobuf: protobuf2,
};
export const encodings3: Readonly<Record<DocumentFormat, DocumentEncoding<PathItem, Frame3>>> = {
  json: json3,
  protobuf: protobuf3,
};
