// Describes the machine in the report: processor, memory, kernel and the time of an fsync.
import { closeSync, fsyncSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { median } from '../report/statistics.ts';

const tmpfsMagic = 0x01021994;

export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGB: number;
  readonly kernel: string;
  /** The minimum cost of a durable write: the median time to append 4 KB and fsync, of 50. */
  readonly fsyncMilliseconds: number;
  readonly dataInMemory: boolean;
}

export function describeMachine(dataFolder: string): Machine {
  const processors = cpus();
  return {
    processor: processors[0]?.model.trim() ?? 'unknown',
    cores: processors.length,
    memoryGB: totalmem() / 2 ** 30,
    kernel: release(),
    fsyncMilliseconds: measureFsync(dataFolder),
    dataInMemory: statfsSync(dataFolder).type === tmpfsMagic,
  };
}

function measureFsync(folder: string): number {
  const path = join(folder, 'flush-probe');
  const file = openSync(path, 'w');
  const block = Buffer.alloc(4096, 1);
  const times: number[] = [];
  try {
    for (let i = 0; i < 50; i++) {
      const startMs = performance.now();
      writeSync(file, block);
      fsyncSync(file);
      times.push(performance.now() - startMs);
    }
  } finally {
    closeSync(file);
    rmSync(path);
  }
  return median(times);
}
