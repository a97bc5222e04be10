// CBOR encoder (application/cbor).
import { ListType, MapType } from '../../schema/collections.ts';
import { Struct } from '../../schema/struct.ts';
import type { Type } from '../../schema/type.ts';
import { JsonText, type JsonValue, RawNumber } from '../json/json-value.ts';
import { parseJson } from '../json/parse.ts';
import { halfOf } from './half.ts';

/** The self-described CBOR tag, which starts every document. */
export const selfDescription = Buffer.from([0xd9, 0xd9, 0xf7]);

/** Tag 22: the following byte string converts to base64. */
const bytesTag = 0xd6;

const majors = { positive: 0, negative: 1, bytes: 2, list: 4, map: 5 } as const;

/**
 * Encodes a JSON value of this type. Strings are written as byte strings, like upstream does, which saves the UTF-8
 * check on decoding. Fields of type bytes are tagged, so that a decoder does not take them for text.
 */
export function encodeCbor(value: JsonValue, type?: Type): Buffer {
  const writer = new Writer();
  writer.value(value, type);
  return writer.finish();
}

/** The head of an array with this many elements. */
export function listHead(length: number): Buffer {
  const writer = new Writer();
  writer.head(majors.list, length);
  return writer.finish();
}

/** The head of a map with this many entries. */
export function mapHead(entries: number): Buffer {
  const writer = new Writer();
  writer.head(majors.map, entries);
  return writer.finish();
}

class Writer {
  #bytes = Buffer.allocUnsafe(1024);
  #at = 0;

  finish(): Buffer {
    return this.#bytes.subarray(0, this.#at);
  }

  value(value: JsonValue, type: Type | undefined): void {
    if (typeof value === 'string') {
      if (type?.form === 'bytes') this.#binary(Buffer.from(value, 'base64'));
      else this.#text(value);
    } else if (typeof value === 'number' || value instanceof RawNumber) this.#number(value);
    else if (typeof value === 'boolean') this.#byte(value ? 0xf5 : 0xf4);
    else if (value === null) this.#byte(0xf6);
    else if (Array.isArray(value)) {
      this.head(majors.list, value.length);
      const element = type instanceof ListType ? (type as ListType<unknown>).element : undefined;
      for (const item of value) this.value(item, element);
    } else if (value instanceof JsonText) this.value(parseJson(value.text).value, type);
    else {
      const keys = Object.keys(value);
      this.head(majors.map, keys.length);
      for (const key of keys) {
        this.#text(key);
        this.value(value[key]!, memberType(type, key));
      }
    }
  }

  head(major: number, argument: number): void {
    if (argument < 24) {
      this.#byte((major << 5) | argument);
    } else if (argument < 0x100) {
      this.#reserve(2);
      this.#bytes[this.#at++] = (major << 5) | 24;
      this.#bytes[this.#at++] = argument;
    } else if (argument < 0x10000) {
      this.#reserve(3);
      this.#bytes[this.#at++] = (major << 5) | 25;
      this.#at = this.#bytes.writeUInt16BE(argument, this.#at);
    } else if (argument < 0x100000000) {
      this.#reserve(5);
      this.#bytes[this.#at++] = (major << 5) | 26;
      this.#at = this.#bytes.writeUInt32BE(argument, this.#at);
    } else {
      this.#bigHead(major, BigInt(argument));
    }
  }

  #bigHead(major: number, argument: bigint): void {
    this.#reserve(9);
    this.#bytes[this.#at++] = (major << 5) | 27;
    this.#at = this.#bytes.writeBigUInt64BE(argument, this.#at);
  }

  #number(value: number | RawNumber): void {
    const text = String(value);
    const number = Number(value);
    const isWhole = Number.isInteger(number) && !Object.is(number, -0);
    if (isWhole && Math.abs(number) <= Number.MAX_SAFE_INTEGER) {
      if (number >= 0) this.head(majors.positive, number);
      else this.head(majors.negative, -1 - number);
    } else if (/^-?[0-9]{1,20}$/.test(text) && fits(BigInt(text))) {
      const exact = BigInt(text);
      if (exact >= 0n) this.#bigHead(majors.positive, exact);
      else this.#bigHead(majors.negative, -1n - exact);
    } else {
      this.#float(number);
    }
  }

  /** Uses the shortest float that represents the value exactly. */
  #float(value: number): void {
    const half = halfOf(value);
    this.#reserve(9);
    if (half !== undefined) {
      this.#bytes[this.#at++] = 0xf9;
      this.#at = this.#bytes.writeUInt16BE(half, this.#at);
    } else if (Math.fround(value) === value) {
      this.#bytes[this.#at++] = 0xfa;
      this.#at = this.#bytes.writeFloatBE(value, this.#at);
    } else {
      this.#bytes[this.#at++] = 0xfb;
      this.#at = this.#bytes.writeDoubleBE(value, this.#at);
    }
  }

  #text(text: string): void {
    const length = Buffer.byteLength(text);
    this.head(majors.bytes, length);
    this.#reserve(length);
    this.#at += this.#bytes.write(text, this.#at, length, length === text.length ? 'latin1' : 'utf8');
  }

  #binary(bytes: Buffer): void {
    this.#byte(bytesTag);
    this.head(majors.bytes, bytes.length);
    this.#reserve(bytes.length);
    this.#at += bytes.copy(this.#bytes, this.#at);
  }

  #byte(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.#at++] = byte;
  }

  #reserve(size: number): void {
    if (this.#at + size <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#at + size));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}

const fits = (value: bigint) => value < 2n ** 63n && value >= -(2n ** 63n);

function memberType(type: Type | undefined, key: string): Type | undefined {
  if (type instanceof MapType) return (type as MapType<unknown>).element;
  if (!(type instanceof Struct)) return undefined;
  return Object.hasOwn(type.fields, key) ? type.fields[key as keyof typeof type.fields]!.type : undefined;
}
