import { unsupportedMediaType } from '../../errors/catalogue.ts';
import {
  cborBody,
  type ExpectedKind,
  jsonBody,
  protobufBody,
  type SentBody,
  yamlBody,
} from '../../resource/sent-body.ts';
import { jsonType } from '../answer.ts';
import type { Exchange } from '../exchange.ts';
import { headerOf } from '../headers.ts';

/** The body in the form it says it has. Throws 415 unless that can be read. Who does not say sends JSON. */
export function acceptedBody(exchange: Exchange, body: Buffer, expected: ExpectedKind): SentBody {
  const given = headerOf(exchange, 'content-type');
  if (given === undefined || given === '' || given === jsonType) return jsonBody(body);
  const mediaType = given.split(';', 1)[0]!.trim().toLowerCase();
  const { mediaTypes, protobuf } = exchange.forms;
  if (!mediaTypes.includes(mediaType)) throw unsupportedMediaType(mediaTypes);
  if (mediaType === jsonType) return jsonBody(body);
  if (mediaType === protobuf.mediaType) return protobufBody(body, expected, protobuf.magic);
  return mediaType === 'application/yaml' ? yamlBody(body) : cborBody(body);
}
