import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { blameDefaults, blameFlags } from '../../src/cli/blame/settings.ts';
import { flagRows } from './flag-rows.ts';

test('docs/reference/blame.md has every flag of orch blame with its meaning, and no other', () => {
  const page = readFileSync('docs/reference/blame.md', 'utf8');
  assert.deepEqual(flagRows.on(page), flagRows.of(blameFlags, blameDefaults));
});
