import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Cleanup } from '../cleanup.ts';
import type { Options } from '../options.ts';
import type { Progress } from '../progress.ts';
import { Orch } from './orch.ts';
import { findReference, Reference } from './reference.ts';
import type { Side } from './side.ts';

/** The sides that this run compares, ready to be started. */
export async function prepareSides(
  options: Options,
  repository: string,
  folder: string,
  cleanup: Cleanup,
  progress: Progress,
): Promise<Side[]> {
  const sides: Side[] = [];
  const prepare = async (name: string, make: (own: string) => Promise<Side>): Promise<void> => {
    const own = join(folder, name);
    mkdirSync(own);
    const side = await make(own);
    cleanup.add(() => side.stop());
    sides.push(side);
  };
  if (options.sides !== 'reference') {
    buildIfMissing(repository, progress);
    await prepare('orch', (own) => Orch.prepare(repository, own));
  }
  if (options.sides !== 'orch') {
    const kit = findReference(repository);
    if (kit !== undefined) {
      progress.step('preparing the reference');
      // `down` ends what `up` may have left running if preparing ends half-way.
      const preparing = new AbortController();
      cleanup.add(() => {
        preparing.abort();
        execFileSync(join(kit, 'down'), ['--dir', join(folder, 'reference')]);
      });
      await prepare('reference', (own) => Reference.prepare(kit, own, preparing.signal));
    } else if (options.sides === 'reference') {
      throw new Error('there is no reference: set ORCH_REFERENCE to the folder with its `up`');
    } else {
      progress.step(
        `${'!'.repeat(20)} NO REFERENCE: ORCH_REFERENCE is not set. Orch is measured alone. ${'!'.repeat(20)}`,
      );
    }
  }
  return sides;
}

function buildIfMissing(repository: string, progress: Progress): void {
  if (existsSync(join(repository, 'dist/main.js'))) return;
  progress.step('building Orch');
  execFileSync('npm', ['run', 'build'], { cwd: repository, stdio: ['ignore', 'ignore', 'inherit'] });
}
