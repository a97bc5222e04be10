// PEM: finds the blocks in a text (RFC 7468, with the headers of RFC 1421). Text around blocks is ignored.

export interface PemBlock {
  readonly type: string;
  /** Whether header lines such as `Proc-Type: 4,ENCRYPTED` precede the data. */
  readonly hasHeaders: boolean;
  readonly data: Buffer;
}

const begin = '-----BEGIN ';
const end = '-----END ';
const dashes = '-----';

/**
 * Returns the well-formed blocks of a text. It searches for END lines and pairs each with the last BEGIN line before it;
 * damaged blocks are ignored like the text around blocks.
 */
export function pemBlocks(text: string): PemBlock[] {
  const blocks: PemBlock[] = [];
  for (let at = 0; ; ) {
    const endAt = text.indexOf(`\n${end}`, at);
    if (endAt < 0) return blocks;
    const trailerAt = endAt + 1 + end.length;
    const block = readBlock(text.slice(at, endAt), text, trailerAt);
    if (block) blocks.push(block);
    at = trailerAt;
  }
}

/** Parses the block at the end of `before`; `trailerAt` is the offset in `text` after `-----END `. */
function readBlock(before: string, text: string, trailerAt: number): PemBlock | undefined {
  const beginAt = before.lastIndexOf(begin);
  if (beginAt < 0 || (beginAt > 0 && before[beginAt - 1] !== '\n')) return undefined;
  const first = lineAt(before, beginAt + begin.length);
  if (!first.line.endsWith(dashes)) return undefined;
  const closing = first.line;
  if (!text.startsWith(closing, trailerAt)) return undefined;
  if (lineAt(text, trailerAt + closing.length).line !== '') return undefined;
  const dataAt = skipHeaders(before, first.next);
  const hasHeaders = dataAt > first.next;
  // The END line must not continue the last header line.
  if (hasHeaders && before[dataAt - 1] !== '\n') return undefined;
  const data = decoded(before.slice(dataAt));
  return data && { type: closing.slice(0, -dashes.length), hasHeaders, data };
}

/** Encodes data as one PEM block. */
export function toPem(type: string, data: Buffer): string {
  return `${begin}${type}${dashes}\n${data.toString('base64').replace(/.{1,64}/g, '$&\n')}${end}${type}${dashes}\n`;
}

/** The line from `from`, without trailing whitespace, and the offset of the next line. */
function lineAt(text: string, from: number): { readonly line: string; readonly next: number } {
  const newline = text.indexOf('\n', from);
  const next = newline < 0 ? text.length : newline + 1;
  let last = next;
  while (last > from && ' \t\r\n'.includes(text[last - 1]!)) last--;
  return { line: text.slice(from, last), next };
}

/** The offset after the header lines, which contain a colon. */
function skipHeaders(text: string, from: number): number {
  for (let at = from; ; ) {
    const { line, next } = lineAt(text, at);
    if (!line.includes(':')) return at;
    at = next;
  }
}

function decoded(base64: string): Buffer | undefined {
  const bare = base64.replace(/[ \t\r\n]/g, '');
  return /^[A-Za-z0-9+/]*={0,2}$/.test(bare) && bare.length % 4 === 0
    ? Buffer.from(bare, 'base64')
    : undefined;
}
