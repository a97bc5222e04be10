// npm run test:console: walks through the web console in Chromium. `npm run test:console -- tables edit` runs some of the walks,
// `-- --screenshots` writes the pictures of docs/guide/console.md.
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { basename } from 'node:path';

const args = process.argv.slice(2);
const names = args.filter((argument) => !argument.startsWith('--'));
const walks = globSync('test/console/walks/*.ts').sort();
const files = args.includes('--screenshots')
  ? ['test/console/screenshots.ts']
  : walks.filter((file) => names.length === 0 || names.includes(basename(file, '.ts')));
if (files.length === 0) {
  console.error(`no such walk; there are: ${walks.map((file) => basename(file, '.ts')).join(', ')}`);
  process.exit(1);
}
const { status } = spawnSync(
  process.execPath,
  ['--test', '--test-concurrency=1', '--test-force-exit', ...files],
  { stdio: 'inherit' },
);
process.exitCode = status ?? 1;
