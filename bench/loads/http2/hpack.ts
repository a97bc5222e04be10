// HPACK without a dynamic table (RFC 7541): request headers as literals, and the status of a response.

/** Indexes of the static table. */
const staticIndex = { authority: 1, method: 2, path: 4, accept: 19, authorization: 23, contentLength: 28 };
const contentTypeIndex = 31;
const indexedField = 0x80;
const [methodGet, methodPost, schemeHttps] = [2, 3, 7].map((index) => indexedField | index);

export interface RequestHead {
  readonly method: string;
  readonly path: string;
  readonly authority: string;
  readonly token: string;
  /** Of requests with a body. */
  readonly content?: { readonly type: string; readonly length: number };
}

export function encodeHead({ method, path, authority, token, content }: RequestHead): Buffer {
  const bytes: number[] = [];
  if (method === 'GET') bytes.push(methodGet!);
  else if (method === 'POST') bytes.push(methodPost!);
  else literal(bytes, staticIndex.method, method);
  bytes.push(schemeHttps!);
  literal(bytes, staticIndex.authority, authority);
  literal(bytes, staticIndex.path, path);
  literal(bytes, staticIndex.accept, 'application/json');
  literal(bytes, staticIndex.authorization, `Bearer ${token}`);
  if (content) {
    literal(bytes, contentTypeIndex, content.type);
    literal(bytes, staticIndex.contentLength, String(content.length));
  }
  return Buffer.from(bytes);
}

/** A literal field that enters no table, with the name of a static entry. */
function literal(bytes: number[], nameIndex: number, value: string): void {
  integer(bytes, nameIndex, 4);
  integer(bytes, value.length, 7);
  for (let i = 0; i < value.length; i++) bytes.push(value.charCodeAt(i));
}

function integer(bytes: number[], value: number, prefixBits: number): void {
  const max = 2 ** prefixBits - 1;
  if (value < max) {
    bytes.push(value);
    return;
  }
  bytes.push(max);
  let rest = value - max;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  bytes.push(rest);
}

const statusIndexes = [200, 204, 206, 304, 400, 404, 500];
const firstStatusIndex = 8;
const literalValueBits = 0x0f;

/** The status code, which is the first field of a response; 0 if it cannot be read. */
export function readStatus(block: Buffer): number {
  let offset = 0;
  // Updates of the table size, which the client sets to 0.
  while ((block[offset]! & 0xe0) === 0x20) offset++;
  const first = block[offset] ?? 0;
  if (first & indexedField) return statusIndexes[(first & 0x7f) - firstStatusIndex] ?? 0;
  const nameIndex = first & 0x40 ? first & 0x3f : first & literalValueBits;
  if (nameIndex < firstStatusIndex || nameIndex >= firstStatusIndex + statusIndexes.length) return 0;
  const length = block[offset + 1] ?? 0;
  const value = block.subarray(offset + 2, offset + 2 + (length & 0x7f));
  return Number(length & 0x80 ? huffmanDigits(value) : value.toString('latin1'));
}

/** Digits in the Huffman code of HPACK: 0, 1 and 2 have five bits, the others six. */
function huffmanDigits(bytes: Buffer): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  let text = '';
  while (text.length < 3) {
    const short = Number.parseInt(bits.slice(0, 5), 2);
    text += short <= 2 ? short : Number.parseInt(bits.slice(0, 6), 2) - 0b011001 + 3;
    bits = bits.slice(short <= 2 ? 5 : 6);
  }
  return text;
}
