import type { Dialect } from '../../dialect/dialect.ts';
import { unsupportedMediaType } from '../../errors/catalogue.ts';
import { jsonType } from '../answer.ts';
import type { Exchange } from '../exchange.ts';
import { headerOf } from '../headers.ts';
import type { Offer } from '../negotiate.ts';
import { type ExpectedKind, jsonFromProtobuf } from './protobuf-body.ts';

/** The media types objects are written in. */
const forms = [jsonType];

export const answerForms: Offer = { types: forms, representations: forms };

/** The body as JSON. Throws 415 unless it is in a form that can be read. Who does not say sends JSON. */
export function acceptedBody(
  exchange: Exchange,
  body: Buffer,
  { protobufMediaType, protobufMagic }: Dialect,
  expected: ExpectedKind,
): Buffer {
  const given = headerOf(exchange, 'content-type');
  if (given === undefined || given === '' || given === jsonType) return body;
  const mediaType = given.split(';', 1)[0]!.trim().toLowerCase();
  if (mediaType === jsonType) return body;
  if (mediaType === protobufMediaType) return jsonFromProtobuf(body, expected, protobufMagic);
  throw unsupportedMediaType([jsonType, protobufMediaType]);
}
