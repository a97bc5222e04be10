import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFile, mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Scope } from '../support/server-process.ts';

/** Called if no such disk can be mounted. */
interface Skipping extends Scope {
  skip(why: string): void;
}

/** A disk of a few megabytes, or undefined (after `skip`) if none can be mounted. */
export async function smallDisk(t: Skipping, megabytes: number): Promise<string | undefined> {
  const disk = await mkdtemp(join(tmpdir(), 'orch-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', disk], {
    encoding: 'utf8',
  });
  if (mounted.status !== 0) {
    await rmdir(disk);
    t.skip(
      `NOT TESTED: a full disk needs a tmpfs, and mounting one failed: ${mounted.stderr ?? mounted.error}`,
    );
    return undefined;
  }
  t.after(async () => {
    assert.equal(spawnSync('umount', [disk]).status, 0);
    await rmdir(disk);
  });
  return disk;
}

/** Takes all that is left of the disk, as another program would. */
export async function takeRest(file: string): Promise<void> {
  for (let bytes = 1024 * 1024; bytes >= 4_096; bytes /= 2) {
    for (;;) {
      try {
        await appendFile(file, Buffer.alloc(bytes));
      } catch {
        break;
      }
    }
  }
}
