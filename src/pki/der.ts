// A strict DER parser with the error messages of Go's encoding/asn1, which clients see in Status bodies. It neither
// copies nor recurses: the caller parses nested values. For certificate signing requests; certificates are parsed with
// x509/der-cursor.ts, because Go parses them with another package and other messages.

/** A DER value. `content` excludes the header, `whole` includes it. */
export interface DerElement {
  readonly class: number;
  readonly tag: number;
  readonly isCompound: boolean;
  readonly content: Buffer;
  readonly whole: Buffer;
}

export class DerError extends Error {}

/** Tag classes that occur in certificates and requests. */
const classes = { universal: 0, contextSpecific: 2 } as const;

/** Universal tags. */
export const tags = {
  boolean: 1,
  integer: 2,
  bitString: 3,
  octetString: 4,
  objectId: 6,
  sequence: 16,
  set: 17,
} as const;
/** Universal tags of the string types. */
export const stringTags = { utf8: 12, numeric: 18, printable: 19, t61: 20, ia5: 22, bmp: 30 } as const;
const compoundTags: ReadonlySet<number> = new Set([tags.sequence, tags.set]);

const syntaxError = (message: string) => new DerError(`asn1: syntax error: ${message}`);
const structureError = (message: string) => new DerError(`asn1: structure error: ${message}`);

/** Reads consecutive DER values. */
export class DerReader {
  readonly #bytes: Buffer;
  #offset = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#offset === this.#bytes.length;
  }

  /** Reads a value with this universal tag, or throws. `name` is the field name in error messages. */
  read(tag: number, name: string): DerElement {
    return this.#readTagged(classes.universal, tag, compoundTags.has(tag), name);
  }

  /** Reads a compound value with the context-specific tag `[number]`, or throws. */
  readContextSpecific(number: number, name: string): DerElement {
    return this.#readTagged(classes.contextSpecific, number, true, name);
  }

  #readTagged(tagClass: number, tag: number, isCompound: boolean, name: string): DerElement {
    return this.#next((head, contentStart) => {
      if (head.tag === tag && head.class === tagClass && head.isCompound === isCompound) return;
      const actual = `{class:${head.class} tag:${head.tag} length:${head.length} isCompound:${head.isCompound}}`;
      throw structureError(
        `tags don't match (${tag} vs ${actual}) ${defaultFieldParameters} ${name} @${contentStart}`,
      );
    });
  }

  /** Reads the next value if it has this tag (an OPTIONAL field); undefined otherwise. */
  readIf(tag: number): DerElement | undefined {
    if (this.isAtEnd) return undefined;
    const head = parseHeader(this.#bytes, this.#offset);
    return head.tag === tag && head.class === classes.universal && !head.isCompound
      ? this.readAny()
      : undefined;
  }

  /** Reads the next value, whatever its tag. */
  readAny(): DerElement {
    return this.#next(() => {});
  }

  /** `assertHeader` throws for an unexpected header; `contentStart` is the offset of the content. */
  #next(assertHeader: (head: DerHeader, contentStart: number) => void): DerElement {
    if (this.isAtEnd) throw syntaxError('sequence truncated');
    const start = this.#offset;
    const head = parseHeader(this.#bytes, start);
    assertHeader(head, head.end);
    if (head.length > this.#bytes.length - head.end) throw syntaxError('data truncated');
    this.#offset = head.end + head.length;
    return createElement(this.#bytes, start, head);
  }
}

/** The default fieldParameters in Go's error messages. */
const defaultFieldParameters =
  '{optional:false explicit:false application:false private:false defaultValue:<nil> tag:<nil> stringType:0 timeType:0 set:false omitEmpty:false}';

/** Limits memory; certificates and requests have far fewer elements. */
const maxElements = 10_000;

/** Parses consecutive values; with `tag`, all must have it. */
export function parseElements(bytes: Buffer, tag?: number): DerElement[] {
  const elements: DerElement[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const head = parseHeader(bytes, offset);
    const matches =
      tag === undefined ||
      (head.class === classes.universal && head.tag === tag && head.isCompound === compoundTags.has(tag));
    if (!matches) throw structureError('sequence tag mismatch');
    if (head.length > bytes.length - head.end) throw syntaxError('truncated sequence');
    if (elements.length === maxElements) throw structureError('too many elements');
    elements.push(createElement(bytes, offset, head));
    offset = head.end + head.length;
  }
  return elements;
}

/** Validates an OBJECT IDENTIFIER and returns its content in hexadecimal. */
export function parseObjectIdentifier({ content }: DerElement): string {
  if (content.length === 0) throw syntaxError('zero length OBJECT IDENTIFIER');
  let isStart = true;
  for (const byte of content) {
    if (isStart && byte === 0x80) throw syntaxError('integer is not minimally encoded');
    isStart = byte < 0x80;
  }
  if (!isStart) throw syntaxError('truncated base 128 integer');
  return content.toString('hex');
}

/** Validates a BIT STRING and returns its bytes. */
export function parseBitString({ content }: DerElement): Buffer {
  if (content.length === 0) throw syntaxError('zero length BIT STRING');
  const padding = content[0]!;
  const last = content[content.length - 1]!;
  if (padding > 7 || (content.length === 1 && padding > 0) || (last & ((1 << padding) - 1)) !== 0) {
    throw syntaxError('invalid padding bits in BIT STRING');
  }
  return content.subarray(1);
}

/** Throws unless the BOOLEAN is 0x00 or 0xff, as DER requires. */
export function assertValidBoolean({ content }: DerElement): void {
  if (content.length !== 1 || (content[0] !== 0 && content[0] !== 0xff)) throw syntaxError('invalid boolean');
}

/** Throws unless the INTEGER is minimally encoded and fits 64 bits. */
export function assertValidInteger({ content }: DerElement): void {
  const [first, second] = content;
  if (first === undefined) throw structureError('empty integer');
  if (second !== undefined && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80))) {
    throw structureError('integer not minimally-encoded');
  }
  if (content.length > 8) throw structureError('integer too large');
}

/** Throws if there is trailing data. */
export function assertEnd(reader: DerReader): void {
  if (!reader.isAtEnd) throw syntaxError('trailing data');
}

interface DerHeader {
  readonly class: number;
  readonly tag: number;
  readonly isCompound: boolean;
  readonly length: number;
  /** Offset of the content. */
  readonly end: number;
}

function createElement(
  bytes: Buffer,
  start: number,
  { class: tagClass, tag, isCompound, length, end }: DerHeader,
): DerElement {
  const content = bytes.subarray(end, end + length);
  return { class: tagClass, tag, isCompound, content, whole: bytes.subarray(start, end + length) };
}

function parseHeader(bytes: Buffer, start: number): DerHeader {
  const first = bytes[start]!;
  let offset = start + 1;
  let tag = first & 0x1f;
  if (tag === 0x1f) {
    ({ tag, offset } = parseLongTag(bytes, offset));
    if (tag < 0x1f) throw syntaxError('non-minimal tag');
  }
  let length = bytes[offset++];
  if (length === undefined) throw syntaxError('truncated tag or length');
  if (length >= 0x80) {
    const count = length & 0x7f;
    if (count === 0) throw syntaxError('indefinite length found (not DER)');
    length = 0;
    for (let i = 0; i < count; i++) {
      const byte = bytes[offset++];
      if (byte === undefined) throw syntaxError('truncated tag or length');
      if (length >= 1 << 23) throw structureError('length too large');
      length = length * 256 + byte;
      if (length === 0) throw structureError('superfluous leading zeros in length');
    }
    if (length < 0x80) throw structureError('non-minimal length');
  }
  return { class: first >> 6, tag, isCompound: (first & 0x20) !== 0, length, end: offset };
}

function parseLongTag(bytes: Buffer, start: number): { tag: number; offset: number } {
  let tag = 0;
  for (let offset = start; offset < start + 4; offset++) {
    const byte = bytes[offset];
    if (byte === undefined) throw syntaxError('truncated base 128 integer');
    if (offset === start && byte === 0x80) throw syntaxError('integer is not minimally encoded');
    tag = tag * 128 + (byte & 0x7f);
    if (byte < 0x80) return { tag, offset: offset + 1 };
  }
  throw structureError('base 128 integer too large');
}
