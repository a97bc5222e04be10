// Warning headers (RFC 7234, code 299).

/** The maximum length of all texts together; above it each text is truncated, and texts that do not fit are dropped. */
const maxTotalRunes = 4096;
const maxTruncatedRunes = 256;

/** The values of the `Warning` headers for these texts. */
export function warningHeaders(texts: readonly string[]): string[] {
  const distinct = [...new Set(texts)];
  const total = distinct.reduce((sum, text) => sum + countRunes(text), 0);
  if (total <= maxTotalRunes) return distinct.map(warningHeader);
  const headers: string[] = [];
  let remaining = maxTotalRunes;
  for (const text of new Set(distinct.map((text) => [...text].slice(0, maxTruncatedRunes).join('')))) {
    remaining -= countRunes(text);
    if (remaining < 0) break;
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
