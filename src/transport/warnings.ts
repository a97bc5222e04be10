// Warning headers (RFC 7234, code 299).

/**
 * The maximum length of all texts together, in runes (Go's word for code points). Above it each text is truncated, and the
 * texts that still do not fit are dropped.
 */
const maxTotalRunes = 4096;
const maxTruncatedRunes = 256;

/** The values of the `Warning` headers for these texts. */
export function warningHeaders(texts: readonly string[]): string[] {
  return (headersWithin(texts, maxTotalRunes) ?? truncatedHeaders(texts)).map(warningHeader);
}

/** The distinct texts; undefined if they are too long. Reads no more of them than fit: there may be very many. */
function headersWithin(texts: readonly string[], maxRunes: number): string[] | undefined {
  const distinctTexts = new Set<string>();
  let totalRunes = 0;
  for (const text of texts) {
    if (distinctTexts.has(text)) continue;
    distinctTexts.add(text);
    totalRunes += countRunes(text, maxRunes);
    if (totalRunes > maxRunes) return undefined;
  }
  return [...distinctTexts];
}

/** The distinct truncated texts that fit, up to the first that does not. */
function truncatedHeaders(texts: readonly string[]): string[] {
  const truncatedTexts = new Set<string>();
  let remainingRunes = maxTotalRunes;
  for (const text of texts) {
    const truncated = truncate(text);
    if (truncatedTexts.has(truncated)) continue;
    remainingRunes -= countRunes(truncated, maxTruncatedRunes);
    if (remainingRunes < 0) break;
    truncatedTexts.add(truncated);
  }
  return [...truncatedTexts];
}

/** A rune has at most two UTF-16 code units. */
const truncate = (text: string) =>
  [...text.slice(0, 2 * maxTruncatedRunes)].slice(0, maxTruncatedRunes).join('');

function warningHeader(text: string): string {
  const printable = text.replace(/[\x00-\x1f\x7f]/g, ' ').replace(/["\\]/g, '\\$&');
  // Node writes headers as latin1: text beyond ASCII is sent as UTF-8 bytes.
  return Buffer.from(`299 - "${printable}"`, 'utf8').toString('latin1');
}

/** Stops counting above `max`. */
function countRunes(text: string, max: number): number {
  let count = 0;
  for (const _ of text) if (++count > max) break;
  return count;
}
