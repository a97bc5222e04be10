/** A block of PEM, from its first to its last dash. */
export interface PemBlock {
  readonly type: string;
  readonly text: string;
  /** Lines such as `Proc-Type: 4,ENCRYPTED` stand before the data. */
  readonly hasHeaders: boolean;
  /** The data, or nothing if it is no base64. */
  readonly data: Buffer | undefined;
}

/** The blocks in a text. What stands between them is ignored. */
export function pemBlocks(text: string): PemBlock[] {
  const blocks: PemBlock[] = [];
  let at = 0;
  for (;;) {
    const begin = text.indexOf('-----BEGIN ', at);
    if (begin < 0) return blocks;
    const typeEnd = text.indexOf('-----', begin + 11);
    if (typeEnd < 0) return blocks;
    const type = text.slice(begin + 11, typeEnd);
    const closing = `-----END ${type}-----`;
    const end = text.indexOf(closing, typeEnd);
    if (end < 0) return blocks;
    at = end + closing.length;
    const body = text.slice(typeEnd + 5, end);
    const hasHeaders = body.includes(':');
    const base64 = hasHeaders ? body.slice(body.search(/\n\r?\n/) + 1) : body;
    blocks.push({ type, text: text.slice(begin, at), hasHeaders, data: decoded(base64) });
  }
}

function decoded(base64: string): Buffer | undefined {
  const bare = base64.replace(/\s+/g, '');
  return /^[A-Za-z0-9+/]*={0,2}$/.test(bare) && bare.length % 4 === 0
    ? Buffer.from(bare, 'base64')
    : undefined;
}
