import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** How a program is started. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
}

/** The first line that it says of its version. */
export async function versionOf({ program }: Command): Promise<string> {
  return (await run(program, ['--version'])).stdout.split('\n')[0]!.trim();
}

/** Folders differ from run to run and from machine to machine: the report names files only. */
export function commandLine({ program, args }: Command): string {
  return [program, ...args].map((word) => word.replace(/\/\S*\/(?=[^/]+$)/, '')).join(' ');
}
