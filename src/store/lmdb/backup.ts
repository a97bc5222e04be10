/** Backup source of an LMDB data directory: a consistent snapshot, also while a server uses the directory. */
import { BackupError } from '../backup/format.ts';
import type { BackupSource } from '../backup/write-backup.ts';
import { readReplicaSource } from '../etcd/full-sync.ts';
import type { StoredObject } from '../store.ts';
import { assertDataDirectory } from './directory.ts';
import { LmdbEnvironment } from './environment.ts';
import { LmdbView } from './view.ts';

/** Calls `use` with the snapshot. While it is pinned, the file cannot reuse pages and grows with every write. */
export async function withDirectorySnapshot<T>(
  dir: string,
  use: (source: BackupSource) => Promise<T>,
): Promise<T> {
  assertDataDirectory(dir);
  const environment = LmdbEnvironment.openForReading(dir);
  try {
    if (readReplicaSource(environment) !== undefined) {
      throw new BackupError(
        `${dir} is a replica of etcd and may lag; back up etcd instead: orch store backup --etcd-servers URL`,
      );
    }
    const view = new LmdbView(environment.snapshot);
    return await use({
      dialect: environment.label.dialect,
      revision: view.revision,
      *objects() {
        for (const object of view.range('')) yield { prefix: derivePrefix(object), object };
      },
    });
  } finally {
    await environment.close();
  }
}

/**
 * The resource prefix of an object's key: the part before the namespace (if any) and the name. It is derived from the
 * JSON, since records of format 2 do not contain it.
 */
function derivePrefix({ key, json }: StoredObject): string {
  const parts = key.split('/');
  return parts.slice(0, hasNamespace(key, json) ? -2 : -1).join('/');
}

function hasNamespace(key: string, json: Buffer): boolean {
  try {
    const { metadata } = JSON.parse(json.toString()) as {
      readonly metadata?: { readonly namespace?: unknown };
    };
    return Boolean(metadata?.namespace);
  } catch {
    throw new BackupError(
      `${key} is not valid JSON and cannot be backed up; orch store check lists all such objects`,
    );
  }
}
