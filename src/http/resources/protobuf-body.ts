import { stringifyJson } from '../../codec/json/stringify.ts';
import { decodeMessage } from '../../codec/protobuf/decode.ts';
import { type Envelope, readEnvelope } from '../../codec/protobuf/envelope.ts';
import { ProtobufError } from '../../codec/protobuf/wire-reader.ts';
import { badRequest } from '../../errors/catalogue.ts';
import type { Struct } from '../../schema/struct.ts';

/** The kind that a body is expected to be. */
export interface ExpectedKind {
  /** Undefined for what every group version has: options. */
  readonly apiVersion: string | undefined;
  readonly kind: string;
  readonly schema: Struct<unknown>;
}

/** The JSON of an object sent as Protobuf. Of another kind only its name: who reads it refuses it by that. */
export function jsonFromProtobuf(
  body: Buffer,
  { apiVersion, kind, schema }: ExpectedKind,
  magic: string,
): Buffer {
  const envelope = open(body, kind, magic);
  const type = { kind: envelope.kind || kind, apiVersion: envelope.apiVersion || (apiVersion ?? 'v1') };
  const isExpected = type.kind === kind && type.apiVersion === (apiVersion ?? type.apiVersion);
  try {
    const content = isExpected ? decodeMessage(schema, envelope.message) : {};
    return Buffer.from(stringifyJson({ ...content, ...type }));
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error;
    const version = type.apiVersion.slice(type.apiVersion.indexOf('/') + 1);
    throw badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${error.message}`);
  }
}

function open(body: Buffer, kind: string, magic: string): Envelope {
  try {
    return readEnvelope(body, magic);
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error;
    const start =
      body.length === 0 ? '<empty>' : `${body.toString('hex', 0, 30)}${body.length > 30 ? ' ...' : ''}`;
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind}): ${error.message} (${start})`,
    );
  }
}
