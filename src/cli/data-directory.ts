// Protects directories that are not data directories of this server.
import { readdirSync } from 'node:fs';
import { CommandError } from './command.ts';

/** Entries of a data directory: database or replica, certificates, admin kubeconfig. */
const ours = new Set(['store', 'copy', 'pki', 'kubeconfig']);

/** Rejects a directory with other files, so that a mistaken flag leaves nothing behind in it. */
export function refuseForeignDirectory(dir: string): void {
  const names = namesIn(dir);
  if (names.length === 0 || names.some((name) => ours.has(name))) return;
  throw new CommandError(
    `${dir} is not a data directory of Orch: it contains ${names[0]}; choose an empty or new directory with --data-dir`,
  );
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
