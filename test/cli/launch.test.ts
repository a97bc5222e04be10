import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { Program } from '../support/program.ts';

/** The launcher on a temporary checkout, with an npm that only records its arguments. */
describe('scripts/launch.mjs', () => {
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'orch-launch-'));
    cpSync('scripts', join(root, 'scripts'), { recursive: true });
    mkdirSync(join(root, 'node_modules'));
    writeFileSync(
      join(root, 'entry.ts'),
      'const words: string[] = process.argv.slice(2);\nconsole.log(words.join(" "));\n',
    );
    writeFileSync(
      join(root, 'npm-cli.js'),
      'require("node:fs").writeFileSync("asked", process.argv.slice(2).join(" "));\nprocess.exit(Number(process.env.NPM_FAILS ?? 0));\n',
    );
    lock('package-lock.json', { tool: '1.2.3' });
  });
  afterEach(() => rmSync(root, { recursive: true }));

  function lock(file: string, versions: Record<string, string>): void {
    const packages = Object.entries(versions).map(([name, version]) => [`node_modules/${name}`, { version }]);
    writeFileSync(
      join(root, file),
      JSON.stringify({ packages: { '': {}, ...Object.fromEntries(packages) } }),
    );
  }

  function launch(more: NodeJS.ProcessEnv = {}) {
    const env = { ...process.env, npm_execpath: join(root, 'npm-cli.js'), ...more };
    return new Program(process.execPath, [join(root, 'scripts/launch.mjs'), 'entry.ts', 'a', 'b'], {
      cwd: root,
      env,
    }).ended();
  }

  const asked = () => existsSync(join(root, 'asked')) && readFileSync(join(root, 'asked'), 'utf8');

  test('runs the file with its arguments, and prints nothing else if dependencies are installed', async () => {
    lock('node_modules/.package-lock.json', { tool: '1.2.3', extra: '1.0.0' });
    assert.deepEqual(await launch(), { code: 0, signal: null, stdout: 'a b\n', stderr: '' });
    assert.equal(asked(), false);
  });

  test('installs dependencies on first start', async () => {
    const { stdout, stderr } = await launch();
    assert.match(String(asked()), /^install --no-save --include=dev/);
    assert.match(stderr, /^Installing dependencies for the first start/);
    assert.equal(stdout, 'a b\n');
  });

  test('installs again after the lock file changed', async () => {
    lock('node_modules/.package-lock.json', { tool: '1.2.2' });
    const { stderr } = await launch();
    assert.ok(asked());
    assert.match(stderr, /Dependencies have changed \(tool…\)/);
  });

  test('prints one line when npm fails', async () => {
    const { code, stdout, stderr } = await launch({ NPM_FAILS: '7' });
    assert.equal(code, 1);
    assert.equal(stdout, '');
    assert.match(stderr, /orch: cannot install dependencies \(npm install: exit code 7\)\n$/);
  });
});
