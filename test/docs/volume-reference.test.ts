import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { outputDefaults } from '../../src/cli/output.ts';
import { volumeFlags } from '../../src/cli/volume/settings.ts';
import { flagRows } from './flag-rows.ts';
import { runSteps, stepsIn } from './run-steps.ts';

const page = 'docs/reference/volume.md';

test('docs/reference/volume.md has every flag of orch volume with its meaning, and no other', () => {
  assert.deepEqual(flagRows.on(readFileSync(page, 'utf8')), flagRows.of(volumeFlags, outputDefaults));
});

test('docs/reference/volume.md shows what its commands print', () => runSteps(stepsIn(page)));
