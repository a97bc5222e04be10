// Diffs of Go values in the layout of go-cmp.
import { compact, type DiffRecord, type DiffText, ellipsis, renderDiffLines } from './go-cmp-lines.ts';
import { type GoEntry, type GoValue, isSame, isZero } from './go-value.ts';
import { quote } from './quote.ts';

/**
 * The diff of two values in go-cmp's layout: removed and added values with a few unchanged ones around them.
 */
export function goCmpDiff(before: GoValue, now: GoValue): string {
  return `  ${renderDiffLines(compact(showDifference({ x: before, y: now }, 'always')))}\n`;
}

/** Two values to compare; one is absent for an added or removed element. */
interface Pair {
  readonly x?: GoValue;
  readonly y?: GoValue;
}
interface KeyedPair extends Pair {
  readonly key: string;
}

/** Whether a composite is printed with its type; `auto`: unless the context implies it. */
type TypeMode = 'always' | 'never' | 'auto';
type Mode = 'same' | '-' | '+';
type Composite = Extract<GoValue, { type: string }>;

/** Unchanged values shown before and after a difference. */
const maxContextRecords = 2;

function showDifference(pair: Pair, types: TypeMode): DiffText {
  const { x, y } = pair;
  if (x?.kind === 'pointer' && y?.kind === 'pointer') {
    return prefixed('&', showDifference({ x: x.to, y: y.to }, types));
  }
  const value = (x ?? y)!;
  const records = groups(partsOf(pair)).flatMap((group, i, all) =>
    group.same
      ? sameRecords(group.parts, i > 0, i < all.length - 1, value)
      : group.parts.flatMap((part) => changedRecords(part, typesInside(value))),
  );
  return typed(value, records, types, 'both');
}

function sameRecords(
  parts: readonly KeyedPair[],
  after: boolean,
  before: boolean,
  value: GoValue,
): DiffRecord[] {
  const low = after ? Math.min(maxContextRecords, parts.length) : 0;
  let high = before ? Math.min(maxContextRecords, parts.length - low) : 0;
  // Eliding a single value would save nothing.
  if (parts.length - low - high === 1) high++;
  const show = (part: KeyedPair): DiffRecord => ({
    change: ' ',
    key: part.key,
    value: showSide(part, 'same', typesInside(value))!,
  });
  const left = parts.length - low - high;
  const noun = value.kind === 'struct' ? 'fields' : value.kind === 'list' ? 'elements' : 'entries';
  const leftOut: DiffRecord = { ...gap, comment: `${left} identical ${noun}` };
  return [
    ...parts.slice(0, low).map(show),
    ...(left > 0 ? [leftOut] : []),
    ...parts.slice(parts.length - high).map(show),
  ];
}

function changedRecords(part: KeyedPair, types: TypeMode): DiffRecord[] {
  const { key } = part;
  if (!isChain(part)) return [{ change: ' ', key, value: showDifference(part, types) }];
  return (['-', '+'] as const).flatMap((change): DiffRecord[] => {
    const value = showSide(part, change, types);
    return value === undefined ? [] : [{ change, key, value }];
  });
}

/** Whether the value has a single leaf, however deep: then both sides are printed in full. */
function isChain(pair: Pair): boolean {
  const { x, y } = pair;
  if (x?.kind === 'pointer' && y?.kind === 'pointer') return isChain({ x: x.to, y: y.to });
  if (isLeaf(pair)) return true;
  const parts = partsOf(pair);
  return parts.length === 1 && isChain(parts[0]!);
}

function isLeaf({ x, y }: Pair): boolean {
  if (!x || !y || x.kind !== y.kind) return true;
  return x.kind === 'struct' ? x.whole === true : x.kind !== 'list' && x.kind !== 'map';
}

/** The fields, elements or entries of both values, paired. */
function partsOf({ x, y }: Pair): KeyedPair[] {
  if (x?.kind === 'struct' && y?.kind === 'struct') {
    return x.fields.map(({ key, value }, i) => ({ key, x: value, y: y.fields[i]!.value }));
  }
  if (x?.kind === 'list' && y?.kind === 'list') return pairItems(x.items, y.items);
  if (x?.kind === 'map' && y?.kind === 'map') return pairEntries(x.entries, y.entries);
  return [];
}

/** Aligns the common prefix and suffix; elements between are paired in order. */
function pairItems(xs: readonly GoValue[], ys: readonly GoValue[]): KeyedPair[] {
  const shorter = Math.min(xs.length, ys.length);
  let start = 0;
  while (start < shorter && isSame(xs[start]!, ys[start]!)) start++;
  let end = 0;
  while (end < shorter - start && isSame(xs.at(-1 - end)!, ys.at(-1 - end)!)) end++;
  const pairs: KeyedPair[] = [];
  const [xEnd, yEnd] = [xs.length - end, ys.length - end];
  for (let i = 0; i < start; i++) pairs.push({ key: '', x: xs[i]!, y: ys[i]! });
  for (let i = start; i < Math.max(xEnd, yEnd); i++) {
    const x = i < xEnd ? [{ key: '', x: xs[i]! }] : [];
    const y = i < yEnd ? [{ key: '', y: ys[i]! }] : [];
    const isOne = x[0] && y[0] && areAlike({ ...x[0], ...y[0] });
    pairs.push(...(isOne ? [{ ...x[0]!, ...y[0]! }] : [...x, ...y]));
  }
  for (let i = end; i > 0; i--) pairs.push({ key: '', x: xs.at(-i)!, y: ys.at(-i)! });
  return pairs;
}

/** go-cmp's similarity heuristic: not much more differs than is equal. */
function areAlike(pair: Pair): boolean {
  const { same, differing } = tally(pair);
  return same + 1 >= differing;
}

function tally(pair: Pair): { same: number; differing: number } {
  const { x, y } = pair;
  if (x?.kind === 'pointer' && y?.kind === 'pointer') return tally({ x: x.to, y: y.to });
  if (isLeaf(pair)) return x && y && isSame(x, y) ? { same: 1, differing: 0 } : { same: 0, differing: 1 };
  return partsOf(pair)
    .map(tally)
    .reduce(
      (one, other) => ({
        same: one.same + other.same,
        differing: one.differing + other.differing,
      }),
      { same: 0, differing: 0 },
    );
}

function pairEntries(xs: readonly GoEntry[], ys: readonly GoEntry[]): KeyedPair[] {
  const before = new Map(xs.map(({ key, value }) => [key, value]));
  const now = new Map(ys.map(({ key, value }) => [key, value]));
  return [...new Set([...before.keys(), ...now.keys()])].sort().map((key) => {
    const [x, y] = [before.get(key), now.get(key)];
    return { key, ...(x && { x }), ...(y && { y }) };
  });
}

interface Group {
  readonly same: boolean;
  readonly parts: KeyedPair[];
}

/** Runs of equal and of different pairs. */
function groups(parts: readonly KeyedPair[]): Group[] {
  const result: Group[] = [];
  for (const part of parts) {
    const same = part.x !== undefined && part.y !== undefined && isSame(part.x, part.y);
    const last = result.at(-1);
    if (last?.same === same) last.parts.push(part);
    else result.push({ same, parts: [part] });
  }
  return result;
}

function typesInside(value: GoValue): TypeMode {
  return value.kind === 'struct' ? 'auto' : 'never';
}

/** One side of a pair, or both if equal; undefined if that side is absent. */
function showSide(pair: Pair, mode: Mode, types: TypeMode): DiffText | undefined {
  const { x, y } = pair;
  const value = mode === '+' ? y : x;
  if (value === undefined) return undefined;
  if (x?.kind === 'pointer' && y?.kind === 'pointer') {
    return prefixed('&', showSide({ x: x.to, y: y.to }, mode, types)!);
  }
  if (isLeaf(pair)) return showWhole(value, mode, types, mode === 'same' ? 1 : 3);
  const records: DiffRecord[] = [];
  for (const part of partsOf(pair)) {
    // go-cmp counts elided values without checking whether they would be printed.
    if (records.length === (mode === 'same' ? 4 : 16)) {
      records.push(gap);
      break;
    }
    const own = mode === '+' ? part.y : part.x;
    if (own === undefined || (value.kind === 'struct' && isZero(own))) continue;
    records.push({ change: ' ', key: part.key, value: showSide(part, mode, typesInside(value))! });
  }
  return typed(value, records, types, mode);
}

const gap: DiffRecord = { change: ' ', key: '', value: ellipsis };

/** A value printed without comparison; deeper levels are truncated. */
function showWhole(value: GoValue, mode: Mode, types: TypeMode, detail: number): DiffText {
  switch (value.kind) {
    case 'nil':
      return 'nil';
    case 'plain':
      return value.text;
    case 'string':
      return showText(value.text, detail);
    case 'pointer':
      if (value.as !== undefined) return `s${showText(value.as, detail)}`;
      return prefixed('&', showWhole(value.to, mode, types, detail));
    default: {
      const most = ((1 << detail) >> 1) << 2;
      const entries = entriesOf(value);
      const records = entries.slice(0, most).map(
        (entry): DiffRecord => ({
          change: ' ',
          key: entry.key,
          value: showWhole(entry.value, mode, typesInside(value), Math.max(0, detail - 1)),
        }),
      );
      return typed(value, entries.length > most ? [...records, gap] : records, types, mode);
    }
  }
}

function entriesOf(value: Composite): readonly GoEntry[] {
  if (value.kind === 'struct') return value.fields.filter((field) => !isZero(field.value));
  return value.kind === 'map' ? value.entries : value.items.map((item) => ({ key: '', value: item }));
}

function typed(value: GoValue, records: readonly DiffRecord[], types: TypeMode, mode: Mode | 'both') {
  const isShown = types === 'always' || (types === 'auto' && mode !== 'same');
  return { prefix: isShown && 'type' in value ? value.type : '', records };
}

function prefixed(prefix: string, shown: DiffText): DiffText {
  return typeof shown === 'string' ? prefix + shown : { ...shown, prefix: prefix + shown.prefix };
}

/** Quoted, with backquotes if that avoids escapes, and truncated if long. */
function showText(text: string, detail: number): string {
  const most = 1 << (detail + 5);
  const [cut, end] = text.length > most + ellipsis.length ? [text.slice(0, most), ellipsis] : [text, ''];
  const quoted = quote(cut);
  const isRaw = quoted.length !== cut.length + 2 && !/[`\n\p{C}]/u.test(cut);
  return (isRaw ? `\`${cut}\`` : quoted) + end;
}
