import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { codeIn, coverageRows, isProven } from './coverage-rows.ts';
import { matchesName, testsOf } from './test-names.ts';

const page = readFileSync('docs/reference/spec-coverage.md', 'utf8');

const rows = coverageRows(page);
const proven = rows.filter(isProven);

test('docs/reference/spec-coverage.md names only tests that exist', () => {
  for (const file of new Set(proven.map(({ where }) => codeIn(where)))) {
    const names = testsOf(file);
    for (const { where, what } of proven) {
      if (codeIn(where) !== file) continue;
      assert.ok(
        names.some((name) => matchesName(name, codeIn(what))),
        `${file}: ${what}`,
      );
    }
  }
});

test('docs/reference/spec-coverage.md has every test of test/spec', () => {
  for (const file of globSync('test/spec/*.test.ts')) {
    const named = proven.filter(({ where }) => codeIn(where) === file).map(({ what }) => codeIn(what));
    for (const name of testsOf(file)) {
      assert.ok(
        named.some((text) => matchesName(name, text)),
        `${file}: ${name}`,
      );
    }
  }
});

test('docs/reference/spec-coverage.md counts its rules, and names a test or a state for each', () => {
  const toCome = rows.filter(({ where }) => where === 'to come').length;
  const ofOthers = rows.filter(({ where }) => where === 'others').length;
  assert.equal(proven.length + toCome + ofOthers, rows.length);
  const counts = `${rows.length} rules: ${proven.length} proven, ${toCome} to come, ${ofOthers} of others.`;
  assert.ok(page.includes(counts), counts);
});
