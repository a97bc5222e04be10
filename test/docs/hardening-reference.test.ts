import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { matchesName, testsAndGroupsOf } from './test-names.ts';

const page = readFileSync('docs/reference/hardening.md', 'utf8');

const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && line.includes('`test/hardening/'))
  .map((line) => {
    const [, name, bound, where, what] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    assert.ok(name && bound && where && what, line);
    return { file: where.slice(1, -1), name: what.slice(1, -1) };
  });

test('docs/reference/hardening.md names only tests that exist', () => {
  for (const { file, name } of rows) {
    assert.ok(
      testsAndGroupsOf(file).some((called) => matchesName(called, name)),
      `${file}: ${name}`,
    );
  }
});

test('docs/reference/hardening.md has every file of tests in test/hardening', () => {
  assert.deepEqual(
    new Set(globSync('test/hardening/*.test.ts').map((file) => file.replaceAll('\\', '/'))),
    new Set(rows.map(({ file }) => file)),
  );
});
