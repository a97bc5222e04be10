// CBOR well-formedness check (RFC 8949) with upstream's limits, and the error messages of upstream's CBOR library. It runs
// before the decoder, which therefore need not check lengths and nesting.
import { decodeHalf } from './half.ts';
import {
  breakByte,
  documentError,
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
  if (bytes.length === 0) throw documentError('EOF');
  const end = checkItem(bytes, 0, 0);
  if (end < bytes.length) {
    throw documentError(`cbor: ${bytes.length - end} bytes of extraneous data starting at index ${end}`);
  }
}

/** Like the other `check` functions, returns the offset after the item, and throws CborError. */
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
      return checkElements(bytes, head, nestedDepth(depth));
    case majorTypes.tag:
      if (head.isIndefinite) throw invalidAdditionalInfo(head);
      if (head.argument === tags.unsignedBignum || head.argument === tags.negativeBignum)
        throw notAccepted('tag', 'bignum');
      return checkItem(bytes, head.end, nestedDepth(depth));
    default:
      return checkSimple(bytes, head);
  }
}

function nestedDepth(depth: number): number {
  if (depth >= maxDepth) throw documentError(`cbor: exceeded max nested level ${maxDepth}`);
  return depth + 1;
}

function checkString(bytes: Buffer, head: Head): number {
  const { majorType, argument, exactArgument, isIndefinite, end } = head;
  if (!isIndefinite) {
    if (exactArgument >= 2n ** 63n) {
      throw documentError(
        `cbor: ${majorTypeNames[majorType]} length ${exactArgument} is too large, causing integer overflow`,
      );
    }
    if (end + argument > bytes.length) throw unexpectedEof();
    return end + argument;
  }
  let offset = end;
  while (bytes[offset] !== breakByte) {
    const chunk = readHead(bytes, offset);
    if (chunk.majorType !== majorType) {
      throw documentError(
        `cbor: wrong element type ${majorTypeNames[chunk.majorType]} for indefinite-length ${majorTypeNames[majorType]}`,
      );
    }
    if (chunk.isIndefinite) {
      throw documentError(
        `cbor: indefinite-length ${majorTypeNames[majorType]} chunk is not definite-length`,
      );
    }
    offset = checkString(bytes, chunk);
  }
  return offset + 1;
}

function checkElements(bytes: Buffer, head: Head, depth: number): number {
  const { majorType, argument, exactArgument, isIndefinite, end } = head;
  if (!isIndefinite && exactArgument >= 2n ** 63n) {
    throw documentError(
      `cbor: ${majorTypeNames[majorType]} length ${exactArgument} is too large, it would cause integer overflow`,
    );
  }
  const isArray = majorType === majorTypes.array;
  const maxCount = isArray ? maxElements : maxPairs;
  const tooMany = () =>
    documentError(
      `cbor: exceeded max number of ${isArray ? 'elements' : 'key-value pairs'} ${maxCount} for CBOR ${majorTypeNames[majorType]}`,
    );
  if (!isIndefinite && argument > maxCount) throw tooMany();
  let offset = end;
  let count = 0;
  for (; isIndefinite ? bytes[offset] !== breakByte : count < argument; count++) {
    if (count >= maxCount) throw tooMany();
    offset = checkItem(bytes, offset, depth);
    // The value of a map entry, after its key.
    if (!isArray) offset = checkItem(bytes, offset, depth);
  }
  return isIndefinite ? offset + 1 : offset;
}

function checkSimple(bytes: Buffer, { additionalInfo, argument, end }: Head): number {
  if (additionalInfo === simpleValues.break) throw documentError('cbor: unexpected "break" code');
  if (additionalInfo === simpleValues.nextByte && argument < 32) {
    throw documentError(`cbor: invalid simple value ${argument} for type primitives`);
  }
  const isFloat = additionalInfo >= simpleValues.float16 && additionalInfo <= simpleValues.float64;
  if (!isFloat) return end;
  const value = readFloat(bytes, additionalInfo, end);
  if (Number.isNaN(value)) throw notAccepted('primitives', 'floating-point NaN');
  if (!Number.isFinite(value)) throw notAccepted('primitives', 'floating-point infinity');
  return end;
}

function readFloat(bytes: Buffer, additionalInfo: number, end: number): number {
  if (additionalInfo === simpleValues.float16) return decodeHalf(bytes.readUInt16BE(end - 2));
  return additionalInfo === simpleValues.float32 ? bytes.readFloatBE(end - 4) : bytes.readDoubleBE(end - 8);
}

const invalidAdditionalInfo = ({ majorType, additionalInfo }: Head) =>
  documentError(
    `cbor: invalid additional information ${additionalInfo} for type ${majorTypeNames[majorType]}`,
  );

const notAccepted = (type: string, item: string) =>
  documentError(`cbor: data item of cbor type ${type} is not accepted by protocol: ${item}`);
