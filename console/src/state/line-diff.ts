// The difference of two texts by lines: the longest common subsequence, found on what the two do not share at both ends.

export interface DiffLine {
  readonly type: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Beyond this many pairs of lines, the middle is shown as removed and added. */
const maxPairs = 4_000_000;

export function diffLines(before: string, after: string): readonly DiffLine[] {
  const one = before.split('\n');
  const other = after.split('\n');
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start++;
  let end = 0;
  while (
    end < one.length - start &&
    end < other.length - start &&
    one[one.length - 1 - end] === other[other.length - 1 - end]
  ) {
    end++;
  }
  const same = (lines: readonly string[]) => lines.map((text) => ({ type: 'same' as const, text }));
  return [
    ...same(one.slice(0, start)),
    ...diffMiddle(one.slice(start, one.length - end), other.slice(start, other.length - end)),
    ...same(one.slice(one.length - end)),
  ];
}

function diffMiddle(one: readonly string[], other: readonly string[]): DiffLine[] {
  const removed = (text: string): DiffLine => ({ type: 'removed', text });
  const added = (text: string): DiffLine => ({ type: 'added', text });
  if (one.length * other.length > maxPairs) return [...one.map(removed), ...other.map(added)];
  const width = other.length + 1;
  /** The length of the common subsequence from line i of the one and line j of the other on. */
  const lengths = new Uint32Array((one.length + 1) * width);
  for (let i = one.length - 1; i >= 0; i--) {
    for (let j = other.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        one[i] === other[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
    }
  }
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < one.length && j < other.length) {
    if (one[i] === other[j]) {
      lines.push({ type: 'same', text: one[i]! });
      i++;
      j++;
    } else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) lines.push(removed(one[i++]!));
    else lines.push(added(other[j++]!));
  }
  return [...lines, ...one.slice(i).map(removed), ...other.slice(j).map(added)];
}

/** Leaves out lines far from a change; a gap is undefined. */
export function withContext(lines: readonly DiffLine[], context: number): readonly (DiffLine | undefined)[] {
  const isNear = new Uint8Array(lines.length);
  for (const [index, { type }] of lines.entries()) {
    if (type === 'same') continue;
    for (let i = Math.max(0, index - context); i <= Math.min(lines.length - 1, index + context); i++)
      isNear[i] = 1;
  }
  const shown: (DiffLine | undefined)[] = [];
  for (const [index, line] of lines.entries()) {
    if (isNear[index]) shown.push(line);
    else if (shown.length > 0 && shown.at(-1) !== undefined) shown.push(undefined);
  }
  if (shown.length > 0 && shown.at(-1) === undefined) shown.pop();
  return shown;
}
