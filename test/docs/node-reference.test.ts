import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { nodeDefaults, nodeFlags } from '../../src/cli/node/settings.ts';
import { flagRows } from './flag-rows.ts';
import { runSteps, stepsIn } from './run-steps.ts';

const page = 'docs/reference/node.md';

test('docs/reference/node.md has every flag of orch node with its meaning, and no other', () => {
  assert.deepEqual(flagRows.on(readFileSync(page, 'utf8')), flagRows.of(nodeFlags, nodeDefaults));
});

test('docs/reference/node.md shows what its commands print', () => runSteps(stepsIn(page), ['--nodes', '2']));
