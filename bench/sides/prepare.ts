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
  const prepare = async <T extends Side>(name: string, make: (own: string) => Promise<T>): Promise<T> => {
    const own = join(folder, name);
    mkdirSync(own);
    const side = await make(own);
    cleanup.add(() => side.stop());
    return side;
  };
  const prepareReference = async (): Promise<Reference | undefined> => {
    const kit = findReference(repository);
    if (kit === undefined) return undefined;
    progress.step('preparing the reference');
    // `down` ends what `up` may have left running if preparing ends half-way.
    const preparing = new AbortController();
    cleanup.add(() => {
      preparing.abort();
      execFileSync(join(kit, 'down'), ['--dir', join(folder, 'reference')]);
    });
    return prepare('reference', (own) => Reference.prepare(kit, own, preparing.signal));
  };

  const onEtcd = options.storage === 'etcd' && options.sides !== 'reference';
  const reference = options.sides !== 'orch' || onEtcd ? await prepareReference() : undefined;
  if (!reference && (options.sides === 'reference' || onEtcd))
    throw new Error('there is no reference: set ORCH_REFERENCE to the folder with its `up`');
  if (!reference && options.sides === 'both') {
    progress.step(
      `${'!'.repeat(20)} NO REFERENCE: ORCH_REFERENCE is not set. Orch is measured alone. ${'!'.repeat(20)}`,
    );
  }
  const sides: Side[] = [];
  if (options.sides !== 'reference') {
    buildIfMissing(repository, progress);
    const etcdOf = (own: string) => (onEtcd ? reference?.anotherEtcd(own) : undefined);
    sides.push(
      await prepare('orch', async (own) => {
        const etcd = await etcdOf(own);
        return Orch.prepare(repository, own, etcd && { etcd });
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
