import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Cleanup } from '../cleanup.ts';
import type { Mutation } from './list.ts';

const root = resolve(import.meta.dirname, '../../../..');

/** A copy of this checkout's sources that is broken in one way. Throws where what is to be broken is not there any more. */
export function makeMutant({ name, edits }: Mutation, cleanup: Cleanup): string {
  const copy = mkdtempSync(join(tmpdir(), 'orch-mutant-'));
  cleanup.after(async () => rmSync(copy, { recursive: true }));
  cpSync(join(root, 'src'), join(copy, 'src'), { recursive: true });
  cpSync(join(root, 'package.json'), join(copy, 'package.json'));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const { file, from, to } of edits) {
    const path = join(copy, 'src', file);
    const parts = readFileSync(path, 'utf8').split(from);
    if (parts.length !== 2)
      throw new Error(
        `the mutation "${name}" has to be brought up to date: src/${file} has ${parts.length - 1} times: ${from}`,
      );
    writeFileSync(path, parts.join(to));
  }
  return copy;
}
