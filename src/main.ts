#!/usr/bin/env node
import * as module from 'node:module';

// Most of the startup time is compilation: newer Node versions cache compiled code for the next start.
if ('enableCompileCache' in module) module.enableCompileCache();

const { main } = await import('./cli/main.ts');
const exitCode = await main(process.argv.slice(2), {
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
  inColor: process.stdout.isTTY && !process.env.NO_COLOR,
});
process.exitCode = exitCode;
// Node may deadlock where it is told to exit while it compiles on other threads, so that it is left to end by itself; what
// would keep it from that is given a moment.
setTimeout(() => process.exit(), 1_000).unref();
