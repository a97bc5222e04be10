// CBOR well-formedness check: lengths and nesting limits, before anything is decoded.
import { half } from './half.ts';
import { CborError, cutOff, type Head, majorNames, readHead } from './wire.ts';

/** Upstream's limits of nesting (arrays, maps, tags) and of elements. */
const maxDepth = 64;
const maxElements = 1024;
const maxPairs = 1024;

/** Throws CborError unless all lengths are correct and the limits are kept. */
export function checkWellFormed(bytes: Buffer): void {
  if (bytes.length === 0) throw new CborError('EOF', true);
  const end = checkItem(bytes, 0, 0);
  if (end < bytes.length) {
    throw new CborError(
      `cbor: ${bytes.length - end} bytes of extraneous data starting at index ${end}`,
      true,
    );
  }
}

/** Returns the end of the item that starts at `at`. */
function checkItem(bytes: Buffer, at: number, depth: number): number {
  const head = readHead(bytes, at);
  switch (head.major) {
    case 0:
    case 1:
      if (head.isIndefinite) throw invalidInfo(head);
      return head.next;
    case 2:
    case 3:
      return checkString(bytes, head);
    case 4:
    case 5:
      return checkElements(bytes, head, deeper(depth));
    case 6:
      if (head.isIndefinite) throw invalidInfo(head);
      if (head.argument === 2 || head.argument === 3) throw notAccepted('tag', 'bignum');
      return checkItem(bytes, head.next, deeper(depth));
    default:
      checkSimple(bytes, head);
      return head.next;
  }
}

function deeper(depth: number): number {
  if (depth >= maxDepth) throw new CborError(`cbor: exceeded max nested level ${maxDepth}`, true);
  return depth + 1;
}

function checkString(bytes: Buffer, head: Head): number {
  const { major, argument, big, isIndefinite, next } = head;
  if (!isIndefinite) {
    if (big >= 2n ** 63n) {
      throw new CborError(
        `cbor: ${majorNames[major]} length ${big} is too large, causing integer overflow`,
        true,
      );
    }
    if (next + argument > bytes.length) throw cutOff();
    return next + argument;
  }
  let at = next;
  while (bytes[at] !== 0xff) {
    const part = readHead(bytes, at);
    if (part.major !== major) {
      throw new CborError(
        `cbor: wrong element type ${majorNames[part.major]} for indefinite-length ${majorNames[major]}`,
        true,
      );
    }
    if (part.isIndefinite) {
      throw new CborError(`cbor: indefinite-length ${majorNames[major]} chunk is not definite-length`, true);
    }
    at = checkString(bytes, part);
  }
  return at + 1;
}

function checkElements(bytes: Buffer, head: Head, depth: number): number {
  const { major, argument, big, isIndefinite, next } = head;
  if (!isIndefinite && big >= 2n ** 63n) {
    throw new CborError(
      `cbor: ${majorNames[major]} length ${big} is too large, it would cause integer overflow`,
      true,
    );
  }
  const max = major === 4 ? maxElements : maxPairs;
  const tooMany = () =>
    new CborError(
      `cbor: exceeded max number of ${major === 4 ? 'elements' : 'key-value pairs'} ${max} for CBOR ${majorNames[major]}`,
      true,
    );
  if (!isIndefinite && argument > max) throw tooMany();
  let at = next;
  let count = 0;
  for (; isIndefinite ? bytes[at] !== 0xff : count < argument; count++) {
    if (count >= max) throw tooMany();
    at = checkItem(bytes, at, depth);
    if (major === 5) at = checkItem(bytes, at, depth);
  }
  return isIndefinite ? at + 1 : at;
}

function checkSimple(bytes: Buffer, { info, argument, next }: Head): void {
  if (info === 31) throw new CborError('cbor: unexpected "break" code', true);
  if (info === 24 && argument < 32) {
    throw new CborError(`cbor: invalid simple value ${argument} for type primitives`, true);
  }
  if (info < 25 || info > 27) return;
  const value =
    info === 25
      ? half(bytes.readUInt16BE(next - 2))
      : info === 26
        ? bytes.readFloatBE(next - 4)
        : bytes.readDoubleBE(next - 8);
  if (Number.isNaN(value)) throw notAccepted('primitives', 'floating-point NaN');
  if (!Number.isFinite(value)) throw notAccepted('primitives', 'floating-point infinity');
}

const invalidInfo = ({ major, info }: Head) =>
  new CborError(`cbor: invalid additional information ${info} for type ${majorNames[major]}`, true);

const notAccepted = (type: string, what: string) =>
  new CborError(`cbor: data item of cbor type ${type} is not accepted by protocol: ${what}`, true);
