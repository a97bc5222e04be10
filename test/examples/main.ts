// npm run test:examples: the tests of the examples, with the package of this checkout; see examples/README.md.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { writeAssets } from '../../src/cli/envtest/assets.ts';
import { onPath } from '../aggregation/sample-apiserver/sample-server.ts';

const repository = resolve(import.meta.dirname, '../..');
const root = mkdtempSync(join(tmpdir(), 'orch-examples-'));

function run(folder: string, env: Record<string, string>, program: string, ...words: string[]): boolean {
  const options = { cwd: folder, env: { ...process.env, ...env }, stdio: 'inherit' } as const;
  const { status, error } = spawnSync(program, words, options);
  if (error) console.log(error.message);
  return status === 0;
}

/** The package as users install it. */
function pack(): string {
  const { stdout, status } = spawnSync('npm', ['pack', '--json', '--pack-destination', root], {
    cwd: repository,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error('npm pack failed');
  // The output of the build comes before the list.
  const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf('[\n'))) as [{ filename: string }];
  return join(root, filename);
}

let packed: string | undefined;

function testWithNpm(folder: string): boolean {
  packed ??= pack();
  const options = ['--prefer-offline', '--no-audit', '--no-fund', '--no-save'];
  return run(folder, {}, 'npm', 'install', ...options, packed) && run(folder, {}, 'npm', 'test');
}

function testWithGo(folder: string): boolean {
  const assets = join(root, 'assets');
  writeAssets(assets, { program: [process.execPath, join(repository, 'src', 'main.ts')], path: '' });
  return run(folder, { KUBEBUILDER_ASSETS: assets }, 'go', 'test', '-count=1', '.');
}

const examples: Record<string, (folder: string) => boolean> = {
  'control-plane': testWithNpm,
  'operator-test': testWithNpm,
  'jest-test': testWithNpm,
  'operator-go': testWithGo,
};

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const counts = { passed: 0, failed: 0 };
try {
  for (const [name, test] of Object.entries(examples)) {
    if (!new RegExp(values.only).test(name)) continue;
    if (test === testWithGo && !onPath('go')) {
      console.log(`SKIPPED: ${name}, because go is not installed`);
      continue;
    }
    console.log(`# ${name}`);
    // A copy: the tools write into the folder.
    const folder = join(root, name);
    cpSync(join(repository, 'examples', name), folder, { recursive: true });
    const outcome = test(folder) ? 'passed' : 'failed';
    counts[outcome]++;
    console.log(`${name}: ${outcome}`);
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
console.log(`${counts.passed} examples passed, ${counts.failed} failed`);
if (counts.failed > 0) process.exitCode = 1;
