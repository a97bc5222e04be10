// Finds the LMDB database in a data directory: `store`, or `copy` for the local replica of etcd.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the database directory in a data directory; `dir` itself if it is already a database directory. */
export function databaseIn(dir: string): string {
  const folder = ['store', 'copy'].find((name) => existsSync(join(dir, name)));
  return folder === undefined ? dir : join(dir, folder);
}
