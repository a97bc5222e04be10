// Runs the command line of this process, from the start of the process to its end.
import * as module from 'node:module';
import { ensureMallocSettings } from './malloc-settings.ts';

export async function runProgram(): Promise<void> {
  if (process.argv[2] === 'serve') ensureMallocSettings();

  // Most of the startup time is compilation: newer Node versions cache compiled code for the next start.
  if ('enableCompileCache' in module) module.enableCompileCache();

  process.exitCode = await run(process.argv.slice(2));
  // process.exit may deadlock while Node compiles on other threads, so the process ends by itself; a timer ends it if
  // something keeps it alive.
  setTimeout(() => process.exit(), 1_000).unref();
}

async function run(args: readonly string[]): Promise<number> {
  const [command, program, ...flags] = args;
  const isEtcd = command === 'envtest' && program === 'etcd' && flags.every((flag) => !isQuestion(flag));
  // Runs beside each server of envtest: it does not load the other commands, which take more memory than it does.
  if (isEtcd) return (await import('./envtest/run-etcd.ts')).runEtcd(flags);
  const { main } = await import('./main.ts');
  return main(args, {
    out: (line) => process.stdout.write(`${line}\n`),
    err: (line) => process.stderr.write(`${line}\n`),
    inColor: process.stdout.isTTY && !process.env.NO_COLOR,
  });
}

const isQuestion = (flag: string) => flag === '--help' || flag === '--version';
