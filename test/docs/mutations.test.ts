import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { mistakesIn } from '../mutations/check-table.ts';
import { mutations } from '../mutations/table/index.ts';
import { coverageRows } from './coverage-rows.ts';

const rows = coverageRows(readFileSync('docs/reference/spec-coverage.md', 'utf8'));

test('every mutation changes one place of the sources and stands for one row of spec-coverage.md', () => {
  assert.deepEqual(mistakesIn('.', mutations, rows), []);
  assert.ok(mutations.length >= 120);
});
