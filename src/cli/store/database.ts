// Finds the LMDB database in a data directory: `store`, or `copy` for the local replica of etcd.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Accepts the data directory or the database directory inside it. */
export function databaseIn(dir: string): string {
  const folder = ['store', 'copy'].find((name) => existsSync(join(dir, name)));
  return folder === undefined ? dir : join(dir, folder);
}
