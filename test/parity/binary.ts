import { Scale } from '../../src/apis/autoscaling/scale.ts';
import { builtinKinds } from '../../src/apis/index.ts';
import { decodeCbor } from '../../src/codec/cbor/decode.ts';
import { encodeCbor, selfDescription } from '../../src/codec/cbor/encode.ts';
import { CborError, endOfItem } from '../../src/codec/cbor/wire.ts';
import type { JsonObject } from '../../src/codec/json/json-value.ts';
import { stringifyJson } from '../../src/codec/json/stringify.ts';
import { decodeMessage } from '../../src/codec/protobuf/decode.ts';
import { encodeMessage } from '../../src/codec/protobuf/encode.ts';
import { readEnvelope, writeEnvelope } from '../../src/codec/protobuf/envelope.ts';
import { WireReader } from '../../src/codec/protobuf/wire-reader.ts';
import { kubernetes } from '../../src/dialect/index.ts';
import { everyFeature } from '../../src/kind/features/everything.fixture.ts';
import { APIGroupDiscoveryList } from '../../src/kind/meta/aggregated-discovery.ts';
import { APIGroup, APIGroupList, APIVersions } from '../../src/kind/meta/discovery.ts';
import { ListMeta } from '../../src/kind/meta/list-meta.ts';
import { PartialObjectMetadata } from '../../src/kind/meta/partial-object-metadata.ts';
import { Status } from '../../src/kind/meta/status.ts';
import { typeMeta } from '../../src/kind/meta/type-meta.ts';
import { list } from '../../src/schema/collections.ts';
import { field, type Struct, struct } from '../../src/schema/struct.ts';

/**
 * Binary responses as JSON, so that they are compared like any other. `@bytes` is whether the response has exactly the
 * bytes that the schema gives for it.
 */

const magic = kubernetes.protobufMagic;

const schemas = new Map<string, Struct<unknown>>([
  ...builtinKinds({ dialect: kubernetes, features: everyFeature }).flatMap(
    ({ group, version, kind, schema }) =>
      withList(kubernetes.apiVersion(group, version), kind, schema as Struct<unknown>),
  ),
  ...withList('meta.k8s.io/v1', 'PartialObjectMetadata', PartialObjectMetadata as Struct<unknown>),
  ['autoscaling/v1 Scale', Scale as Struct<unknown>],
  ['v1 Status', Status as Struct<unknown>],
  [' APIVersions', APIVersions as Struct<unknown>],
  ['v1 APIGroup', APIGroup as Struct<unknown>],
  ['v1 APIGroupList', APIGroupList as Struct<unknown>],
  ['apidiscovery.k8s.io/v2 APIGroupDiscoveryList', APIGroupDiscoveryList as Struct<unknown>],
]);

function withList(apiVersion: string, kind: string, item: Struct<unknown>): [string, Struct<unknown>][] {
  const many = struct(`parity/v1.${kind}List`, {
    ...typeMeta,
    metadata: field(1, ListMeta),
    items: field(2, list(item)),
  });
  return [
    [`${apiVersion} ${kind}`, item],
    [`${apiVersion} ${kind}List`, many as Struct<unknown>],
  ];
}

function fromProtobuf(body: Buffer): JsonObject {
  const { apiVersion, kind, message } = readEnvelope(body, magic);
  const schema = schemas.get(`${apiVersion} ${kind}`);
  if (!schema) return { apiVersion, kind, '@bytes': message.toString('base64') };
  const { object } = schema.decode(decodeMessage(schema, message));
  const again = writeEnvelope({ apiVersion, kind, message: encodeMessage(schema, object) }, magic);
  const json = JSON.parse(schema.write(object)) as JsonObject;
  return { ...json, apiVersion, kind, '@bytes': again.equals(body) ? 'as the schema says' : 'others' };
}

function fromCbor(body: Buffer): JsonObject {
  const value = decodeCbor(body) as JsonObject;
  const schema = schemas.get(`${value.apiVersion} ${value.kind}`);
  // The order of keys is free, so only the length can be compared.
  const length = selfDescription.length + encodeCbor(value, schema).length;
  return { ...value, '@bytes': length === body.length ? 'as many as the schema says' : 'another number' };
}

const isProtobuf = (contentType: string) => contentType.includes('protobuf');
export const isBinary = (contentType: string) => isProtobuf(contentType) || contentType.includes('cbor');

/** A complete binary body. */
export function readBinary(body: Buffer, contentType: string): string {
  try {
    return `${stringifyJson(isProtobuf(contentType) ? fromProtobuf(body) : fromCbor(body))}\n`;
  } catch (error) {
    return `unreadable (${String(error)}): ${body.toString('hex')}`;
  }
}

/** The events of a binary watch received so far. */
export function readBinaryEvents(bytes: Buffer, contentType: string): string[] {
  return isProtobuf(contentType) ? protobufEvents(bytes) : cborEvents(bytes);
}

function protobufEvents(bytes: Buffer): string[] {
  const events: string[] = [];
  for (let at = 0; at + 4 <= bytes.length; ) {
    const end = at + 4 + bytes.readUInt32BE(at);
    if (end > bytes.length) break;
    const event = { type: '', object: {} as JsonObject };
    const reader = new WireReader(bytes.subarray(at + 4, end));
    while (!reader.atEnd) {
      if (reader.tag().number === 1) event.type = reader.string();
      else {
        const raw = new WireReader(reader.bytes());
        raw.tag();
        event.object = fromProtobuf(raw.bytes());
      }
    }
    events.push(stringifyJson(event));
    at = end;
  }
  return events;
}

function cborEvents(bytes: Buffer): string[] {
  const events: string[] = [];
  try {
    for (let at = 0; at < bytes.length; ) {
      const end = endOfItem(bytes, at);
      events.push(withReadableBlueprint(stringifyJson(decodeCbor(bytes.subarray(at, end)))));
      at = end;
    }
  } catch (error) {
    if (!(error instanceof CborError)) throw error;
  }
  return events;
}

/** Embedded CBOR, in base64, has its keys in any order as well. */
function withReadableBlueprint(event: string): string {
  return event.replace(/"(2dn3[A-Za-z0-9+/=]*)"/g, (_, encoded: string) => {
    const blueprint = decodeCbor(Buffer.from(encoded, 'base64')) as JsonObject;
    return JSON.stringify(JSON.stringify(blueprint, Object.keys(blueprint).sort()));
  });
}
