// `orch blame`: writes an object as YAML lines, each with the field managers of the field on it.

import { encodeYamlAtColumn, encodeYamlMappingEntry } from '../../codec/yaml/encode.ts';
import { sortedKeys } from '../../codec/yaml/key-order.ts';
import type { FieldOwner, OwnedValue } from './blame.ts';

/** A line of YAML and the managers of the field that starts on it. */
export interface OwnedLine {
  readonly text: string;
  readonly owners: readonly FieldOwner[];
  /** Continues an earlier line: a multi-line string, or part of a value that is owned as a whole. */
  readonly continues: boolean;
}

/** Writes an object as YAML, in the layout of `encodeYaml`, with the managers of each line. */
export function ownedLines(root: OwnedValue): readonly OwnedLine[] {
  const output = new YamlLines();
  if (isNonEmpty(root)) output.addBlock(root, 0, '');
  else output.add(root, encodeYamlAtColumn(root.value, 0));
  return output.lines;
}

class YamlLines {
  readonly lines: OwnedLine[] = [];

  /**
   * Writes the members or items of a container. The first line starts with `start`, the others with the indentation.
   */
  addBlock(owned: OwnedValue, indent: number, start: string): void {
    const margin = ' '.repeat(indent);
    let prefix = start;
    for (const key of sortedKeys(owned.members ? Object.fromEntries(owned.members) : {})) {
      this.#addMember(key, owned.members!.get(key)!, indent, prefix);
      prefix = margin;
    }
    for (const item of owned.items ?? []) {
      this.#addItem(item, indent + 2, `${prefix}- `);
      prefix = margin;
    }
  }

  #addMember(key: string, owned: OwnedValue, indent: number, start: string): void {
    if (!isNonEmpty(owned)) {
      this.add(owned, `${start}${encodeYamlMappingEntry(key, owned.value, indent)}`);
      return;
    }
    // The entry of an empty list is the key with ` []`, which is cut off.
    const keyLine = encodeYamlMappingEntry(key, [], indent).slice(0, -' []'.length);
    // A long key takes several lines; its colon is on the last one.
    const isLong = keyLine.includes('\n');
    const innerIndent = owned.items && !isLong ? indent : indent + 2;
    const margin = ' '.repeat(innerIndent);
    if (isLong) {
      const lastBreak = keyLine.lastIndexOf('\n');
      this.add(owned, `${start}${keyLine.slice(0, lastBreak)}`);
      this.addBlock(owned, innerIndent, `${keyLine.slice(lastBreak + 1)} `);
    } else {
      this.add(owned, `${start}${keyLine}`);
      this.addBlock(owned, innerIndent, margin);
    }
  }

  #addItem(owned: OwnedValue, indent: number, start: string): void {
    if (!isNonEmpty(owned)) {
      this.add(owned, `${start}${encodeYamlAtColumn(owned.value, indent)}`);
      return;
    }
    const firstIndex = this.lines.length;
    this.addBlock(owned, indent, start);
    // The item's first line is also that of its first member; an item that is owned as a whole starts there.
    const first = this.lines[firstIndex]!;
    if (first.continues && !owned.isPart) this.lines[firstIndex] = { ...first, continues: false };
  }

  /** Adds the lines of a text, which is the YAML of one value. */
  add({ owners, isPart }: OwnedValue, text: string): void {
    for (const [index, line] of text.split('\n').entries()) {
      this.lines.push({ text: line, owners, continues: owners.length > 0 && (isPart || index > 0) });
    }
  }
}

function isNonEmpty({ members, items }: OwnedValue): boolean {
  return (members?.size ?? items?.length ?? 0) > 0;
}
