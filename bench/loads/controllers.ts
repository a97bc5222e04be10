import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cleanup } from '../cleanup.ts';
import { cpuSeconds, withDescendants } from '../machine/process-tree.ts';
import type { Progress } from '../progress.ts';
import type { Results } from '../rows.ts';
import type { Scale } from '../scale.ts';
import { Orch } from '../sides/orch.ts';
import { memoryAfterSettling } from './footprint.ts';

/** What controllers cost that have nothing to do: a server with all of them beside one with none, at the same time. */
export async function measureControllers(
  repository: string,
  folder: string,
  scale: Scale,
  { results, progress, cleanup }: { results: Results; progress: Progress; cleanup: Cleanup },
): Promise<void> {
  const prepare = async (name: string, controllers: string) => {
    const own = join(folder, name);
    mkdirSync(own);
    const side = await Orch.prepare(repository, own, { flags: ['--controllers', controllers] });
    cleanup.add(() => side.stop());
    return side;
  };
  const [all, none] = [await prepare('all-controllers', '*'), await prepare('no-controllers', '-*')];
  for (let round = 1; round <= scale.rounds; round++) {
    const [more, less] = await Promise.all([all, none].map((side) => idleCost(side, scale.settleSeconds)));
    results.add('controllers-idle-cpu', 'orch', { value: more!.percent - less!.percent });
    results.add('controllers-memory', 'orch', { value: more!.megabytes - less!.megabytes });
    progress.step(
      `controllers at rest, round ${round}: ${more!.percent.toFixed(2)} % of a core and ` +
        `${more!.megabytes.toFixed(0)} MB with all, ${less!.percent.toFixed(2)} % and ` +
        `${less!.megabytes.toFixed(0)} MB with none`,
    );
  }
}

/** Of a server that was started anew: processor time in percent of a core, once it has come to rest, and memory. */
async function idleCost(side: Orch, seconds: number): Promise<{ percent: number; megabytes: number }> {
  await side.startEmpty();
  await sleep(seconds * 1000);
  const pids = withDescendants(side.pids());
  const [before, since] = [cpuSeconds(pids), performance.now()];
  const { value: megabytes } = await memoryAfterSettling(side, seconds * 2);
  const percent = (100_000 * (cpuSeconds(pids) - before)) / (performance.now() - since);
  await side.stop();
  return { percent, megabytes };
}
