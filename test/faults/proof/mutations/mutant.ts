import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Cleanup } from '../cleanup.ts';
import type { Mutation } from './list.ts';

const root = resolve(import.meta.dirname, '../../../..');

/** A copy of the sources with one mutation. */
export function makeMutant(mutation: Mutation, cleanup: Cleanup): string {
  const copy = mkdtempSync(join(tmpdir(), 'orch-mutant-'));
  cleanup.after(async () => rmSync(copy, { recursive: true }));
  cpSync(join(root, 'src'), join(copy, 'src'), { recursive: true });
  cpSync(join(root, 'package.json'), join(copy, 'package.json'));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const [file, text] of mutatedFiles(mutation)) writeFileSync(join(copy, 'src', file), text);
  return copy;
}

/** The changed files with their content. Throws if the mutated text no longer exists. */
export function mutatedFiles({ name, edits }: Mutation): Map<string, string> {
  const files = new Map<string, string>();
  for (const { file, from, to } of edits) {
    const parts = (files.get(file) ?? readFileSync(join(root, 'src', file), 'utf8')).split(from);
    if (parts.length !== 2)
      throw new Error(
        `the mutation "${name}" has to be brought up to date: src/${file} has ${parts.length - 1} times: ${from}`,
      );
    files.set(file, parts.join(to));
  }
  return files;
}
