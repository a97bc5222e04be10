// The envelope of objects in Kubernetes Protobuf: magic bytes, then runtime.Unknown with TypeMeta (field 1: apiVersion 1,
// kind 2) and the object's message (field 2).
import { ProtobufError, WireReader, wireTypes } from './wire-reader.ts';
import { WireWriter } from './wire-writer.ts';

export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly message: Buffer;
}

/** Throws ProtobufError. Missing fields read as empty. */
export function readEnvelope(body: Buffer, magic: string): Envelope {
  const prefix = Buffer.from(magic, 'latin1');
  if (body.length === 0) throw new ProtobufError('empty data');
  if (!body.subarray(0, prefix.length).equals(prefix)) {
    throw new ProtobufError(
      `provided data does not appear to be a protobuf message, expected prefix [${[...prefix].join(' ')}]`,
    );
  }
  if (body.length === prefix.length) throw new ProtobufError('empty body');

  let typeMeta: Buffer = Buffer.alloc(0);
  let message: Buffer = Buffer.alloc(0);
  const reader = new WireReader(body.subarray(prefix.length), 'Unknown');
  while (!reader.atEnd) {
    const { number, wireType } = reader.tag();
    if (wireType !== wireTypes.bytes) reader.skip(wireType);
    else if (number === 1) typeMeta = reader.bytes();
    else if (number === 2) message = reader.bytes();
    else reader.skip(wireType);
  }
  return { ...readTypeMeta(typeMeta), message };
}

function readTypeMeta(bytes: Buffer): { apiVersion: string; kind: string } {
  const typeMeta = { apiVersion: '', kind: '' };
  const reader = new WireReader(bytes, 'TypeMeta');
  while (!reader.atEnd) {
    const { number, wireType } = reader.tag();
    if (wireType !== wireTypes.bytes) reader.skip(wireType);
    else if (number === 1) typeMeta.apiVersion = reader.string();
    else if (number === 2) typeMeta.kind = reader.string();
    else reader.skip(wireType);
  }
  return typeMeta;
}

/** The bytes before and after an object's message of this length. */
export function encodeEnvelope(
  { apiVersion, kind }: Pick<Envelope, 'apiVersion' | 'kind'>,
  messageLength: number,
  magic: string,
): { readonly head: Buffer; readonly tail: Buffer } {
  // WireWriter writes from the end to the start, so the last bytes come first.
  const writer = new WireWriter(128);
  writer.varint(messageLength);
  writer.tag(2, wireTypes.bytes);
  const lengthBeforeTypeMeta = writer.length;
  for (const [number, text] of [
    [2, kind],
    [1, apiVersion],
  ] as const) {
    const lengthBefore = writer.length;
    writer.text(text);
    writer.delimit(number, lengthBefore);
  }
  writer.delimit(1, lengthBeforeTypeMeta);
  writer.text(magic);
  return { head: writer.finish(), tail: emptyContentFields };
}

/** Fields 3 and 4: empty contentEncoding and contentType. */
const emptyContentFields = Buffer.from([0x1a, 0, 0x22, 0]);

export function writeEnvelope({ message, ...type }: Envelope, magic: string): Buffer {
  const { head, tail } = encodeEnvelope(type, message.length, magic);
  return Buffer.concat([head, message, tail]);
}
