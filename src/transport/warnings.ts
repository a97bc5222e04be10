// Warning headers (RFC 7234, code 299).

/**
 * The maximum length of all texts together, in runes (Go's word for code points). Above it each text is truncated, and the
 * texts that still do not fit are dropped.
 */
const maxTotalRunes = 4096;
const maxTruncatedRunes = 256;

/** The values of the `Warning` headers for these texts. */
export function warningHeaders(texts: readonly string[]): string[] {
  const distinctTexts = [...new Set(texts)];
  const totalRunes = distinctTexts.reduce((sum, text) => sum + countRunes(text), 0);
  if (totalRunes <= maxTotalRunes) return distinctTexts.map(warningHeader);
  const headers: string[] = [];
  let remainingRunes = maxTotalRunes;
  for (const text of new Set(distinctTexts.map((text) => [...text].slice(0, maxTruncatedRunes).join('')))) {
    remainingRunes -= countRunes(text);
    if (remainingRunes < 0) break;
    headers.push(warningHeader(text));
  }
  return headers;
}

function warningHeader(text: string): string {
  const printable = text.replace(/[\x00-\x1f\x7f]/g, ' ').replace(/["\\]/g, '\\$&');
  // Node writes headers as latin1: text beyond ASCII is sent as UTF-8 bytes.
  return Buffer.from(`299 - "${printable}"`, 'utf8').toString('latin1');
}

function countRunes(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
