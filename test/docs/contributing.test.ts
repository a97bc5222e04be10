// Walks the checklist "Add a kind" of CONTRIBUTING.md on a copy of src/.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

const page = readFileSync('CONTRIBUTING.md', 'utf8');
const checklist = page.slice(page.indexOf('### Add a kind'), page.indexOf('### Add an admission plugin'));

/** Creates an object of the new kind, and one that its validation refuses. */
const program = `
  import { startServer } from './src/index.ts';
  const server = await startServer({ controllers: [] });
  const { groups } = await (await fetch(server.url + '/apis')).json();
  const group = groups.find(({ name }) => name.startsWith('scheduling.')).preferredVersion.groupVersion;
  const post = async (minMember) => {
    const body = JSON.stringify({ metadata: { name: 'web' }, minMember });
    const headers = { 'content-type': 'application/json' };
    const url = server.url + '/apis/' + group + '/namespaces/default/podgroups';
    return (await fetch(url, { method: 'POST', headers, body })).status;
  };
  console.log(await post(3), await post(0));
  await server.stop();
`;

test('the example of a kind in CONTRIBUTING.md touches two files, and the server serves it', () => {
  const [, code] = checklist.match(/```ts\n(.*?)```/s)!;
  const [, diff] = checklist.match(/```diff\n(.*?)```/s)!;
  const [, file] = code!.match(/^\/\/ (src\S+)/)!;
  const root = mkdtempSync(join(tmpdir(), 'contributing-'));
  try {
    cpSync('src', join(root, 'src'), { recursive: true });
    cpSync('package.json', join(root, 'package.json'));
    symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
    writeFileSync(join(root, file!), code!);
    applyDiff(root, diff!);
    writeFileSync(join(root, 'use-kind.ts'), program);
    const { stdout, stderr } = spawnSync(process.execPath, ['use-kind.ts'], { cwd: root, encoding: 'utf8' });
    assert.equal(stdout.trim(), '201 422', stderr);
  } finally {
    rmSync(root, { recursive: true });
  }
});

/** A line "+" goes before the context line that follows it; "-" and "+" in sequence replace a part of a line. */
function applyDiff(root: string, diff: string): void {
  const [header, ...lines] = diff.trimEnd().split('\n');
  const path = join(root, header!.replace('--- ', ''));
  let text = readFileSync(path, 'utf8');
  for (const [index, line] of lines.entries()) {
    if (!line.startsWith('+')) continue;
    const [before, after] = [lines[index - 1], lines[index + 1]];
    const isReplacement = before?.startsWith('-');
    const anchor = (isReplacement ? before : after)!.slice(1);
    assert.ok(text.includes(anchor), `${path} has no ${anchor}`);
    text = text.replace(anchor, isReplacement ? line.slice(1) : `${line.slice(1)}\n${anchor}`);
  }
  writeFileSync(path, text);
}
