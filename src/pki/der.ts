// A strict DER parser with the error messages of Go's encoding/asn1, which clients see in Status bodies. It neither copies
// nor recurses: the caller decides how deep to parse.

/** One DER value. `content` excludes the header, `whole` includes it. */
export interface Element {
  readonly class: number;
  readonly tag: number;
  readonly isCompound: boolean;
  readonly content: Buffer;
  readonly whole: Buffer;
}

export class DerProblem extends Error {}

export const tags = {
  boolean: 1,
  integer: 2,
  bitString: 3,
  octetString: 4,
  objectId: 6,
  sequence: 16,
  set: 17,
} as const;
const compound: ReadonlySet<number> = new Set([tags.sequence, tags.set]);

const syntax = (what: string) => new DerProblem(`asn1: syntax error: ${what}`);
const structure = (what: string) => new DerProblem(`asn1: structure error: ${what}`);

/** Reads consecutive DER values. */
export class DerReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** Reads a value with this tag, or throws. `name` is the field name in error messages. */
  read(tag: number, name: string, context = false): Element {
    return this.#next((head, start) => {
      const fits = head.tag === tag && head.class === (context ? 2 : 0);
      if (fits && head.isCompound === (context || compound.has(tag))) return;
      const found = `{class:${head.class} tag:${head.tag} length:${head.length} isCompound:${head.isCompound}}`;
      throw structure(`tags don't match (${tag} vs ${found}) ${plainParameters} ${name} @${start}`);
    });
  }

  /** Reads the next value if it has this tag (an OPTIONAL field). */
  readIf(tag: number): Element | undefined {
    if (this.isAtEnd) return undefined;
    const head = readHead(this.#bytes, this.#at);
    return head.tag === tag && head.class === 0 && !head.isCompound ? this.readAny() : undefined;
  }

  /** Reads the next value, whatever its tag. */
  readAny(): Element {
    return this.#next(() => {});
  }

  #next(check: (head: Head, start: number) => void): Element {
    if (this.isAtEnd) throw syntax('sequence truncated');
    const from = this.#at;
    const head = readHead(this.#bytes, from);
    check(head, head.end);
    if (head.length > this.#bytes.length - head.end) throw syntax('data truncated');
    this.#at = head.end + head.length;
    return elementAt(this.#bytes, from, head);
  }
}

/** How Go prints the default fieldParameters in error messages. */
const plainParameters =
  '{optional:false explicit:false application:false private:false defaultValue:<nil> tag:<nil> stringType:0 timeType:0 set:false omitEmpty:false}';

/** Bounds memory; real certificates and requests have far fewer elements. */
const maxElements = 10_000;

/** Parses consecutive values; with `tag`, all must have it. */
export function elementsOf(bytes: Buffer, tag?: number): Element[] {
  const elements: Element[] = [];
  for (let at = 0; at < bytes.length; ) {
    const head = readHead(bytes, at);
    const fits =
      tag === undefined || (head.class === 0 && head.tag === tag && head.isCompound === compound.has(tag));
    if (!fits) throw structure('sequence tag mismatch');
    if (head.length > bytes.length - head.end) throw syntax('truncated sequence');
    if (elements.length === maxElements) throw structure('too many elements');
    elements.push(elementAt(bytes, at, head));
    at = head.end + head.length;
  }
  return elements;
}

/** Validates an OBJECT IDENTIFIER and returns its content in hexadecimal. */
export function objectId({ content }: Element): string {
  if (content.length === 0) throw syntax('zero length OBJECT IDENTIFIER');
  let isStart = true;
  for (const byte of content) {
    if (isStart && byte === 0x80) throw syntax('integer is not minimally encoded');
    isStart = byte < 0x80;
  }
  if (!isStart) throw syntax('truncated base 128 integer');
  return content.toString('hex');
}

/** Validates a BIT STRING and returns its bytes. */
export function bitStringBytes({ content }: Element): Buffer {
  if (content.length === 0) throw syntax('zero length BIT STRING');
  const padding = content[0]!;
  const last = content[content.length - 1]!;
  if (padding > 7 || (content.length === 1 && padding > 0) || (last & ((1 << padding) - 1)) !== 0) {
    throw syntax('invalid padding bits in BIT STRING');
  }
  return content.subarray(1);
}

/** Throws unless the BOOLEAN is 0x00 or 0xff, as DER requires. */
export function checkBoolean({ content }: Element): void {
  if (content.length !== 1 || (content[0] !== 0 && content[0] !== 0xff)) throw syntax('invalid boolean');
}

/** Throws unless the INTEGER is minimally encoded and fits 64 bits. */
export function checkInteger({ content }: Element): void {
  const [first, second] = content;
  if (first === undefined) throw structure('empty integer');
  if (second !== undefined && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80))) {
    throw structure('integer not minimally-encoded');
  }
  if (content.length > 8) throw structure('integer too large');
}

/** Throws if there is trailing data. */
export function requireEnd(reader: DerReader): void {
  if (!reader.isAtEnd) throw syntax('trailing data');
}

interface Head {
  readonly class: number;
  readonly tag: number;
  readonly isCompound: boolean;
  readonly length: number;
  /** Offset of the content. */
  readonly end: number;
}

function elementAt(
  bytes: Buffer,
  from: number,
  { class: kind, tag, isCompound, length, end }: Head,
): Element {
  const content = bytes.subarray(end, end + length);
  return { class: kind, tag, isCompound, content, whole: bytes.subarray(from, end + length) };
}

function readHead(bytes: Buffer, from: number): Head {
  const first = bytes[from]!;
  let at = from + 1;
  let tag = first & 0x1f;
  if (tag === 0x1f) {
    ({ tag, at } = longTag(bytes, at));
    if (tag < 0x1f) throw syntax('non-minimal tag');
  }
  let length = bytes[at++];
  if (length === undefined) throw syntax('truncated tag or length');
  if (length >= 0x80) {
    const count = length & 0x7f;
    if (count === 0) throw syntax('indefinite length found (not DER)');
    length = 0;
    for (let i = 0; i < count; i++) {
      const byte = bytes[at++];
      if (byte === undefined) throw syntax('truncated tag or length');
      if (length >= 1 << 23) throw structure('length too large');
      length = length * 256 + byte;
      if (length === 0) throw structure('superfluous leading zeros in length');
    }
    if (length < 0x80) throw structure('non-minimal length');
  }
  return { class: first >> 6, tag, isCompound: (first & 0x20) !== 0, length, end: at };
}

function longTag(bytes: Buffer, from: number): { tag: number; at: number } {
  let tag = 0;
  for (let at = from; at < from + 4; at++) {
    const byte = bytes[at];
    if (byte === undefined) throw syntax('truncated base 128 integer');
    if (at === from && byte === 0x80) throw syntax('integer is not minimally encoded');
    tag = tag * 128 + (byte & 0x7f);
    if (byte < 0x80) return { tag, at: at + 1 };
  }
  throw structure('base 128 integer too large');
}
