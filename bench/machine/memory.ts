// Reads the resident memory of processes from /proc/PID/smaps_rollup.
import { readFileSync } from 'node:fs';
import { withDescendants } from './process-tree.ts';

export interface ResidentMemory {
  /** Anonymous pages: heaps, stacks, buffers. */
  readonly anonymousMB: number;
  /** Pages of mapped files: programs and databases. The kernel may drop them at any time. */
  readonly mappedMB: number;
}

/** Resident memory of these processes and their descendants together. */
export function residentMemory(roots: readonly number[]): ResidentMemory {
  let anonymousKB = 0;
  let residentKB = 0;
  for (const pid of withDescendants(roots)) {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
    anonymousKB += field(text, 'Anonymous');
    residentKB += field(text, 'Rss');
  }
  return { anonymousMB: anonymousKB / 1024, mappedMB: (residentKB - anonymousKB) / 1024 };
}

function field(text: string, name: string): number {
  const match = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text);
  if (!match) throw new Error(`smaps_rollup has no ${name}`);
  return Number(match[1]);
}
