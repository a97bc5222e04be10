// npm test: runs the static checks and every test file; `npm test -- PATH…` only the test files under those paths.
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { runChecks } from './checks.ts';
import { runTestFiles } from './run-test-files.ts';

const noChecks = { passed: 0, failed: 0 };
const paths = process.argv.slice(2).map((path) => resolve(path));
const files = ['src', 'console', 'test', 'scripts']
  .flatMap((folder) => globSync(`${folder}/**/*.test.ts`))
  .map((file) => resolve(file))
  .filter((file) => paths.length === 0 || paths.some((path) => file === path || file.startsWith(`${path}/`)))
  .sort();

await runTestFiles(files, paths.length === 0 ? runChecks() : noChecks, { shareProcesses: true });
