import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A module that the registry does not have. */
export class NotDownloaded extends Error {}

export async function hasGo(): Promise<boolean> {
  return run('go', ['version']).then(
    () => true,
    () => false,
  );
}

/** The folder of a module of a certain version, from Go's cache or from the registry. */
export async function folderOf(module: string): Promise<string> {
  const words = ['mod', 'download', '-json', module];
  // Error messages are on standard output too.
  const { stdout } = await run('go', words, { cwd: tmpdir(), timeout: 300_000 }).catch(
    (error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }),
  );
  const { Dir: folder, Error: problem } = JSON.parse(stdout || '{}') as { Dir?: string; Error?: string };
  if (!folder) throw new NotDownloaded(`${module}: ${problem ?? 'go says nothing'}`);
  return folder;
}
