// CBOR encoder (RFC 8949, application/cbor) with upstream's choices of item types.
import { ListType, MapType } from '../../schema/collections.ts';
import { Struct } from '../../schema/struct.ts';
import type { Type } from '../../schema/type.ts';
import { JsonText, type JsonValue, RawNumber } from '../json/json-value.ts';
import { parseJson } from '../json/parse.ts';
import { encodeHalf } from './half.ts';
import { additionalInfos, initialByte, majorTypes, simpleValues, tags } from './wire.ts';

/** The self-described CBOR tag, with which every document starts. */
export const selfDescription = Buffer.from([0xd9, 0xd9, 0xf7]);

/** The initial byte of a simple value or floating-point number. */
const simpleByte = (value: number) => initialByte(majorTypes.simple, value);

/**
 * Encodes a JSON value of this type. Strings become byte strings, as upstream encodes them. Fields of type bytes have
 * the tag "expected base64", which distinguishes them from strings.
 */
export function encodeCbor(value: JsonValue, type?: Type): Buffer {
  const writer = new CborWriter();
  writer.writeValue(value, type);
  return writer.finish();
}

/** The head of an array with this many elements. */
export function arrayHead(length: number): Buffer {
  const writer = new CborWriter();
  writer.writeHead(majorTypes.array, length);
  return writer.finish();
}

/** The head of a map with this many entries. */
export function mapHead(entries: number): Buffer {
  const writer = new CborWriter();
  writer.writeHead(majorTypes.map, entries);
  return writer.finish();
}

class CborWriter {
  #bytes = Buffer.allocUnsafe(1024);
  #offset = 0;

  finish(): Buffer {
    return this.#bytes.subarray(0, this.#offset);
  }

  writeValue(value: JsonValue, type: Type | undefined): void {
    if (typeof value === 'string') {
      if (type?.category === 'bytes') this.#writeBytes(Buffer.from(value, 'base64'));
      else this.#writeText(value);
    } else if (typeof value === 'number' || value instanceof RawNumber) this.#writeNumber(value);
    else if (typeof value === 'boolean')
      this.#writeByte(simpleByte(value ? simpleValues.true : simpleValues.false));
    else if (value === null) this.#writeByte(simpleByte(simpleValues.null));
    else if (Array.isArray(value)) {
      this.writeHead(majorTypes.array, value.length);
      const elementType = type instanceof ListType ? (type as ListType<unknown>).element : undefined;
      for (const item of value) this.writeValue(item, elementType);
    } else if (value instanceof JsonText) this.writeValue(parseJson(value.text).value, type);
    else {
      const keys = Object.keys(value);
      this.writeHead(majorTypes.map, keys.length);
      for (const key of keys) {
        this.#writeText(key);
        this.writeValue(value[key]!, memberType(type, key));
      }
    }
  }

  writeHead(majorType: number, argument: number): void {
    if (argument < additionalInfos.uint8) {
      this.#writeByte(initialByte(majorType, argument));
    } else if (argument < 0x100) {
      this.#reserve(2);
      this.#bytes[this.#offset++] = initialByte(majorType, additionalInfos.uint8);
      this.#bytes[this.#offset++] = argument;
    } else if (argument < 0x10000) {
      this.#reserve(3);
      this.#bytes[this.#offset++] = initialByte(majorType, additionalInfos.uint16);
      this.#offset = this.#bytes.writeUInt16BE(argument, this.#offset);
    } else if (argument < 0x100000000) {
      this.#reserve(5);
      this.#bytes[this.#offset++] = initialByte(majorType, additionalInfos.uint32);
      this.#offset = this.#bytes.writeUInt32BE(argument, this.#offset);
    } else {
      this.#writeLongHead(majorType, BigInt(argument));
    }
  }

  #writeLongHead(majorType: number, argument: bigint): void {
    this.#reserve(9);
    this.#bytes[this.#offset++] = initialByte(majorType, additionalInfos.uint64);
    this.#offset = this.#bytes.writeBigUInt64BE(argument, this.#offset);
  }

  #writeNumber(value: number | RawNumber): void {
    const text = String(value);
    const number = Number(value);
    // -0 is no integer in CBOR: it is written as a float.
    const isInteger = Number.isInteger(number) && !Object.is(number, -0);
    if (isInteger && Math.abs(number) <= Number.MAX_SAFE_INTEGER) {
      if (number >= 0) this.writeHead(majorTypes.unsignedInteger, number);
      else this.writeHead(majorTypes.negativeInteger, -1 - number);
    } else if (/^-?[0-9]{1,20}$/.test(text) && isInt64(BigInt(text))) {
      const exact = BigInt(text);
      if (exact >= 0n) this.#writeLongHead(majorTypes.unsignedInteger, exact);
      else this.#writeLongHead(majorTypes.negativeInteger, -1n - exact);
    } else {
      this.#writeFloat(number);
    }
  }

  /** Uses the shortest floating-point number that represents the value exactly. */
  #writeFloat(value: number): void {
    const half = encodeHalf(value);
    this.#reserve(9);
    if (half !== undefined) {
      this.#bytes[this.#offset++] = simpleByte(simpleValues.float16);
      this.#offset = this.#bytes.writeUInt16BE(half, this.#offset);
    } else if (Math.fround(value) === value) {
      this.#bytes[this.#offset++] = simpleByte(simpleValues.float32);
      this.#offset = this.#bytes.writeFloatBE(value, this.#offset);
    } else {
      this.#bytes[this.#offset++] = simpleByte(simpleValues.float64);
      this.#offset = this.#bytes.writeDoubleBE(value, this.#offset);
    }
  }

  /** Strings are byte strings in the CBOR of Kubernetes. */
  #writeText(text: string): void {
    const length = Buffer.byteLength(text);
    // As many bytes as UTF-16 units: the text is ASCII, which latin1 writes faster.
    this.writeHead(majorTypes.byteString, length);
    this.#reserve(length);
    this.#offset += this.#bytes.write(text, this.#offset, length, length === text.length ? 'latin1' : 'utf8');
  }

  #writeBytes(bytes: Buffer): void {
    this.writeHead(majorTypes.tag, tags.expectedBase64);
    this.writeHead(majorTypes.byteString, bytes.length);
    this.#reserve(bytes.length);
    this.#offset += bytes.copy(this.#bytes, this.#offset);
  }

  #writeByte(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.#offset++] = byte;
  }

  #reserve(size: number): void {
    if (this.#offset + size <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#offset + size));
    this.#bytes.copy(grown, 0, 0, this.#offset);
    this.#bytes = grown;
  }
}

const isInt64 = (value: bigint) => value < 2n ** 63n && value >= -(2n ** 63n);

function memberType(type: Type | undefined, key: string): Type | undefined {
  if (type instanceof MapType) return (type as MapType<unknown>).element;
  if (!(type instanceof Struct)) return undefined;
  return Object.hasOwn(type.fields, key) ? type.fields[key as keyof typeof type.fields]!.type : undefined;
}
