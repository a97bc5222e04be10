// Diffs of two Go values as github.com/google/go-cmp prints them, for error messages that contain one (a forbidden change
// of a Pod's spec).
import { type DiffRecord, type DiffText, ellipsis, joinLines, renderDiffLines } from './go-cmp-lines.ts';
import { type GoEntry, type GoValue, isEqual, isZero } from './go-value.ts';
import { quote } from './quote.ts';

/** Removed and added values with a few unchanged ones around them, as `cmp.Diff` prints them. */
export function goCmpDiff(oldValue: GoValue, newValue: GoValue): string {
  return `  ${renderDiffLines(joinLines(renderDifference({ x: oldValue, y: newValue }, 'always')))}\n`;
}

/** The old value `x` and the new value `y`, as go-cmp names them; one is absent for an added or removed element. */
interface Pair {
  readonly x?: GoValue;
  readonly y?: GoValue;
}
/** A field of a struct, element of a list or entry of a map. */
interface KeyedPair extends Pair {
  /** The field name or map key; '' for an element of a list. */
  readonly key: string;
}

/** Whether a composite is printed with its type; `auto`: unless the context implies it. */
type TypeMode = 'always' | 'never' | 'auto';
/** The side of a pair that is printed: the old value, the new value, or both if they are equal. */
type Side = 'same' | '-' | '+';
type Composite = Extract<GoValue, { type: string }>;

/** Unchanged values printed before and after a difference. */
const maxContextRecords = 2;

/** Prints two different values: the differences inside them, with unchanged parts around each. */
function renderDifference(pair: Pair, typeMode: TypeMode): DiffText {
  const { x, y } = pair;
  if (x?.kind === 'pointer' && y?.kind === 'pointer') {
    return withPrefix('&', renderDifference({ x: x.pointee, y: y.pointee }, typeMode));
  }
  const value = (x ?? y)!;
  // Groups of equal and of changed parts alternate, so an equal group has changes before and after it, except at the ends.
  const records = groupByEquality(partsOf(pair)).flatMap((group, i, groups) =>
    group.isEqual
      ? equalRecords(value, group.parts, { followsChange: i > 0, precedesChange: i < groups.length - 1 })
      : group.parts.flatMap((part) => changedRecords(part, typeModeInside(value))),
  );
  return withType(value, records, typeMode, 'both');
}

/** Equal parts of `value`: the ones next to a change, and an ellipsis for the others. */
function equalRecords(
  value: GoValue,
  parts: readonly KeyedPair[],
  { followsChange, precedesChange }: { readonly followsChange: boolean; readonly precedesChange: boolean },
): DiffRecord[] {
  const leadingCount = followsChange ? Math.min(maxContextRecords, parts.length) : 0;
  let trailingCount = precedesChange ? Math.min(maxContextRecords, parts.length - leadingCount) : 0;
  // Eliding a single value would save nothing.
  if (parts.length - leadingCount - trailingCount === 1) trailingCount++;
  const render = (part: KeyedPair): DiffRecord => ({
    change: ' ',
    key: part.key,
    value: renderSide(part, 'same', typeModeInside(value))!,
  });
  const elidedCount = parts.length - leadingCount - trailingCount;
  const elision: DiffRecord = { ...elidedRecord, comment: `${elidedCount} identical ${partNoun(value)}` };
  return [
    ...parts.slice(0, leadingCount).map(render),
    ...(elidedCount > 0 ? [elision] : []),
    ...parts.slice(parts.length - trailingCount).map(render),
  ];
}

function partNoun({ kind }: GoValue): string {
  if (kind === 'struct') return 'fields';
  return kind === 'list' ? 'elements' : 'entries';
}

/** A changed part: one record with the differences inside it, or its old and its new value in full. */
function changedRecords(part: KeyedPair, typeMode: TypeMode): DiffRecord[] {
  const { key } = part;
  if (!hasSingleLeaf(part)) return [{ change: ' ', key, value: renderDifference(part, typeMode) }];
  return (['-', '+'] as const).flatMap((change): DiffRecord[] => {
    const rendered = renderSide(part, change, typeMode);
    return rendered === undefined ? [] : [{ change, key, value: rendered }];
  });
}

/** Whether the value has a single leaf, however deep: then both sides are printed in full. */
function hasSingleLeaf(pair: Pair): boolean {
  const { x, y } = pair;
  if (x?.kind === 'pointer' && y?.kind === 'pointer') return hasSingleLeaf({ x: x.pointee, y: y.pointee });
  if (isLeaf(pair)) return true;
  const parts = partsOf(pair);
  return parts.length === 1 && hasSingleLeaf(parts[0]!);
}

function isLeaf({ x, y }: Pair): boolean {
  if (!x || !y || x.kind !== y.kind) return true;
  return x.kind === 'struct' ? x.isOpaque === true : x.kind !== 'list' && x.kind !== 'map';
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

/** Aligns the common prefix and suffix; elements between are paired in order if they are similar. */
function pairItems(xs: readonly GoValue[], ys: readonly GoValue[]): KeyedPair[] {
  const minLength = Math.min(xs.length, ys.length);
  let prefixLength = 0;
  while (prefixLength < minLength && isEqual(xs[prefixLength]!, ys[prefixLength]!)) prefixLength++;
  let suffixLength = 0;
  while (
    suffixLength < minLength - prefixLength &&
    isEqual(xs.at(-1 - suffixLength)!, ys.at(-1 - suffixLength)!)
  )
    suffixLength++;
  const pairs: KeyedPair[] = [];
  const [xEnd, yEnd] = [xs.length - suffixLength, ys.length - suffixLength];
  for (let i = 0; i < prefixLength; i++) pairs.push({ key: '', x: xs[i]!, y: ys[i]! });
  for (let i = prefixLength; i < Math.max(xEnd, yEnd); i++) {
    const x = i < xEnd ? xs[i] : undefined;
    const y = i < yEnd ? ys[i] : undefined;
    if (x && y && areSimilar({ x, y })) pairs.push({ key: '', x, y });
    else {
      if (x) pairs.push({ key: '', x });
      if (y) pairs.push({ key: '', y });
    }
  }
  for (let i = suffixLength; i > 0; i--) pairs.push({ key: '', x: xs.at(-i)!, y: ys.at(-i)! });
  return pairs;
}

/** go-cmp's similarity heuristic: not much more differs than is equal. */
function areSimilar(pair: Pair): boolean {
  const { equal, different } = countLeaves(pair);
  return equal + 1 >= different;
}

function countLeaves(pair: Pair): { equal: number; different: number } {
  const { x, y } = pair;
  if (x?.kind === 'pointer' && y?.kind === 'pointer') return countLeaves({ x: x.pointee, y: y.pointee });
  if (isLeaf(pair)) return x && y && isEqual(x, y) ? { equal: 1, different: 0 } : { equal: 0, different: 1 };
  return partsOf(pair)
    .map(countLeaves)
    .reduce(
      (a, b) => ({
        equal: a.equal + b.equal,
        different: a.different + b.different,
      }),
      { equal: 0, different: 0 },
    );
}

function pairEntries(xs: readonly GoEntry[], ys: readonly GoEntry[]): KeyedPair[] {
  const oldByKey = new Map(xs.map(({ key, value }) => [key, value]));
  const newByKey = new Map(ys.map(({ key, value }) => [key, value]));
  return [...new Set([...oldByKey.keys(), ...newByKey.keys()])].sort().map((key) => {
    const [x, y] = [oldByKey.get(key), newByKey.get(key)];
    return { key, ...(x && { x }), ...(y && { y }) };
  });
}

interface Group {
  readonly isEqual: boolean;
  readonly parts: KeyedPair[];
}

/** Runs of equal and of different pairs. */
function groupByEquality(parts: readonly KeyedPair[]): Group[] {
  const result: Group[] = [];
  for (const part of parts) {
    const areEqual = part.x !== undefined && part.y !== undefined && isEqual(part.x, part.y);
    const last = result.at(-1);
    if (last?.isEqual === areEqual) last.parts.push(part);
    else result.push({ isEqual: areEqual, parts: [part] });
  }
  return result;
}

/** How the parts of a value show their types: a list or map names the type of its elements itself. */
function typeModeInside(value: GoValue): TypeMode {
  return value.kind === 'struct' ? 'auto' : 'never';
}

/** Prints one side of a pair, or both if equal; undefined if that side is absent. */
function renderSide(pair: Pair, side: Side, typeMode: TypeMode): DiffText | undefined {
  const { x, y } = pair;
  const value = side === '+' ? y : x;
  if (value === undefined) return undefined;
  if (x?.kind === 'pointer' && y?.kind === 'pointer') {
    return withPrefix('&', renderSide({ x: x.pointee, y: y.pointee }, side, typeMode)!);
  }
  if (isLeaf(pair)) return renderWhole(value, side, typeMode, detailOf(side));
  const records: DiffRecord[] = [];
  for (const part of partsOf(pair)) {
    // go-cmp counts elided values without checking whether they would be printed.
    if (records.length === maxEntriesAt(detailOf(side))) {
      records.push(elidedRecord);
      break;
    }
    const sideValue = side === '+' ? part.y : part.x;
    if (sideValue === undefined || (value.kind === 'struct' && isZero(sideValue))) continue;
    records.push({ change: ' ', key: part.key, value: renderSide(part, side, typeModeInside(value))! });
  }
  return withType(value, records, typeMode, side);
}

const elidedRecord: DiffRecord = { change: ' ', key: '', value: ellipsis };

/** The detail in which a value is printed: unchanged values are shortened more than changed ones. */
const detailOf = (side: Side) => (side === 'same' ? 1 : 3);

/** The number of fields, elements or entries that are printed: 16 at detail 3, 4 at 1, none at 0. */
const maxEntriesAt = (detail: number) => ((1 << detail) >> 1) << 2;

/** Prints a value without comparison. The detail decreases with every level, down to 0. */
function renderWhole(value: GoValue, side: Side, typeMode: TypeMode, detail: number): DiffText {
  switch (value.kind) {
    case 'nil':
      return 'nil';
    case 'plain':
      return value.text;
    case 'string':
      return renderString(value.text, detail);
    case 'pointer':
      if (value.formatted !== undefined) return `s${renderString(value.formatted, detail)}`;
      return withPrefix('&', renderWhole(value.pointee, side, typeMode, detail));
    default: {
      const maxEntries = maxEntriesAt(detail);
      const entries = entriesOf(value);
      const records = entries.slice(0, maxEntries).map(
        (entry): DiffRecord => ({
          change: ' ',
          key: entry.key,
          value: renderWhole(entry.value, side, typeModeInside(value), Math.max(0, detail - 1)),
        }),
      );
      return withType(
        value,
        entries.length > maxEntries ? [...records, elidedRecord] : records,
        typeMode,
        side,
      );
    }
  }
}

function entriesOf(value: Composite): readonly GoEntry[] {
  if (value.kind === 'struct') return value.fields.filter((field) => !isZero(field.value));
  return value.kind === 'map' ? value.entries : value.items.map((item) => ({ key: '', value: item }));
}

function withType(value: GoValue, records: readonly DiffRecord[], typeMode: TypeMode, side: Side | 'both') {
  const hasType = typeMode === 'always' || (typeMode === 'auto' && side !== 'same');
  return { prefix: hasType && 'type' in value ? value.type : '', records };
}

function withPrefix(prefix: string, rendered: DiffText): DiffText {
  return typeof rendered === 'string' ? prefix + rendered : { ...rendered, prefix: prefix + rendered.prefix };
}

/** Quoted, with backquotes if that avoids escapes, and truncated if long. */
function renderString(text: string, detail: number): string {
  const maxLength = 1 << (detail + 5);
  const [kept, suffix] =
    text.length > maxLength + ellipsis.length ? [text.slice(0, maxLength), ellipsis] : [text, ''];
  const quoted = quote(kept);
  const isRaw = quoted.length !== kept.length + 2 && !/[`\n\p{C}]/u.test(kept);
  return (isRaw ? `\`${kept}\`` : quoted) + suffix;
}
