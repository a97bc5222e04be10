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
  /** What a durable write costs at least: 4 KB appended and flushed, the median of 50. */
  readonly flushMilliseconds: number;
  readonly dataInMemory: boolean;
}

export function describeMachine(dataFolder: string): Machine {
  const processors = cpus();
  return {
    processor: processors[0]?.model.trim() ?? 'unknown',
    cores: processors.length,
    memoryGB: totalmem() / 2 ** 30,
    kernel: release(),
    flushMilliseconds: flushTime(dataFolder),
    dataInMemory: statfsSync(dataFolder).type === tmpfsMagic,
  };
}

function flushTime(folder: string): number {
  const path = join(folder, 'flush-probe');
  const file = openSync(path, 'w');
  const block = Buffer.alloc(4096, 1);
  const times: number[] = [];
  try {
    for (let i = 0; i < 50; i++) {
      const from = performance.now();
      writeSync(file, block);
      fsyncSync(file);
      times.push(performance.now() - from);
    }
  } finally {
    closeSync(file);
    rmSync(path);
  }
  return median(times);
}
