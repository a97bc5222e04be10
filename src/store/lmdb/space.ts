/**
 * Sees to it that LMDB is not asked to write to a full disk. Its binding words that failure into less memory than the words
 * take, and now and then the process does not survive it.
 */
import { statfsSync } from 'node:fs';

/** What a transaction takes however little is in it, and what others may take meanwhile. */
const SPARE_BYTES = 256 * 1024;
/** For each change its part of the pages around it, of which every transaction makes copies. */
const BYTES_PER_CHANGE = 4 * 1024;

/** Throws where there may be too little space for so many changes with so many bytes. */
export function refuseWithoutSpace(dir: string, changes: number, bytes: number): void {
  const { blocks, bavail, bsize } = statfsSync(dir);
  const needed = SPARE_BYTES + changes * BYTES_PER_CHANGE + 2 * bytes;
  // There are file systems that do not tell.
  if (blocks > 0 && bavail * bsize < needed) throw new Error('No space left on device');
}
