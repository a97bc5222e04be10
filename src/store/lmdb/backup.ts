/** What a backup is made of: one state of a data directory, also while a server uses it. */
import { BackupError } from '../backup/format.ts';
import type { BackupSource } from '../backup/write-backup.ts';
import { sourceOf } from '../etcd/full-read.ts';
import type { StoredObject } from '../store.ts';
import { requireDirectory } from './directory.ts';
import { Environment } from './environment.ts';
import { LmdbView } from './view.ts';

/** Hands the state to `use`. While it is held, the file grows by what is written to it. */
export async function useDirectory<T>(dir: string, use: (source: BackupSource) => Promise<T>): Promise<T> {
  requireDirectory(dir);
  const environment = Environment.openForReading(dir);
  try {
    if (sourceOf(environment) !== undefined) {
      throw new BackupError(
        `${dir} is a replica of etcd and may lag; back up etcd instead: orch store backup --etcd-servers URL`,
      );
    }
    const view = new LmdbView(environment.reading);
    return await use({
      dialect: environment.label.dialect,
      revision: view.revision,
      *objects() {
        for (const object of view.range('')) yield { prefix: prefixOf(object), object };
      },
    });
  } finally {
    await environment.close();
  }
}

/** The resource of an object: what stands in its key before its namespace, if it has one, and its name. */
function prefixOf({ key, json }: StoredObject): string {
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
