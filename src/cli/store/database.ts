// Finds the database in a data directory.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Accepts the data directory or the database directory inside it. */
export function databaseIn(dir: string): string {
  const folder = ['store', 'copy'].find((each) => existsSync(join(dir, each)));
  return folder === undefined ? dir : join(dir, folder);
}
