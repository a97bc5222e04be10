import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { matchesName, testsAndGroupsOf } from './test-names.ts';

const page = readFileSync('docs/reference/hardening.md', 'utf8');

const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && line.includes('.test.ts` '))
  .map((line) => {
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    assert.ok(cells.slice(1, -1).every(Boolean), line);
    const [where = '', what = ''] = cells.slice(-3);
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

test('docs/reference/hardening.md names only source files that exist', () => {
  for (const [, file = ''] of page.matchAll(/`(src\/[^`]+)`/g)) assert.ok(existsSync(file), file);
});

test('docs/reference/hardening.md has every file of tests in test/hardening', () => {
  assert.deepEqual(
    new Set(globSync('test/hardening/*.test.ts').map((file) => file.replaceAll('\\', '/'))),
    new Set(rows.map(({ file }) => file).filter((file) => file.startsWith('test/hardening/'))),
  );
});
