import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { kubectlSkipReason, unpackKubectl } from '../clients/kubectl.ts';
import { freePort } from '../support/free-port.ts';
import { orch } from '../support/program.ts';
import { normalized, runSteps, stepsIn } from './run-steps.ts';

const execute = promisify(execFile);

test('the README shows what npm start prints', async () => {
  const [step] = stepsIn('README.md', 'Start');
  assert.equal(step?.command, 'npm start');
  const folder = mkdtempSync(join(tmpdir(), 'orch-readme-'));
  const [http, secure] = [String(await freePort()), String(await freePort())];
  const server = orch(
    'dev',
    '--data-dir',
    join(folder, '.orch'),
    '--http-port',
    http,
    '--secure-port',
    secure,
  );
  try {
    const [printed] = await server.printed(/[\s\S]*kubectl .*\n/);
    const asShown = printed.replaceAll(`${folder}/`, '').replaceAll(http, '8080').replaceAll(secure, '6443');
    assert.equal(normalized(asShown), normalized(step.output));
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
});

test('the tour in the README prints what it shows', () =>
  runSteps(stepsIn('README.md', 'A tour in two minutes')));

test('kubectl in the README prints what it shows', { skip: kubectlSkipReason ?? false }, () =>
  runSteps(
    stepsIn('README.md', 'With kubectl'),
    ['--dialect', 'kubernetes', '--storage', 'memory'],
    `${unpackKubectl()}:${process.env.PATH}`,
  ),
);

test('docs/guide/server-side-apply.md shows what its commands print', () =>
  runSteps(stepsIn('docs/guide/server-side-apply.md')));

for (const page of ['README.md', 'docs/guide/embedding.md']) {
  test(`every example in ${page} runs and logs what its comments say`, async () => {
    const examples = [...readFileSync(page, 'utf8').matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(
      ([, code]) => code!,
    );
    assert.ok(examples.length > 0);
    const folder = mkdtempSync(join(tmpdir(), 'orch-readme-'));
    try {
      for (const [i, example] of examples.entries()) {
        const file = join(folder, `example-${i}.mjs`);
        const library = JSON.stringify(pathToFileURL(resolve('src/index.ts')).href);
        writeFileSync(file, example.replace("'orch'", library));
        const { stdout } = await execute(process.execPath, [file]);
        const promised = [...example.matchAll(/console\.log\(.*\/\/ (.*)$/gm)].map(([, text]) => text);
        assert.deepEqual(stdout.trimEnd().split('\n').filter(Boolean), promised, example);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}
