// A copy of the checkout in a temporary folder, in which sources are mutated while the checkout stays as it is.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Mutation, mutated } from './mutation.ts';

const copied = ['src', 'test', 'scripts', 'docs', 'package.json'];

export class Workspace {
  readonly folder = mkdtempSync(join(tmpdir(), 'orch-mutations-'));

  constructor(root: string) {
    for (const name of copied) cpSync(join(root, name), join(this.folder, name), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(this.folder, 'node_modules'));
  }

  /** Runs with the mutation applied, and takes it back. */
  async with<T>(mutation: Mutation, run: () => Promise<T>): Promise<T> {
    const path = join(this.folder, mutation.file);
    const source = readFileSync(path, 'utf8');
    writeFileSync(path, mutated(source, mutation));
    try {
      return await run();
    } finally {
      writeFileSync(path, source);
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
