// The layout of go-cmp diffs: a value takes one line if it fits, otherwise several lines with aligned values.

/** A rendered value: its text, or a block whose records may need several lines. */
export type DiffText = string | DiffBlock;

interface DiffBlock {
  /** The Go type or `&` before the brace. */
  readonly prefix: string;
  readonly records: readonly DiffRecord[];
}

/** One field, element or entry of a block. */
export interface DiffRecord {
  readonly change: DiffSign;
  /** '' for an element of a list. */
  readonly key: string;
  readonly value: DiffText;
  /** Printed after an ellipsis: the number and kind of the elided values. */
  readonly comment?: string;
}

/** Unchanged, removed or added. */
export type DiffSign = ' ' | '-' | '+';

export const ellipsis = '...';
/** An added or removed value longer than this takes several lines. */
const maxLineBytes = 80;

/** Replaces blocks that fit on one line by their text. */
export function joinLines(text: DiffText, change: DiffSign = ' '): DiffText {
  if (typeof text === 'string') return text;
  const records = text.records.map((record) => ({
    ...record,
    value: joinLines(record.value, record.change === ' ' ? change : record.change),
  }));
  const isOneLine = records.every(
    ({ change: ownChange, value, comment }) =>
      ownChange === ' ' && typeof value === 'string' && comment === undefined,
  );
  if (isOneLine) {
    const line = records.map(({ key, value }) => (key === '' ? value : `${key}: ${value}`)).join(', ');
    if (change === ' ' || Buffer.byteLength(line) <= maxLineBytes) return `${text.prefix}{${line}}`;
  }
  return { ...text, records };
}

/** Every line starts with its diff sign, then a tab per level. */
export function renderDiffLines(block: DiffText, change: DiffSign = ' ', depth = 0): string {
  if (typeof block === 'string') return block;
  const paddings = keyPaddings(block.records);
  let text = `${block.prefix}{`;
  for (const [i, { key, value, change: ownChange, comment }] of block.records.entries()) {
    const sign = ownChange === ' ' ? change : ownChange;
    text += `\n${sign} ${'\t'.repeat(depth + 1)}`;
    if (key !== '') text += `${key}: ${' '.repeat(paddings[i]!)}`;
    text += renderDiffLines(value, sign, depth + 1);
    if (value !== ellipsis) text += ',';
    if (comment !== undefined) text += ` // ${comment}`;
  }
  return `${text}\n${change} ${'\t'.repeat(depth)}}`;
}

/** The spaces after each key that align the values of neighbouring lines. */
function keyPaddings(records: readonly DiffRecord[]): number[] {
  const paddings = records.map(() => 0);
  const isAligned = ({ key, value }: DiffRecord) => key !== '' && typeof value === 'string';
  for (let start = 0; start < records.length; ) {
    let end = start;
    while (end < records.length && isAligned(records[end]!)) end++;
    let maxWidth = 0;
    for (let i = start; i < end; i++) maxWidth = Math.max(maxWidth, records[i]!.key.length);
    for (let i = start; i < end; i++) paddings[i] = maxWidth - records[i]!.key.length;
    start = end + 1;
  }
  return paddings;
}
