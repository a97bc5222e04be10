import { readdirSync } from 'node:fs';
import { CommandError } from './command.ts';

/** What a data directory holds: the database or a copy of one, certificates made by the server, the administrator's kubeconfig. */
const ours = new Set(['store', 'copy', 'pki', 'kubeconfig']);

/** Refuses a directory that somebody else uses, so that a slip in a flag leaves nothing behind in it. */
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
