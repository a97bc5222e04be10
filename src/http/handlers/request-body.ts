// Chooses the decoder of a request body by its Content-Type.
import { unsupportedMediaType } from '../../errors/catalogue.ts';
import {
  type BodyForm,
  bodyIn,
  type ExpectedKind,
  jsonBody,
  type SentBody,
} from '../../serializers/sent-body.ts';
import { jsonType } from '../../transport/answer.ts';
import type { Exchange } from '../../transport/exchange.ts';

/**
 * The decoder of the body; JSON without a Content-Type. Throws 415 for media types that cannot be decoded: custom
 * resources have no Protobuf.
 */
export function bodyOfType(
  exchange: Exchange,
  body: Buffer,
  expected: ExpectedKind,
  isCustom = false,
): SentBody {
  const given = exchange.request.headers['content-type'];
  if (given === undefined || given === '' || given === jsonType) return jsonBody(body);
  const mediaType = given.split(';', 1)[0]!.trim().toLowerCase();
  const { mediaTypes, protobuf } = exchange.serializers;
  const readable = isCustom ? mediaTypes.filter((type) => type !== protobuf.mediaType) : mediaTypes;
  if (!readable.includes(mediaType)) throw unsupportedMediaType(readable);
  return bodyIn(formOf(mediaType, protobuf.mediaType), body, expected, protobuf.magic);
}

function formOf(mediaType: string, protobufType: string): BodyForm {
  if (mediaType === jsonType) return 'json';
  if (mediaType === protobufType) return 'protobuf';
  return mediaType === 'application/yaml' ? 'yaml' : 'cbor';
}
