// CBOR decoder (application/cbor): one document to a JSON value.
import { type JsonObject, type JsonValue, nullPrototypeObject, RawNumber } from '../json/json-value.ts';
import { half } from './half.ts';
import { checkWellFormed } from './well-formed.ts';
import { CborError, type Head, majorNames, readHead } from './wire.ts';

const SELF_DESCRIBED = 55_799;

/** Decodes one CBOR document as a JSON value. Throws CborError. */
export function decodeCbor(bytes: Buffer): JsonValue {
  checkWellFormed(bytes);
  return new Reader(bytes).document();
}

/** Decodes bytes that are known to be well formed, and therefore of bounded nesting. */
class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  document(): JsonValue {
    let head = this.#head();
    while (head.major === 6 && head.argument === SELF_DESCRIBED) head = this.#head();
    return this.#value(head, true);
  }

  #head(): Head {
    const head = readHead(this.#bytes, this.#at);
    this.#at = head.next;
    return head;
  }

  #value(head: Head, isTop = false): JsonValue {
    const { major, argument, info } = head;
    switch (major) {
      case 0:
        return this.#integer(head, head.big);
      case 1:
        return this.#integer(head, -1n - head.big);
      case 2:
        return this.#string(head).toString('utf8');
      case 3:
        return this.#text(head);
      case 4: {
        const list: JsonValue[] = [];
        this.#each(head, () => list.push(this.#value(this.#head())));
        return list;
      }
      case 5:
        return this.#map(head, isTop);
      case 6:
        return this.#tagged(argument);
      default:
        return this.#simple(info, head, isTop);
    }
  }

  #integer({ major, big }: Head, value: bigint): JsonValue {
    if (BigInt.asIntN(64, value) !== value) {
      throw new CborError(
        `cbor: cannot unmarshal ${majorNames[major]} into Go value of type int64 (${value} overflows Go's int64)`,
      );
    }
    return big <= Number.MAX_SAFE_INTEGER ? Number(value) : new RawNumber(String(value));
  }

  /** Calls back for every element with its index. */
  #each({ argument, isIndefinite }: Head, visit: (index: number) => void): void {
    for (let i = 0; isIndefinite ? this.#bytes[this.#at] !== 0xff : i < argument; i++) visit(i);
    if (isIndefinite) this.#at++;
  }

  #string(head: Head): Buffer {
    if (head.isIndefinite) {
      const parts: Buffer[] = [];
      this.#each(head, () => parts.push(this.#string(this.#head())));
      return Buffer.concat(parts);
    }
    const part = this.#bytes.subarray(this.#at, this.#at + head.argument);
    this.#at += head.argument;
    return part;
  }

  #text(head: Head): string {
    try {
      return utf8.decode(this.#string(head));
    } catch {
      throw new CborError('cbor: invalid UTF-8 string');
    }
  }

  #map(head: Head, isTop: boolean): JsonObject {
    const object = nullPrototypeObject();
    this.#each(head, (index) => {
      const key = this.#key(this.#head());
      if (object[key] !== undefined) {
        throw new CborError(
          `cbor: found duplicate map key ${JSON.stringify(key)} at map element index ${index}`,
          isTop,
        );
      }
      object[key] = this.#value(this.#head());
    });
    return object;
  }

  #key(head: Head): string {
    if (head.major === 2) return this.#string(head).toString('utf8');
    if (head.major === 3) return this.#text(head);
    throw new CborError(`cbor: cannot unmarshal ${majorNames[head.major]} into Go value of type string`);
  }

  /** Byte strings are decoded as their tag says (21 to 23); epoch times become text; other tags are ignored. */
  #tagged(tag: number): JsonValue {
    const head = this.#head();
    if (head.major === 2 && tag >= 21 && tag <= 23) {
      return this.#string(head).toString(tag === 21 ? 'base64url' : tag === 22 ? 'base64' : 'hex');
    }
    const value = this.#value(head);
    if (tag !== 1 || typeof value !== 'number') return value;
    return new Date(Math.floor(value) * 1000).toISOString().replace('.000Z', 'Z');
  }

  #simple(info: number, { argument }: Head, isTop: boolean): JsonValue {
    switch (info) {
      case 20:
      case 21:
        return info === 21;
      case 22:
        return null;
      case 25:
        return half(this.#bytes.readUInt16BE(this.#at - 2));
      case 26:
        return this.#bytes.readFloatBE(this.#at - 4);
      case 27:
        return this.#bytes.readDoubleBE(this.#at - 8);
      default:
        throw notAccepted(argument, isTop);
    }
  }
}

const notAccepted = (value: number, isTop: boolean) =>
  new CborError(
    `cbor: data item of cbor type primitives is not accepted by protocol: simple value ${value} is not recognized`,
    isTop,
  );

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
