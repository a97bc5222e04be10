// Runs the command line of this process, from the start of the process to its end.
import * as module from 'node:module';
import { ensureMallocSettings } from './malloc-settings.ts';

export async function runProgram(): Promise<void> {
  if (process.argv[2] === 'serve') ensureMallocSettings();

  // Most of the startup time is compilation: newer Node versions cache compiled code for the next start.
  if ('enableCompileCache' in module) module.enableCompileCache();

  const { main } = await import('./main.ts');
  const exitCode = await main(process.argv.slice(2), {
    out: (line) => process.stdout.write(`${line}\n`),
    err: (line) => process.stderr.write(`${line}\n`),
    inColor: process.stdout.isTTY && !process.env.NO_COLOR,
  });
  process.exitCode = exitCode;
  // process.exit may deadlock while Node compiles on other threads, so the process ends by itself; a timer ends it if
  // something keeps it alive.
  setTimeout(() => process.exit(), 1_000).unref();
}
