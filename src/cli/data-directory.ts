// Rejects a --data-dir that holds other files than those of a data directory.
import { readdirSync } from 'node:fs';
import { CommandError } from './command.ts';

/** Entries of a data directory: database or replica, certificates, admin kubeconfig. */
const knownEntries = new Set(['store', 'copy', 'pki', 'kubeconfig']);

/** Accepts a directory that is empty, does not exist or has an entry of a data directory. */
export function rejectForeignDirectory(dir: string): void {
  const names = listEntries(dir);
  if (names.length === 0 || names.some((name) => knownEntries.has(name))) return;
  throw new CommandError(
    `${dir} is not a data directory of Orch: it contains ${names[0]}; choose an empty or new directory with --data-dir`,
  );
}

/** The names in a directory; empty if it does not exist. */
function listEntries(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
