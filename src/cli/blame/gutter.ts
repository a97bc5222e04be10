// `orch blame`: prints lines with field managers in columns on the left.
import { ageFormatterAt } from '../../kind/table/age-formatter.ts';
import { since } from '../../kind/table/cells.ts';
import type { FieldOwner } from './blame.ts';
import type { OwnedLine } from './lines.ts';

/** Colors the text of a line's managers: equal managers have equal colors. */
export type Paint = (text: string, owner: FieldOwner | undefined) => string;

export const noPaint: Paint = (text) => text;

/** The ditto mark, printed instead of the manager if it is that of the line above. */
const sameManager = '"';

/** Columns: manager, operation, age. Further managers of a line follow on lines of their own, marked with `&`. */
export function withGutter(lines: readonly OwnedLine[], nowMs: number, paint: Paint): readonly string[] {
  const rows = lines.flatMap((line) => toRows(line, nowMs));
  const ageColumn = 2;
  const widths = [0, 1, ageColumn].map((column) =>
    Math.max(0, ...rows.map(({ cells }) => cells[column]!.length)),
  );
  return rows.map(({ cells, owner, text }) => {
    const padded = cells.map((cell, column) =>
      column === ageColumn ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
    );
    return `${paint(padded.join('  '), owner)} | ${text}`.trimEnd();
  });
}

interface Row {
  readonly cells: readonly [manager: string, operation: string, age: string];
  readonly owner: FieldOwner | undefined;
  readonly text: string;
}

function toRows({ text, owners, continues }: OwnedLine, nowMs: number): Row[] {
  const [first, ...others] = owners;
  if (first === undefined) return [{ cells: ['', '', ''], owner: undefined, text }];
  if (continues) return [{ cells: [sameManager, '', ''], owner: undefined, text }];
  return [
    { cells: toCells(first, nowMs), owner: first, text },
    ...others.map((owner): Row => {
      const [manager, operation, age] = toCells(owner, nowMs);
      return { cells: [`& ${manager}`, operation, age], owner, text: '' };
    }),
  ];
}

function toCells({ manager, operation, subresource, time }: FieldOwner, nowMs: number): Row['cells'] {
  return [
    manager === '' ? 'unknown' : manager,
    subresource === '' ? operation : `${operation}/${subresource}`,
    time === undefined ? '' : since(time, ageFormatterAt(nowMs)),
  ];
}

/** ANSI color codes. */
const hues = [36, 33, 35, 32, 34, 96, 93, 95, 92, 94];
const dim = 90;

/** One color per manager, in turn; grey for fields without a manager. */
export function paintByOwner(owners: readonly FieldOwner[]): Paint {
  const hueOf = new Map(owners.map((owner, index) => [owner, hues[index % hues.length]!]));
  return (text, owner) => `\u001b[${(owner && hueOf.get(owner)) ?? dim}m${text}\u001b[0m`;
}
