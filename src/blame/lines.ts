import { sortedKeys } from '../codec/yaml/key-order.ts';
import { writeYamlAt, writeYamlPair } from '../codec/yaml/write.ts';
import type { FieldOwner, OwnedValue } from './blame.ts';

/** A line of YAML, with the owners of the field that begins on it. */
export interface OwnedLine {
  readonly text: string;
  readonly owners: readonly FieldOwner[];
  /** It belongs to what an earlier line began: to a text of several lines, or to a part that is owned as a whole. */
  readonly continues: boolean;
}

/** An object as YAML, in the layout of `writeYaml`, line by line with the owners. */
export function ownedLines(root: OwnedValue): readonly OwnedLine[] {
  const page = new Page();
  if (holdsSomething(root)) page.block(root, 0, '');
  else page.add(root, writeYamlAt(root.value, 0));
  return page.lines;
}

class Page {
  readonly lines: OwnedLine[] = [];

  /** What lies in an object or list. The first line begins with `start`, the others with the indentation. */
  block(owned: OwnedValue, indent: number, start: string): void {
    const margin = ' '.repeat(indent);
    let before = start;
    for (const key of sortedKeys(owned.members ? Object.fromEntries(owned.members) : {})) {
      this.#pair(key, owned.members!.get(key)!, indent, before);
      before = margin;
    }
    for (const item of owned.items ?? []) {
      this.#item(item, indent + 2, `${before}- `);
      before = margin;
    }
  }

  #pair(key: string, owned: OwnedValue, indent: number, start: string): void {
    if (!holdsSomething(owned)) {
      this.add(owned, `${start}${writeYamlPair(key, owned.value, indent)}`);
      return;
    }
    const head = writeYamlPair(key, [], indent).slice(0, -' []'.length);
    const isLong = head.includes('\n');
    const inner = owned.items && !isLong ? indent : indent + 2;
    const margin = ' '.repeat(inner);
    if (isLong) {
      const colon = head.lastIndexOf('\n');
      this.add(owned, `${start}${head.slice(0, colon)}`);
      this.block(owned, inner, `${head.slice(colon + 1)} `);
    } else {
      this.add(owned, `${start}${head}`);
      this.block(owned, inner, margin);
    }
  }

  #item(owned: OwnedValue, indent: number, start: string): void {
    if (!holdsSomething(owned)) {
      this.add(owned, `${start}${writeYamlAt(owned.value, indent)}`);
      return;
    }
    const at = this.lines.length;
    this.block(owned, indent, start);
    // Its first line is also that of its first part; one that is owned as a whole begins there.
    const first = this.lines[at]!;
    if (first.continues && !owned.isPart) this.lines[at] = { ...first, continues: false };
  }

  add({ owners, isPart }: OwnedValue, text: string): void {
    for (const [index, line] of text.split('\n').entries()) {
      this.lines.push({ text: line, owners, continues: owners.length > 0 && (isPart || index > 0) });
    }
  }
}

function holdsSomething({ members, items }: OwnedValue): boolean {
  return (members?.size ?? items?.length ?? 0) > 0;
}
