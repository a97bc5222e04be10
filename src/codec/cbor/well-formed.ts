// CBOR well-formedness check (RFC 8949) with upstream's limits; it runs before the decoder.
import { decodeHalf } from './half.ts';
import {
  breakByte,
  CborError,
  type Head,
  majorTypeNames,
  majorTypes,
  readHead,
  simpleValues,
  tags,
  unexpectedEof,
} from './wire.ts';

/** Upstream's limits of nested arrays, maps and tags, of array elements and of map entries. */
const maxDepth = 64;
const maxElements = 1024;
const maxPairs = 1024;

/** Throws CborError if the bytes are not one well-formed data item, or exceed a limit. */
export function assertWellFormed(bytes: Buffer): void {
  if (bytes.length === 0) throw new CborError('EOF', true);
  const end = checkItem(bytes, 0, 0);
  if (end < bytes.length) {
    throw new CborError(
      `cbor: ${bytes.length - end} bytes of extraneous data starting at index ${end}`,
      true,
    );
  }
}

/** Returns the offset after the item. */
function checkItem(bytes: Buffer, offset: number, depth: number): number {
  const head = readHead(bytes, offset);
  switch (head.majorType) {
    case majorTypes.unsignedInteger:
    case majorTypes.negativeInteger:
      if (head.isIndefinite) throw invalidAdditionalInfo(head);
      return head.end;
    case majorTypes.byteString:
    case majorTypes.textString:
      return checkString(bytes, head);
    case majorTypes.array:
    case majorTypes.map:
      return checkElements(bytes, head, increaseDepth(depth));
    case majorTypes.tag:
      if (head.isIndefinite) throw invalidAdditionalInfo(head);
      if (head.argument === tags.unsignedBignum || head.argument === tags.negativeBignum)
        throw notAccepted('tag', 'bignum');
      return checkItem(bytes, head.end, increaseDepth(depth));
    default:
      checkSimple(bytes, head);
      return head.end;
  }
}

function increaseDepth(depth: number): number {
  if (depth >= maxDepth) throw new CborError(`cbor: exceeded max nested level ${maxDepth}`, true);
  return depth + 1;
}

function checkString(bytes: Buffer, head: Head): number {
  const { majorType, argument, exactArgument, isIndefinite, end } = head;
  if (!isIndefinite) {
    if (exactArgument >= 2n ** 63n) {
      throw new CborError(
        `cbor: ${majorTypeNames[majorType]} length ${exactArgument} is too large, causing integer overflow`,
        true,
      );
    }
    if (end + argument > bytes.length) throw unexpectedEof();
    return end + argument;
  }
  let offset = end;
  while (bytes[offset] !== breakByte) {
    const chunk = readHead(bytes, offset);
    if (chunk.majorType !== majorType) {
      throw new CborError(
        `cbor: wrong element type ${majorTypeNames[chunk.majorType]} for indefinite-length ${majorTypeNames[majorType]}`,
        true,
      );
    }
    if (chunk.isIndefinite) {
      throw new CborError(
        `cbor: indefinite-length ${majorTypeNames[majorType]} chunk is not definite-length`,
        true,
      );
    }
    offset = checkString(bytes, chunk);
  }
  return offset + 1;
}

function checkElements(bytes: Buffer, head: Head, depth: number): number {
  const { majorType, argument, exactArgument, isIndefinite, end } = head;
  if (!isIndefinite && exactArgument >= 2n ** 63n) {
    throw new CborError(
      `cbor: ${majorTypeNames[majorType]} length ${exactArgument} is too large, it would cause integer overflow`,
      true,
    );
  }
  const maxCount = majorType === majorTypes.array ? maxElements : maxPairs;
  const tooMany = () =>
    new CborError(
      `cbor: exceeded max number of ${majorType === majorTypes.array ? 'elements' : 'key-value pairs'} ${maxCount} for CBOR ${majorTypeNames[majorType]}`,
      true,
    );
  if (!isIndefinite && argument > maxCount) throw tooMany();
  let offset = end;
  let count = 0;
  for (; isIndefinite ? bytes[offset] !== breakByte : count < argument; count++) {
    if (count >= maxCount) throw tooMany();
    offset = checkItem(bytes, offset, depth);
    if (majorType === majorTypes.map) offset = checkItem(bytes, offset, depth);
  }
  return isIndefinite ? offset + 1 : offset;
}

function checkSimple(bytes: Buffer, { additionalInfo, argument, end }: Head): void {
  if (additionalInfo === simpleValues.break) throw new CborError('cbor: unexpected "break" code', true);
  if (additionalInfo === simpleValues.nextByte && argument < 32) {
    throw new CborError(`cbor: invalid simple value ${argument} for type primitives`, true);
  }
  if (additionalInfo < simpleValues.float16 || additionalInfo > simpleValues.float64) return;
  const value =
    additionalInfo === simpleValues.float16
      ? decodeHalf(bytes.readUInt16BE(end - 2))
      : additionalInfo === simpleValues.float32
        ? bytes.readFloatBE(end - 4)
        : bytes.readDoubleBE(end - 8);
  if (Number.isNaN(value)) throw notAccepted('primitives', 'floating-point NaN');
  if (!Number.isFinite(value)) throw notAccepted('primitives', 'floating-point infinity');
}

const invalidAdditionalInfo = ({ majorType, additionalInfo }: Head) =>
  new CborError(
    `cbor: invalid additional information ${additionalInfo} for type ${majorTypeNames[majorType]}`,
    true,
  );

const notAccepted = (type: string, item: string) =>
  new CborError(`cbor: data item of cbor type ${type} is not accepted by protocol: ${item}`, true);
