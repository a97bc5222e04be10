/** What stands at the start of a line that is gone, or new. */
export type Mark = '-' | '+';

/** A value to be laid out: a line, or parts in braces. */
export type Shown = string | ShownParts;

export interface ShownParts {
  readonly prefix: string;
  readonly parts: readonly ShownPart[];
  readonly suffix: string;
}

export interface ShownPart {
  readonly key: string;
  readonly value: Shown;
  readonly mark?: Mark;
  readonly comment?: string;
}

/** A line that is gone or new is broken up beyond this length. */
const longestLine = 80;

export function showLines(shown: Shown): string {
  return `${indent(undefined, 0)}${expand(compact(shown, undefined).shown, undefined, 0)}\n`;
}

/** As much as possible in one line: the text it would be, and what it has become. */
function compact(shown: Shown, mark: Mark | undefined): { text: string; shown: Shown } {
  if (typeof shown === 'string') return { text: shown, shown };
  let isOneLine = true;
  const texts: string[] = [];
  const parts = shown.parts.map((part) => {
    const inner = compact(part.value, part.mark ?? mark);
    texts.push(part.key === '' ? inner.text : `${part.key}: ${inner.text}`);
    if (part.mark || part.comment !== undefined || typeof inner.shown !== 'string') isOneLine = false;
    return { ...part, value: inner.shown };
  });
  const inside = texts.join(', ');
  if (mark && inside.length > longestLine) isOneLine = false;
  const text = shown.prefix + inside + shown.suffix;
  return { text, shown: isOneLine ? text : { ...shown, parts } };
}

function expand(shown: Shown, mark: Mark | undefined, depth: number): string {
  if (typeof shown === 'string') return shown;
  const widths = keyWidths(shown.parts);
  const lines = shown.parts.map((part, i) => {
    const own = part.mark ?? mark;
    const key = part.key === '' ? '' : `${part.key}: `.padEnd(widths[i]! + 2);
    const comma = part.value === '...' ? '' : ',';
    const comment = part.comment === undefined ? '' : ` // ${part.comment}`;
    return `\n${indent(own, depth + 1)}${key}${expand(part.value, own, depth + 1)}${comma}${comment}`;
  });
  return `${shown.prefix}${lines.join('')}\n${indent(mark, depth)}${shown.suffix}`;
}

/** Values of neighbouring lines begin at the same column. */
function keyWidths(parts: readonly ShownPart[]): number[] {
  const widths = parts.map(() => 0);
  let group: number[] = [];
  const close = () => {
    const widest = Math.max(0, ...group.map((i) => parts[i]!.key.length));
    for (const i of group) widths[i] = widest;
    group = [];
  };
  for (const [i, { key, value }] of parts.entries()) {
    if (key !== '' && typeof value === 'string') group.push(i);
    else close();
  }
  close();
  return widths;
}

function indent(mark: Mark | undefined, depth: number): string {
  return `${mark ?? ' '} ${'\t'.repeat(depth)}`;
}
