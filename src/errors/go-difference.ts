import { type Mark, type Shown, type ShownPart, showLines } from './go-lines.ts';
import { type GoValue, isZero, partsOf } from './go-value.ts';

/** How two values differ, in the lines that messages about forbidden changes show. '' where they do not. */
export function goDifference(before: GoValue, now: GoValue): string {
  const root = compare(before, now);
  return root.isSame ? '' : showLines(showChange(root, true));
}

/** Two values side by side: both, or the one that is there. */
interface Pair {
  readonly before: GoValue | undefined;
  readonly now: GoValue | undefined;
  readonly isSame: boolean;
  /** The parts of both, where both are made of parts. */
  readonly parts: readonly (readonly [key: string, pair: Pair])[] | undefined;
  /** How many parts there are in all, with the parts of parts, and how deep they go. */
  readonly size: number;
  readonly depth: number;
}

function compare(before: GoValue | undefined, now: GoValue | undefined): Pair {
  const [old, new_] = [before && partsOf(before), now && partsOf(now)];
  if (!before || !now || !old || !new_ || old.length + new_.length === 0) {
    const isSame = !!before && !!now && JSON.stringify(shape(before)) === JSON.stringify(shape(now));
    return { before, now, isSame, parts: undefined, size: 0, depth: 0 };
  }
  const parts = before.form === 'list' ? alignByPlace(old, new_) : alignByKey(old, new_);
  const pairs = parts.map(([key, one, other]) => [key, compare(one, other)] as const);
  return {
    before,
    now,
    isSame: pairs.every(([, pair]) => pair.isSame),
    parts: pairs,
    size: pairs.reduce((sum, [, pair]) => sum + pair.size + 1, 0),
    depth: 1 + Math.max(...pairs.map(([, pair]) => pair.depth)),
  };
}

function shape(value: GoValue): unknown {
  if (value.form === 'scalar') return value.text;
  if (value.form === 'struct') return value.fields.map(([, field]) => shape(field));
  return partsOf(value)?.map(([key, part]) => [key, shape(part)]) ?? null;
}

type Parts = readonly (readonly [key: string, part: GoValue])[];
type Aligned = [key: string, before: GoValue | undefined, now: GoValue | undefined];

function alignByKey(old: Parts, now: Parts): Aligned[] {
  const before = new Map(old);
  const after = new Map(now);
  const isMap = old.length !== now.length || old.some(([key], i) => now[i]?.[0] !== key);
  const keys = [...new Set([...before.keys(), ...after.keys()])];
  if (isMap) keys.sort();
  return keys.map((key) => [key, before.get(key), after.get(key)]);
}

/** What stands at both ends is the same; in between one element has become another, or is new, or gone. */
function alignByPlace(old: Parts, now: Parts): Aligned[] {
  const same = (i: number, j: number) =>
    JSON.stringify(shape(old[i]![1])) === JSON.stringify(shape(now[j]![1]));
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && same(start, start)) start++;
  let end = 0;
  while (end < shorter - start && same(old.length - 1 - end, now.length - 1 - end)) end++;
  const aligned: Aligned[] = [];
  for (let i = 0; i < Math.max(old.length, now.length) - end; i++) {
    aligned.push([
      '',
      i < old.length - end ? old[i]?.[1] : undefined,
      i < now.length - end ? now[i]?.[1] : undefined,
    ]);
  }
  for (let i = end; i > 0; i--) aligned.push(['', old[old.length - i]![1], now[now.length - i]![1]]);
  return aligned;
}

/** How much is shown of a value at each depth, beginning with these many levels. */
const levelsOfChanged = 3;
const levelsOfSame = 1;
const mostAt = (level: number) => ((1 << Math.max(level, 0)) >> 1) << 2;
/** How many neighbours of a change are shown. */
const context = 2;
const mostChanges = 16;

interface Style {
  /** The type is said, where the value is of one that has a name worth saying. */
  readonly typed: boolean;
  readonly level: number;
}

function showValue(value: GoValue, { typed, level }: Style, isSame: boolean): Shown {
  switch (value.form) {
    case 'scalar':
      return value.text;
    case 'pointer':
      return value.target ? prefixed('&', showValue(value.target, { typed, level }, isSame)) : 'nil';
    default:
  }
  const parts = partsOf(value) ?? (value.form === 'struct' ? value.fields : undefined);
  if (!parts) return 'nil';
  const named = value.form !== 'list';
  const inner = { typed: value.form === 'struct', level: level - 1 };
  const visible = value.form === 'struct' ? parts.filter(([, part]) => !isZero(part)) : parts;
  const most = mostAt(level);
  const shown: ShownPart[] = visible
    .slice(0, most)
    .map(([key, part]) => ({ key: named ? key : '', value: showValue(part, inner, isSame) }));
  if (visible.length > most) shown.push({ key: '', value: '...' });
  return { prefix: `${typed && !isSame ? value.type : ''}{`, parts: shown, suffix: '}' };
}

function prefixed(prefix: string, shown: Shown): Shown {
  if (typeof shown === 'string') return prefix + shown;
  return { ...shown, prefix: prefix + shown.prefix };
}

/** A pair of which nothing has changed. */
function showSame(pair: Pair, typed: boolean): Shown {
  const value = pair.now!;
  if (!pair.parts) return showValue(value, { typed, level: levelsOfSame }, true);
  if (value.form === 'pointer') return prefixed('&', showSame(pair.parts[0]![1], typed));
  const isStruct = value.form === 'struct';
  const most = mostAt(levelsOfSame);
  const shown: ShownPart[] = [];
  for (const [key, part] of pair.parts) {
    if (shown.length === most) {
      // What is left may be zero: it is not looked at.
      shown.push({ key: '', value: '...' });
      break;
    }
    if (isStruct && isZero(part.now!)) continue;
    shown.push({ key: value.form === 'list' ? '' : key, value: showSame(part, isStruct) });
  }
  return { prefix: '{', parts: shown, suffix: '}' };
}

function showChange(pair: Pair, typed: boolean): Shown {
  const value = pair.now!;
  if (value.form === 'pointer') return prefixed('&', showChange(pair.parts![0]![1], typed));
  const isStruct = value.form === 'struct';
  const unit = isStruct ? 'field' : value.form === 'map' ? 'entry' : 'element';
  const type = value.form === 'scalar' ? '' : value.type;
  const shown: ShownPart[] = [];
  const groups = groupsOf(pair.parts ?? []);
  let changes = 0;
  for (const [i, group] of groups.entries()) {
    if (group[0]![1].isSame) {
      shown.push(...showSameGroup(group, i === 0, i === groups.length - 1, unit, isStruct, value.form));
      continue;
    }
    for (const [key, part] of group) {
      if (changes++ >= mostChanges) break;
      shown.push(...showPart(value.form === 'list' ? '' : key, part, isStruct));
    }
  }
  return { prefix: `${typed ? type : ''}{`, parts: shown, suffix: '}' };
}

type Group = readonly (readonly [key: string, pair: Pair])[];

/** Neighbours that have all changed, or all not. */
function groupsOf(parts: Group): Group[] {
  const groups: (readonly [string, Pair])[][] = [];
  for (const part of parts) {
    const last = groups.at(-1);
    if (last && last[0]![1].isSame === part[1].isSame) last.push(part);
    else groups.push([part]);
  }
  return groups;
}

function showSameGroup(
  group: Group,
  isFirst: boolean,
  isLast: boolean,
  unit: string,
  typed: boolean,
  form: GoValue['form'],
): ShownPart[] {
  const after = isFirst ? 0 : Math.min(context, group.length);
  let before = isLast ? 0 : Math.min(context, group.length - after);
  if (group.length - after - before === 1) before++;
  const hidden = group.length - after - before;
  const show = ([key, pair]: Group[number]): ShownPart => ({
    key: form === 'list' ? '' : key,
    value: showSame(pair, typed),
  });
  const comment = `${hidden} identical ${plural(unit, hidden)}`;
  return [
    ...group.slice(0, after).map(show),
    ...(hidden > 0 ? [{ key: '', value: '...', comment }] : []),
    ...group.slice(group.length - before).map(show),
  ];
}

const plural = (unit: string, count: number) =>
  count === 1 ? unit : unit === 'entry' ? 'entries' : `${unit}s`;

function showPart(key: string, pair: Pair, typed: boolean): ShownPart[] {
  const isChain = pair.size === pair.depth;
  if (!isChain) return [{ key, value: showChange(pair, typed) }];
  const one = (mark: Mark, value: GoValue | undefined): ShownPart[] =>
    value ? [{ key, mark, value: showValue(value, { typed, level: levelsOfChanged }, false) }] : [];
  return [...one('-', pair.before), ...one('+', pair.now)];
}
