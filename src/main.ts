#!/usr/bin/env node
// The executable `orch`.
import * as module from 'node:module';
import { ensureMallocSettings } from './cli/malloc-settings.ts';

if (process.argv[2] === 'serve') ensureMallocSettings();

// Most of the startup time is compilation: newer Node versions cache compiled code for the next start.
if ('enableCompileCache' in module) module.enableCompileCache();

const { main } = await import('./cli/main.ts');
const exitCode = await main(process.argv.slice(2), {
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
  inColor: process.stdout.isTTY && !process.env.NO_COLOR,
});
process.exitCode = exitCode;
// process.exit may deadlock while Node compiles on other threads, so the process ends by itself; a timer ends it if
// something keeps it alive.
setTimeout(() => process.exit(), 1_000).unref();
