/**
 * Refuses writes before the disk is full: the LMDB binding overflows a buffer while it formats that error, which can
 * crash the process.
 */
import { statfsSync } from 'node:fs';

/** Fixed cost of a transaction, plus headroom for other writers. */
const SPARE_BYTES = 256 * 1024;
/** Copy-on-write cost of a change: its share of the B-tree pages above it. */
const BYTES_PER_CHANGE = 4 * 1024;

/** Throws if there may be too little space for these changes. */
export function assertEnoughSpace(dir: string, changes: number, bytes: number): void {
  const { blocks, bavail, bsize } = statfsSync(dir);
  const neededBytes = SPARE_BYTES + changes * BYTES_PER_CHANGE + 2 * bytes;
  // Some file systems do not report their size.
  if (blocks > 0 && bavail * bsize < neededBytes) throw new Error('No space left on device');
}
