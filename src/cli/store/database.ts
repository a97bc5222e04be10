import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** A server's data directory holds the database in a folder of its own; that folder may be named itself, too. */
export function databaseIn(dir: string): string {
  const folder = ['store', 'copy'].find((each) => existsSync(join(dir, each)));
  return folder === undefined ? dir : join(dir, folder);
}
