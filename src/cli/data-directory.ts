// Rejects a --data-dir that holds other files than those of a data directory, or links in their place.
import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError } from './command.ts';

/** Entries of a data directory: database or replica, certificates, admin kubeconfig. */
const knownEntries = new Set(['store', 'copy', 'pki', 'kubeconfig']);

/**
 * Accepts a directory that is empty, does not exist or has an entry of a data directory. Throws if one of these entries is a
 * symbolic link: a cloned repository may contain it, and keys and data would be written to its target.
 */
export function rejectForeignDirectory(dir: string): void {
  const entries = listEntries(dir);
  const known = entries.filter(({ name }) => knownEntries.has(name));
  if (entries.length > 0 && known.length === 0) {
    throw new CommandError(
      `${dir} is not a data directory of Orch: it contains ${entries[0]!.name}; choose an empty or new directory with --data-dir`,
    );
  }
  const link = known.find((entry) => entry.isSymbolicLink());
  if (!link) return;
  const path = join(dir, link.name);
  throw new CommandError(
    `${path} is a symbolic link, which Orch does not follow; replace it, or choose another directory with --data-dir`,
  );
}

/** The entries of a directory; empty if it does not exist. */
function listEntries(dir: string): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
