import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../cli/free-port.ts';
import { orch } from '../cli/program.ts';
import { unpackKubectl, whyNoKubectl } from '../clients/kubectl.ts';

const execute = promisify(execFile);
const readme = readFileSync('README.md', 'utf8');

interface Step {
  readonly command: string;
  readonly output: string;
}

/** The commands in the console blocks of a section, each with the output shown for it. */
function stepsIn(section: string): Step[] {
  const text = readme.split(`\n## ${section}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...text.matchAll(/^```console\n([\s\S]*?)^```$/gm)].flatMap(([, block]) =>
    block!
      .split(/^\$ /m)
      .slice(1)
      .map((step) => {
        const [command, ...lines] = step.trimEnd().split('\n');
        return { command: command!, output: lines.join('\n') };
      }),
  );
}

/** What differs from run to run, made equal. */
const normalized = (text: string) =>
  text
    .trimEnd()
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME')
    .replace(/ready in \d+ ms/, 'ready in N ms')
    .replace(/(\d+)s$/gm, 'Ns');

/** Runs a section's commands against a server of their own, and compares what they print with what the page shows. */
async function follow(section: string, flags: readonly string[], path = process.env.PATH): Promise<void> {
  const steps = stepsIn(section);
  assert.ok(steps.length > 2, `${section} has commands`);
  const folder = mkdtempSync(join(tmpdir(), 'orch-readme-'));
  const [http, secure] = [String(await freePort()), String(await freePort())];
  const here = (text: string) =>
    text
      .replaceAll(':8080', `:${http}`)
      .replaceAll(':6443', `:${secure}`)
      .replaceAll('.orch', `${folder}/data`);
  const ports = ['--http-port', http, '--secure-port', secure];
  const server = orch('dev', '--data-dir', join(folder, 'data'), ...ports, ...flags);
  try {
    await server.printed(/kubectl .*\n/);
    for (const { command, output } of steps) {
      const options = { cwd: folder, env: { PATH: path, HOME: folder } };
      const { stdout } = await execute('sh', ['-c', here(command)], options);
      assert.equal(normalized(stdout), normalized(here(output)), command);
    }
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

test('the README shows what npm start prints', async () => {
  const [step] = stepsIn('Start');
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

test('the tour in the README prints what it shows', () => follow('A tour in two minutes', []));

test('kubectl in the README prints what it shows', { skip: whyNoKubectl ?? false }, () =>
  follow(
    'With kubectl',
    ['--dialect', 'kubernetes', '--storage', 'memory'],
    `${unpackKubectl()}:${process.env.PATH}`,
  ),
);

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
