import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { authDefaults, authFlags } from '../../src/cli/auth/settings.ts';
import { flagRows } from './flag-rows.ts';
import { runSteps, stepsIn } from './run-steps.ts';

const page = 'docs/reference/auth.md';

test('docs/reference/auth.md has every flag of orch auth with its meaning, and no other', () => {
  assert.deepEqual(flagRows.on(readFileSync(page, 'utf8')), flagRows.of(authFlags, authDefaults));
});

test('docs/reference/auth.md shows what its commands print', () => runSteps(stepsIn(page)));
