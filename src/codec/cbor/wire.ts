// CBOR (RFC 8949): the heads of data items, and the error of the codec.

/** The bytes are not well-formed CBOR, or contain an item that the API does not accept. */
export class CborError extends Error {
  /** Whether the error is about the document as a whole, found before the object's kind was decoded. */
  readonly isAboutDocument: boolean;

  constructor(message: string, { isAboutDocument = false }: { readonly isAboutDocument?: boolean } = {}) {
    super(message);
    this.isAboutDocument = isAboutDocument;
  }
}

export const documentError = (message: string) => new CborError(message, { isAboutDocument: true });

export const majorTypes = {
  unsignedInteger: 0,
  negativeInteger: 1,
  byteString: 2,
  textString: 3,
  array: 4,
  map: 5,
  tag: 6,
  /** Floating-point numbers, simple values and the "break" stop code. */
  simple: 7,
} as const;

/** Values of the additional information that say where the argument is; smaller values are the argument itself. */
export const additionalInfos = { uint8: 24, uint16: 25, uint32: 26, uint64: 27, indefinite: 31 } as const;

/** Simple values, and widths of floating-point numbers, in the additional information of major type 7. */
export const simpleValues = {
  false: 20,
  true: 21,
  null: 22,
  nextByte: 24,
  float16: 25,
  float32: 26,
  float64: 27,
  break: 31,
} as const;

export const tags = {
  epochTime: 1,
  unsignedBignum: 2,
  negativeBignum: 3,
  expectedBase64Url: 21,
  expectedBase64: 22,
  expectedBase16: 23,
  selfDescribedCbor: 55_799,
} as const;

/** The stop code that ends an item of indefinite length. */
export const breakByte = 0xff;

/** The initial byte of a data item. */
export const initialByte = (majorType: number, additionalInfo: number) => (majorType << 5) | additionalInfo;

/** Names of the major types in the error messages of upstream's CBOR library. */
export const majorTypeNames = [
  'positive integer',
  'negative integer',
  'byte string',
  'UTF-8 text string',
  'array',
  'map',
  'tag',
  'primitives',
] as const;

/** The head of a data item: initial byte and argument. */
export interface Head {
  readonly majorType: number;
  readonly additionalInfo: number;
  /** A value, a length, a count or a tag number; inexact beyond the safe integers. */
  readonly argument: number;
  readonly exactArgument: bigint;
  /** Whether a break byte ends the item; the argument has no meaning then. */
  readonly isIndefinite: boolean;
  /** Offset after the head. */
  readonly end: number;
}

export function readHead(bytes: Buffer, offset: number): Head {
  const first = bytes[offset];
  if (first === undefined) throw unexpectedEof();
  const majorType = first >> 5;
  const additionalInfo = first & 0x1f;
  if (additionalInfo < additionalInfos.uint8 || additionalInfo === additionalInfos.indefinite) {
    return {
      majorType,
      additionalInfo,
      argument: additionalInfo,
      exactArgument: BigInt(additionalInfo),
      isIndefinite: additionalInfo === additionalInfos.indefinite,
      end: offset + 1,
    };
  }
  if (additionalInfo > additionalInfos.uint64) {
    throw documentError(
      `cbor: invalid additional information ${additionalInfo} for type ${majorTypeNames[majorType]}`,
    );
  }
  const argumentBytes = 1 << (additionalInfo - additionalInfos.uint8);
  const end = offset + 1 + argumentBytes;
  if (end > bytes.length) throw unexpectedEof();
  const exactArgument =
    argumentBytes === 8
      ? bytes.readBigUInt64BE(offset + 1)
      : BigInt(bytes.readUIntBE(offset + 1, argumentBytes));
  return {
    majorType,
    additionalInfo,
    argument: Number(exactArgument),
    exactArgument,
    isIndefinite: false,
    end,
  };
}

export const unexpectedEof = () => documentError('unexpected EOF');

/** The offset after the item at `start`. Every length in it must be definite, as our encoder writes it. */
export function endOfItem(bytes: Buffer, start: number): number {
  let offset = start;
  // The number of items still to be read: an array or map adds its elements.
  for (let pending = 1; pending > 0; pending--) {
    const { majorType, argument, end } = readHead(bytes, offset);
    offset = end;
    if (majorType === majorTypes.byteString || majorType === majorTypes.textString) offset += argument;
    else if (majorType === majorTypes.array) pending += argument;
    else if (majorType === majorTypes.map) pending += 2 * argument;
    else if (majorType === majorTypes.tag) pending++;
  }
  if (offset > bytes.length) throw unexpectedEof();
  return offset;
}
