// Benchmark of memory and start time with many stored objects.
import { setTimeout as sleep } from 'node:timers/promises';
import { residentMemory } from '../machine/memory.ts';
import { memoryNamespace } from '../objects.ts';
import type { Progress } from '../progress.ts';
import type { Results, Sample } from '../rows.ts';
import type { Scale } from '../scale.ts';
import type { Side } from '../sides/side.ts';
import { seed } from './seed.ts';

export async function memoryAfterSettling(side: Side, seconds: number): Promise<Sample> {
  await sleep(seconds * 1000);
  const { anonymousMB, mappedMB } = residentMemory(side.pids());
  const etcd = residentMemory(side.etcdPids());
  return {
    value: anonymousMB + mappedMB,
    anonymousMB,
    mappedMB,
    etcdMB: etcd.anonymousMB + etcd.mappedMB,
  };
}

/** Fills an empty server, measures its memory, and restarts it with the stored objects. Leaves it stopped. */
export async function measureFull(
  side: Side,
  scale: Scale,
  results: Results,
  progress: Progress,
): Promise<void> {
  await side.startEmpty();
  await seed(side, memoryNamespace, scale.memoryObjects, progress);
  progress.step(`${side.title}: ${scale.memoryObjects} objects written, waiting ${scale.settleSeconds} s`);
  results.add('memory-full', side.key, await memoryAfterSettling(side, scale.settleSeconds));
  for (let round = 1; round <= scale.rounds; round++) {
    await side.stop();
    const seconds = (await side.start()) / 1000;
    results.add('start-full', side.key, { value: seconds });
    progress.step(`start-full, ${side.title}, round ${round}: ${seconds.toFixed(2)} s`);
  }
  progress.step(`${side.title}: reopened, waiting ${scale.settleSeconds} s`);
  results.add('memory-reopened', side.key, await memoryAfterSettling(side, scale.settleSeconds));
  await side.stop();
}
