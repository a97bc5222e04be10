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
 * Returns the well-formed blocks of a text. Each END line is paired with the last BEGIN line before it. Malformed
 * blocks are ignored like the text around blocks.
 */
export function pemBlocks(text: string): PemBlock[] {
  const blocks: PemBlock[] = [];
  for (let searchStart = 0; ; ) {
    const endLineStart = text.indexOf(`\n${end}`, searchStart);
    if (endLineStart < 0) return blocks;
    const trailerStart = endLineStart + 1 + end.length;
    const block = parseBlock(text.slice(searchStart, endLineStart), text, trailerStart);
    if (block) blocks.push(block);
    searchStart = trailerStart;
  }
}

/**
 * Parses the block at the end of `textBeforeEnd`; undefined if it is malformed. `trailerStart` is the offset in `text`
 * after `-----END `.
 */
function parseBlock(textBeforeEnd: string, text: string, trailerStart: number): PemBlock | undefined {
  const beginLineStart = textBeforeEnd.lastIndexOf(begin);
  if (beginLineStart < 0 || (beginLineStart > 0 && textBeforeEnd[beginLineStart - 1] !== '\n'))
    return undefined;
  const first = readLine(textBeforeEnd, beginLineStart + begin.length);
  if (!first.line.endsWith(dashes)) return undefined;
  const trailer = first.line;
  if (!text.startsWith(trailer, trailerStart)) return undefined;
  if (readLine(text, trailerStart + trailer.length).line !== '') return undefined;
  const dataStart = skipHeaders(textBeforeEnd, first.next);
  const hasHeaders = dataStart > first.next;
  // The END line must not continue the last header line.
  if (hasHeaders && textBeforeEnd[dataStart - 1] !== '\n') return undefined;
  const data = decodeBase64(textBeforeEnd.slice(dataStart));
  return data && { type: trailer.slice(0, -dashes.length), hasHeaders, data };
}

/** Encodes data as one PEM block. */
export function toPem(type: string, data: Buffer): string {
  return `${begin}${type}${dashes}\n${data.toString('base64').replace(/.{1,64}/g, '$&\n')}${end}${type}${dashes}\n`;
}

/** The line at `start` without trailing whitespace, and the offset of the next line. */
function readLine(text: string, start: number): { readonly line: string; readonly next: number } {
  const newline = text.indexOf('\n', start);
  const next = newline < 0 ? text.length : newline + 1;
  let lineEnd = next;
  while (lineEnd > start && ' \t\r\n'.includes(text[lineEnd - 1]!)) lineEnd--;
  return { line: text.slice(start, lineEnd), next };
}

/** The offset after the header lines, which contain a colon. */
function skipHeaders(text: string, start: number): number {
  for (let lineStart = start; ; ) {
    const { line, next } = readLine(text, lineStart);
    if (!line.includes(':')) return lineStart;
    lineStart = next;
  }
}

/** Undefined if the text is not valid base64. Whitespace is allowed anywhere. */
function decodeBase64(base64: string): Buffer | undefined {
  const compactBase64 = base64.replace(/[ \t\r\n]/g, '');
  return /^[A-Za-z0-9+/]*={0,2}$/.test(compactBase64) && compactBase64.length % 4 === 0
    ? Buffer.from(compactBase64, 'base64')
    : undefined;
}
