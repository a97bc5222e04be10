// Media types of request bodies, and an object encoded in each of them.
import { encodeCbor, selfDescription } from '../../src/codec/cbor/encode.ts';
import type { JsonObject } from '../../src/codec/json/json-value.ts';
import { encodeMessage } from '../../src/codec/protobuf/encode.ts';
import { writeEnvelope } from '../../src/codec/protobuf/envelope.ts';
import { encodeYaml } from '../../src/codec/yaml/encode.ts';
import { orch } from '../../src/dialect/index.ts';
import type { Struct } from '../../src/schema/struct.ts';

export const formats = ['json', 'yaml', 'cbor', 'protobuf'] as const;
export type Format = (typeof formats)[number];

export const mediaTypes: Readonly<Record<Format, string>> = {
  json: 'application/json',
  yaml: 'application/yaml',
  cbor: 'application/cbor',
  protobuf: orch.protobufMediaType,
};

interface EncodedKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly schema: Struct<unknown> | undefined;
}

/** Encodes the JSON text of an object. Returns undefined if the format cannot carry it. */
export function encodeBody(text: string, format: Format, kind: EncodedKind): Buffer | undefined {
  if (format === 'json') return Buffer.from(text);
  const object = JSON.parse(text) as JsonObject;
  if (format === 'yaml') return Buffer.from(encodeYaml(object));
  if (format === 'cbor') return Buffer.concat([selfDescription, encodeCbor(object, kind.schema)]);
  return kind.schema && encodeProtobuf(object, kind.schema, kind);
}

/** Values that the schema cannot decode cannot be encoded either. */
function encodeProtobuf(
  object: JsonObject,
  schema: Struct<unknown>,
  { apiVersion, kind }: EncodedKind,
): Buffer | undefined {
  try {
    const message = encodeMessage(schema, schema.decode(object).object);
    return writeEnvelope({ apiVersion, kind, message }, orch.protobufMagic);
  } catch {
    return undefined;
  }
}
