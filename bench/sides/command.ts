// The command line of a server process, and its version.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
}

/** The first line of `--version`. */
export async function versionOf({ program }: Command): Promise<string> {
  return (await run(program, ['--version'])).stdout.split('\n')[0]!.trim();
}

/** The command line without directories, which differ between runs and machines. */
export function commandLine({ program, args }: Command): string {
  return [program, ...args].map((word) => word.replace(/\/\S*\/(?=[^/]+$)/, '')).join(' ');
}
