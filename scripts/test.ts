// npm test: the checks, then every test file. `npm test -- PATH…` runs only the test files under those paths.
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { runChecks } from './checks.ts';
import { runTestFiles } from './run-test-files.ts';

const asked = process.argv.slice(2).map((path) => resolve(path));
const files = ['src', 'test', 'scripts']
  .flatMap((folder) => globSync(`${folder}/**/*.test.ts`))
  .map((file) => resolve(file))
  .filter((file) => asked.length === 0 || asked.some((path) => file === path || file.startsWith(`${path}/`)))
  .sort();

await runTestFiles(files, asked.length === 0 ? runChecks() : { passed: 0, failed: 0 }, { isShared: true });
