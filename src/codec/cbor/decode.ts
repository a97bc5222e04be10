// CBOR decoder (RFC 8949, application/cbor): decodes one document to a JSON value, with the error messages of upstream's CBOR
// library.
import { type JsonObject, type JsonValue, nullPrototypeObject, RawNumber } from '../json/json-value.ts';
import { epochTimeText } from './epoch-time.ts';
import { decodeHalf } from './half.ts';
import { assertWellFormed } from './well-formed.ts';
import {
  breakByte,
  CborError,
  type Head,
  majorTypeNames,
  majorTypes,
  readHead,
  simpleValues,
  tags,
} from './wire.ts';

/** Throws CborError. */
export function decodeCbor(bytes: Buffer): JsonValue {
  assertWellFormed(bytes);
  return new CborReader(bytes).readDocument();
}

/** Decodes bytes that assertWellFormed has accepted, so that nesting is bounded. */
class CborReader {
  readonly #bytes: Buffer;
  #offset = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  readDocument(): JsonValue {
    let head = this.#readHead();
    while (head.majorType === majorTypes.tag && head.argument === tags.selfDescribedCbor)
      head = this.#readHead();
    return this.#readValue(head, { isTopLevel: true });
  }

  #readHead(): Head {
    const head = readHead(this.#bytes, this.#offset);
    this.#offset = head.end;
    return head;
  }

  /** Errors about the top-level item are errors about the document (see CborError). */
  #readValue(head: Head, { isTopLevel }: ItemPosition = nested): JsonValue {
    const { majorType, argument, additionalInfo } = head;
    switch (majorType) {
      case majorTypes.unsignedInteger:
        return this.#toInteger(head, head.exactArgument);
      case majorTypes.negativeInteger:
        return this.#toInteger(head, -1n - head.exactArgument);
      case majorTypes.byteString:
        return this.#readString(head).toString('utf8');
      case majorTypes.textString:
        return this.#readText(head);
      case majorTypes.array: {
        const array: JsonValue[] = [];
        this.#forEachElement(head, () => array.push(this.#readValue(this.#readHead())));
        return array;
      }
      case majorTypes.map:
        return this.#readMap(head, isTopLevel);
      case majorTypes.tag:
        return this.#readTagged(argument);
      default:
        return this.#readSimpleValue(additionalInfo, head, isTopLevel);
    }
  }

  /** Numbers beyond JavaScript's safe integers stay exact as RawNumber. Throws for those beyond 64 bits. */
  #toInteger({ majorType, exactArgument }: Head, value: bigint): JsonValue {
    if (BigInt.asIntN(64, value) !== value) {
      throw new CborError(
        `cbor: cannot unmarshal ${majorTypeNames[majorType]} into Go value of type int64 (${value} overflows Go's int64)`,
      );
    }
    return exactArgument <= Number.MAX_SAFE_INTEGER ? Number(value) : new RawNumber(String(value));
  }

  #forEachElement({ argument, isIndefinite }: Head, visit: (index: number) => void): void {
    for (let i = 0; isIndefinite ? this.#bytes[this.#offset] !== breakByte : i < argument; i++) visit(i);
    if (isIndefinite) this.#offset++;
  }

  #readString(head: Head): Buffer {
    if (head.isIndefinite) {
      const chunks: Buffer[] = [];
      this.#forEachElement(head, () => chunks.push(this.#readString(this.#readHead())));
      return Buffer.concat(chunks);
    }
    const chunk = this.#bytes.subarray(this.#offset, this.#offset + head.argument);
    this.#offset += head.argument;
    return chunk;
  }

  #readText(head: Head): string {
    try {
      return utf8.decode(this.#readString(head));
    } catch {
      throw new CborError('cbor: invalid UTF-8 string');
    }
  }

  #readMap(head: Head, isTopLevel: boolean): JsonObject {
    const object = nullPrototypeObject();
    this.#forEachElement(head, (index) => {
      const key = this.#readKey(this.#readHead());
      if (object[key] !== undefined) {
        throw new CborError(
          `cbor: found duplicate map key ${JSON.stringify(key)} at map element index ${index}`,
          { isAboutDocument: isTopLevel },
        );
      }
      object[key] = this.#readValue(this.#readHead());
    });
    return object;
  }

  #readKey(head: Head): string {
    if (head.majorType === majorTypes.byteString) return this.#readString(head).toString('utf8');
    if (head.majorType === majorTypes.textString) return this.#readText(head);
    throw new CborError(
      `cbor: cannot unmarshal ${majorTypeNames[head.majorType]} into Go value of type string`,
    );
  }

  /** Byte strings become text in the expected encoding, epoch times RFC 3339 text; other tags are ignored. */
  #readTagged(tag: number): JsonValue {
    const head = this.#readHead();
    const encoding = head.majorType === majorTypes.byteString ? expectedEncodings.get(tag) : undefined;
    if (encoding) return this.#readString(head).toString(encoding);
    const value = this.#readValue(head);
    return tag === tags.epochTime ? epochTimeText(value, head) : value;
  }

  #readSimpleValue(additionalInfo: number, { argument }: Head, isTopLevel: boolean): JsonValue {
    switch (additionalInfo) {
      case simpleValues.false:
      case simpleValues.true:
        return additionalInfo === simpleValues.true;
      case simpleValues.null:
        return null;
      case simpleValues.float16:
        return decodeHalf(this.#bytes.readUInt16BE(this.#offset - 2));
      case simpleValues.float32:
        return this.#bytes.readFloatBE(this.#offset - 4);
      case simpleValues.float64:
        return this.#bytes.readDoubleBE(this.#offset - 8);
      default:
        throw unrecognizedSimpleValue(argument, isTopLevel);
    }
  }
}

interface ItemPosition {
  readonly isTopLevel: boolean;
}

const nested: ItemPosition = { isTopLevel: false };

/** Encodings of byte strings by the tag in front of them. */
const expectedEncodings: ReadonlyMap<number, BufferEncoding> = new Map([
  [tags.expectedBase64Url, 'base64url'],
  [tags.expectedBase64, 'base64'],
  [tags.expectedBase16, 'hex'],
]);

const unrecognizedSimpleValue = (value: number, isTopLevel: boolean) =>
  new CborError(
    `cbor: data item of cbor type primitives is not accepted by protocol: simple value ${value} is not recognized`,
    { isAboutDocument: isTopLevel },
  );

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
