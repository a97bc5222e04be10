// Prepares the servers that a benchmark run compares.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Cleanup } from '../cleanup.ts';
import type { Options } from '../options.ts';
import type { Progress } from '../progress.ts';
import { Orch } from './orch.ts';
import { findReference, Reference } from './reference.ts';
import type { Side } from './side.ts';

/** Returns the servers, not started. */
export async function prepareSides(
  options: Options,
  repository: string,
  folder: string,
  cleanup: Cleanup,
  progress: Progress,
): Promise<Side[]> {
  const prepare = async <T extends Side>(
    name: string,
    make: (ownFolder: string) => Promise<T>,
  ): Promise<T> => {
    const ownFolder = join(folder, name);
    mkdirSync(ownFolder);
    const side = await make(ownFolder);
    cleanup.add(() => side.stop());
    return side;
  };
  const prepareReference = async (): Promise<Reference | undefined> => {
    const kit = findReference(repository);
    if (kit === undefined) return undefined;
    progress.step('preparing the reference');
    // `down` stops the processes of an `up` that was interrupted.
    const abort = new AbortController();
    cleanup.add(() => {
      abort.abort();
      execFileSync(join(kit, 'down'), ['--dir', join(folder, 'reference')]);
    });
    return prepare('reference', (ownFolder) => Reference.prepare(kit, ownFolder, abort.signal));
  };

  const usesEtcd = options.storage === 'etcd' && options.sides !== 'reference';
  const reference = options.sides !== 'orch' || usesEtcd ? await prepareReference() : undefined;
  if (!reference && (options.sides === 'reference' || usesEtcd))
    throw new Error('the reference is missing: set ORCH_REFERENCE to the folder with its `up`');
  if (!reference && options.sides === 'both') {
    progress.step(
      `${'!'.repeat(20)} NO REFERENCE: ORCH_REFERENCE is not set. Orch is measured alone. ${'!'.repeat(20)}`,
    );
  }
  const sides: Side[] = [];
  if (options.sides !== 'reference') {
    buildIfMissing(repository, progress);
    const etcdOf = (ownFolder: string) => (usesEtcd ? reference?.secondEtcd(ownFolder) : undefined);
    sides.push(
      await prepare('orch', async (ownFolder) => {
        const etcd = await etcdOf(ownFolder);
        return Orch.prepare(repository, ownFolder, { flags: options.orchFlags, ...(etcd && { etcd }) });
      }),
    );
  }
  if (reference && options.sides !== 'orch') sides.push(reference);
  return sides;
}

function buildIfMissing(repository: string, progress: Progress): void {
  if (existsSync(join(repository, 'dist/main.js'))) return;
  progress.step('building Orch');
  execFileSync('npm', ['run', 'build'], { cwd: repository, stdio: ['ignore', 'ignore', 'inherit'] });
}
