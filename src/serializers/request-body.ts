// Decoders of request bodies by Content-Type, with upstream's error messages for undecodable bodies.
import { decodeCbor } from '../codec/cbor/decode.ts';
import { CborError } from '../codec/cbor/wire.ts';
import type { JsonValue } from '../codec/json/json-value.ts';
import { JsonSyntaxError, type ParsedJson } from '../codec/json/parse.ts';
import { parseCompactJson } from '../codec/json/parse-compact.ts';
import { stringifyJson } from '../codec/json/stringify.ts';
import { decodeMessage } from '../codec/protobuf/decode.ts';
import { readEnvelope } from '../codec/protobuf/envelope.ts';
import { ProtobufError } from '../codec/protobuf/wire-reader.ts';
import { decodeYaml } from '../codec/yaml/decode.ts';
import { YamlError } from '../codec/yaml/yaml-error.ts';
import { unsupportedMediaType } from '../errors/catalogue.ts';
import type { HttpRequest } from '../request/http-request.ts';
import { jsonTypeOf } from '../schema/decoding.ts';
import type { Struct } from '../schema/struct.ts';
import { jsonSerializer } from './json-serializer.ts';
import type { Serializers } from './serializers.ts';

export type BodyFormat = 'json' | 'yaml' | 'cbor' | 'protobuf';

/** A request body and its decoder. */
export interface RequestBody {
  readonly source: Buffer;
  /** Absent for a body that the server built itself. */
  readonly format?: BodyFormat;
  /** Throws UndecodableBody or SchemaMismatch. */
  parse(): ParsedBody;
  /** The error text for a value that is no object. */
  notAnObjectMessage(value: JsonValue): string;
  /** The error text for a kind or apiVersion that is no string. */
  invalidTypeMetaMessage(field: 'kind' | 'apiVersion', value: JsonValue): string;
}

export interface ParsedBody extends ParsedJson {
  /** Error texts of duplicate keys, for formats that report them while parsing. */
  readonly duplicateKeys?: readonly string[];
}

/** The body cannot be decoded, so its kind is unknown. */
export class UndecodableBody extends Error {}

/** The body does not fit the schema of its kind. */
export class SchemaMismatch extends Error {}

/** The kind that the URL demands. Protobuf can only be decoded with its schema. */
export interface ExpectedKind {
  /** Undefined for options, which every group version has. */
  readonly apiVersion: string | undefined;
  readonly kind: string;
  readonly schema: Struct<unknown>;
}

/** The Go type that upstream decodes kind and apiVersion into, as its error messages print it. */
const typeMetaGoType =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

const jsonNotAnObjectMessage = (value: JsonValue) =>
  `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type ${typeMetaGoType}`;

const jsonInvalidTypeMetaMessage = (field: string, value: JsonValue) =>
  `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonTypeOf(value)} into Go struct field .${field} of type string`;

/**
 * The decoder of the body; JSON without a Content-Type. Throws 415 for media types that cannot be decoded: custom
 * resources have no Protobuf.
 */
export function bodyByContentType(
  { request, serializers }: Pick<HttpRequest, 'request'> & { readonly serializers: Serializers },
  body: Buffer,
  expected: ExpectedKind,
  isCustom = false,
): RequestBody {
  const contentType = request.headers['content-type'];
  if (contentType === undefined || contentType === '' || contentType === jsonSerializer.mediaType)
    return jsonBody(body);
  const mediaType = contentType.split(';', 1)[0]!.trim().toLowerCase();
  const { mediaTypes, protobuf } = serializers;
  const decodableTypes = isCustom ? mediaTypes.filter((type) => type !== protobuf.mediaType) : mediaTypes;
  if (!decodableTypes.includes(mediaType)) throw unsupportedMediaType(decodableTypes);
  return bodyInFormat(formatOf(mediaType, protobuf.mediaType), body, expected, protobuf.magic);
}

function formatOf(mediaType: string, protobufType: string): BodyFormat {
  if (mediaType === jsonSerializer.mediaType) return 'json';
  if (mediaType === protobufType) return 'protobuf';
  return mediaType === 'application/yaml' ? 'yaml' : 'cbor';
}

export function bodyInFormat(
  format: BodyFormat,
  source: Buffer,
  expected: ExpectedKind,
  magic: string,
): RequestBody {
  switch (format) {
    case 'json':
      return jsonBody(source);
    case 'yaml':
      return yamlBody(source);
    case 'cbor':
      return cborBody(source);
    case 'protobuf':
      return protobufBody(source, expected, magic);
  }
}

export function jsonBody(source: Buffer): RequestBody {
  return {
    source,
    format: 'json',
    notAnObjectMessage: jsonNotAnObjectMessage,
    invalidTypeMetaMessage: jsonInvalidTypeMetaMessage,
    parse: () =>
      decodeWith(
        () => parseCompactJson(source),
        JsonSyntaxError,
        ({ message }) => new UndecodableBody(`couldn't get version/kind; json parse error: ${message}`),
      ),
  };
}

/** A body that the server built itself, treated as JSON. `parse` returns the value without a copy. */
export function inMemoryBody(value: JsonValue): RequestBody {
  return {
    get source() {
      return Buffer.from(stringifyJson(value));
    },
    notAnObjectMessage: jsonNotAnObjectMessage,
    invalidTypeMetaMessage: jsonInvalidTypeMetaMessage,
    parse: () => ({ value }),
  };
}

export function yamlBody(source: Buffer): RequestBody {
  return {
    source,
    format: 'yaml',
    notAnObjectMessage: jsonNotAnObjectMessage,
    invalidTypeMetaMessage: jsonInvalidTypeMetaMessage,
    parse: () =>
      decodeWith(
        () => decodeYaml(source),
        YamlError,
        ({ message }) => new UndecodableBody(message),
      ),
  };
}

function cborBody(source: Buffer): RequestBody {
  return {
    source,
    format: 'cbor',
    notAnObjectMessage: cborNotAnObjectMessage,
    invalidTypeMetaMessage: (field, value) =>
      `${cborMismatch(value)} struct field v1.TypeMeta.${field} of type string`,
    parse: () =>
      decodeWith(
        () => ({ value: decodeCbor(source) }),
        CborError,
        ({ message, isAboutDocument }) =>
          isAboutDocument
            ? new UndecodableBody(`unable to determine group/version/kind: ${message}`)
            : new SchemaMismatch(message),
      ),
  };
}

function cborNotAnObjectMessage(value: JsonValue): string {
  const hint = Array.isArray(value) ? ' (cannot decode CBOR array to struct without toarray option)' : '';
  return `${cborMismatch(value)} value of type v1.TypeMeta${hint}`;
}

function cborMismatch(value: JsonValue): string {
  const cborNames = { array: 'array', string: 'UTF-8 text string', bool: 'primitives', object: 'map' };
  const jsonType = jsonTypeOf(value);
  const name =
    jsonType === 'number' ? cborNumber(Number(value)) : cborNames[jsonType as keyof typeof cborNames];
  return `unable to determine group/version/kind: cbor: cannot unmarshal ${name} into Go`;
}

function cborNumber(value: number): string {
  if (!Number.isInteger(value)) return 'primitives';
  return value < 0 ? 'negative integer' : 'positive integer';
}

/** Does not decode an object of an unexpected kind: the caller rejects it by its kind. */
function protobufBody(source: Buffer, expected: ExpectedKind, magic: string): RequestBody {
  const { apiVersion, kind } = expected;
  return {
    source,
    format: 'protobuf',
    notAnObjectMessage: jsonNotAnObjectMessage,
    invalidTypeMetaMessage: jsonInvalidTypeMetaMessage,
    parse() {
      const envelope = decodeWith(
        () => readEnvelope(source, magic),
        ProtobufError,
        ({ message }) => new UndecodableBody(message),
      );
      const typeMeta = {
        kind: envelope.kind || kind,
        apiVersion: envelope.apiVersion || (apiVersion ?? 'v1'),
      };
      const isExpected =
        typeMeta.kind === kind && typeMeta.apiVersion === (apiVersion ?? typeMeta.apiVersion);
      if (!isExpected) return { value: typeMeta };
      return decodeWith(
        () => ({ value: { ...decodeMessage(expected.schema, envelope.message), ...typeMeta } }),
        ProtobufError,
        ({ message }) => new SchemaMismatch(message),
      );
    },
  };
}

/** Runs a decoder and translates the errors of its format. */
function decodeWith<T, E extends Error>(
  decode: () => T,
  expectedError: new (...parameters: never[]) => E,
  translate: (error: E) => Error,
): T {
  try {
    return decode();
  } catch (error) {
    throw error instanceof expectedError ? translate(error) : error;
  }
}
