import { builtinKinds } from '../../src/apis/index.ts';
import { decodeCbor } from '../../src/codec/cbor/decode.ts';
import type { JsonObject, JsonValue } from '../../src/codec/json/json-value.ts';
import { decodeMessage } from '../../src/codec/protobuf/decode.ts';
import { encodeMessage } from '../../src/codec/protobuf/encode.ts';
import { readEnvelope, writeEnvelope } from '../../src/codec/protobuf/envelope.ts';
import { WireReader } from '../../src/codec/protobuf/wire-reader.ts';
import { decodeYaml } from '../../src/codec/yaml/decode.ts';
import { orch } from '../../src/dialect/index.ts';
import { everyFeature } from '../../src/kind/features/everything.fixture.ts';
import type { Struct } from '../../src/schema/struct.ts';
import type { TestServer } from './client.ts';

export const json = 'application/json';
export const yaml = 'application/yaml';
export const protobuf = orch.protobufMediaType;
export const cbor = 'application/cbor';
export const asKind = (kind: string, version = 'v1') => `as=${kind};v=${version};g=${orch.groupName('meta')}`;

export interface RawResponse {
  readonly code: number;
  readonly type: string;
  readonly bytes: Buffer;
}

/** One request with a body of any bytes. */
export async function ask(
  server: TestServer,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string | Buffer,
): Promise<RawResponse> {
  const response = await fetch(server.url + path, { method, headers, ...(body !== undefined && { body }) });
  return {
    code: response.status,
    type: response.headers.get('content-type') ?? '',
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

const schemas = new Map(
  builtinKinds({ dialect: orch, features: everyFeature }).map(({ kind, schema }) => [kind, schema]),
);
export const schemaOf = (kind: string) => schemas.get(kind) as Struct<unknown>;

export function toProtobuf(kind: string, object: JsonObject): Buffer {
  const schema = schemaOf(kind);
  const message = encodeMessage(schema, schema.decode(object).object);
  return writeEnvelope({ apiVersion: 'v1', kind, message }, orch.protobufMagic);
}

export function fromProtobuf(bytes: Buffer): JsonObject {
  const { apiVersion, kind, message } = readEnvelope(bytes, orch.protobufMagic);
  return { kind, apiVersion, ...decodeMessage(schemaOf(kind), message) };
}

/** The items of a list in Protobuf, decoded one by one. */
export function itemsOfProtobuf(bytes: Buffer, kind: string): JsonObject[] {
  const reader = new WireReader(readEnvelope(bytes, orch.protobufMagic).message);
  const items: JsonObject[] = [];
  while (!reader.atEnd) {
    const { number } = reader.tag();
    const part = reader.bytes();
    if (number === 2) items.push(decodeMessage(schemaOf(kind), part));
  }
  return items;
}

/** The object in a response, in any media type. */
export function read({ type, bytes }: RawResponse): JsonValue {
  if (type.startsWith(yaml)) return decodeYaml(bytes).value;
  if (type.startsWith(protobuf)) return fromProtobuf(bytes);
  return type.startsWith(cbor) ? decodeCbor(bytes) : JSON.parse(bytes.toString());
}
