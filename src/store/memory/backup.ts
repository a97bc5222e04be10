// Backup and restore of snapshots of the memory store.
import { type Backup, readObjects } from '../backup/read-backup.ts';
import type { BackupSource } from '../backup/write-backup.ts';
import { indexKey } from './expiries.ts';
import type { MemorySnapshot } from './memory-store.ts';
import { OrderedMap } from './ordered-map.ts';

export function snapshotSource({ revision, objects }: MemorySnapshot, dialect: string): BackupSource {
  return { dialect, revision, objects: () => objects.range('') };
}

/** Objects keep their revisions. */
export async function readSnapshot(backup: Backup): Promise<MemorySnapshot> {
  let objects: MemorySnapshot['objects'] = OrderedMap.empty();
  let timetable: MemorySnapshot['timetable'] = OrderedMap.empty();
  let bytes = 0;
  for await (const entry of readObjects(backup)) {
    const { key, json, expiresAtMs } = entry.object;
    objects = objects.with(key, entry);
    bytes += json.length;
    if (expiresAtMs !== undefined)
      timetable = timetable.with(indexKey(expiresAtMs, key), { expiresAtMs, key });
  }
  return { revision: backup.revision, objects, bytes, timetable };
}
