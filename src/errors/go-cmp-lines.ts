// Layout of go-cmp diffs: single lines where possible, otherwise several lines with aligned values.

export type DiffText = string | DiffBlock;

interface DiffBlock {
  readonly prefix: string;
  readonly records: readonly DiffRecord[];
}

export interface DiffRecord {
  readonly change: DiffSign;
  readonly key: string;
  readonly value: DiffText;
  /** Follows an ellipsis: the number and kind of the elided values. */
  readonly comment?: string;
}

export type DiffSign = ' ' | '-' | '+';

export const ellipsis = '...';
/** An added or removed value longer than this takes several lines. */
const maxLineBytes = 80;

/** Joins everything that fits on one line. */
export function compact(shown: DiffText, change: DiffSign = ' '): DiffText {
  if (typeof shown === 'string') return shown;
  const records = shown.records.map((record) => ({
    ...record,
    value: compact(record.value, record.change === ' ' ? change : record.change),
  }));
  const isOneLine = records.every(
    ({ change: own, value, comment }) => own === ' ' && typeof value === 'string' && comment === undefined,
  );
  if (isOneLine) {
    const line = records.map(({ key, value }) => (key === '' ? value : `${key}: ${value}`)).join(', ');
    if (change === ' ' || Buffer.byteLength(line) <= maxLineBytes) return `${shown.prefix}{${line}}`;
  }
  return { ...shown, records };
}

/** Every line starts with its diff sign, then a tab per level. */
export function renderDiffLines(shown: DiffText, change: DiffSign = ' ', depth = 0): string {
  if (typeof shown === 'string') return shown;
  const paddings = keyPaddings(shown.records);
  let text = `${shown.prefix}{`;
  for (const [i, { key, value, change: own, comment }] of shown.records.entries()) {
    const at = own === ' ' ? change : own;
    text += `\n${at} ${'\t'.repeat(depth + 1)}`;
    if (key !== '') text += `${key}: ${' '.repeat(paddings[i]!)}`;
    text += renderDiffLines(value, at, depth + 1);
    if (value !== ellipsis) text += ',';
    if (comment !== undefined) text += ` // ${comment}`;
  }
  return `${text}\n${change} ${'\t'.repeat(depth)}}`;
}

/** Aligns the values of neighbouring lines. */
function keyPaddings(records: readonly DiffRecord[]): number[] {
  const paddings = records.map(() => 0);
  const isAligned = ({ key, value }: DiffRecord) => key !== '' && typeof value === 'string';
  for (let start = 0; start < records.length; ) {
    let end = start;
    while (end < records.length && isAligned(records[end]!)) end++;
    let widest = 0;
    for (let i = start; i < end; i++) widest = Math.max(widest, records[i]!.key.length);
    for (let i = start; i < end; i++) paddings[i] = widest - records[i]!.key.length;
    start = end + 1;
  }
  return paddings;
}
