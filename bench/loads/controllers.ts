// Benchmark of idle controllers: CPU time and memory of a server with all controllers and of one without any.
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

/** Measures both servers at the same time. */
export async function measureControllers(
  repository: string,
  folder: string,
  scale: Scale,
  { results, progress, cleanup }: { results: Results; progress: Progress; cleanup: Cleanup },
): Promise<void> {
  const prepare = async (name: string, controllers: string) => {
    const ownFolder = join(folder, name);
    mkdirSync(ownFolder);
    const side = await Orch.prepare(repository, ownFolder, { flags: ['--controllers', controllers] });
    cleanup.add(() => side.stop());
    return side;
  };
  const [all, none] = [await prepare('all-controllers', '*'), await prepare('no-controllers', '-*')];
  for (let round = 1; round <= scale.rounds; round++) {
    const [withAll, withNone] = await Promise.all(
      [all, none].map((side) => idleCost(side, scale.settleSeconds)),
    );
    results.add('controllers-idle-cpu', 'orch', { value: withAll!.percent - withNone!.percent });
    results.add('controllers-memory', 'orch', { value: withAll!.megabytes - withNone!.megabytes });
    progress.step(
      `idle controllers, round ${round}: ${withAll!.percent.toFixed(2)} % of a core and ` +
        `${withAll!.megabytes.toFixed(0)} MB with all, ${withNone!.percent.toFixed(2)} % and ` +
        `${withNone!.megabytes.toFixed(0)} MB with none`,
    );
  }
}

/** Restarts the server, waits until it is idle, and measures CPU time in percent of a core and memory. */
async function idleCost(side: Orch, seconds: number): Promise<{ percent: number; megabytes: number }> {
  await side.startEmpty();
  await sleep(seconds * 1000);
  const pids = withDescendants(side.pids());
  const [startCpu, startMs] = [cpuSeconds(pids), performance.now()];
  const { value: megabytes } = await memoryAfterSettling(side, seconds * 2);
  const percent = (100_000 * (cpuSeconds(pids) - startCpu)) / (performance.now() - startMs);
  await side.stop();
  return { percent, megabytes };
}
