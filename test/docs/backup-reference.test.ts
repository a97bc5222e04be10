import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { storeDefaults, storeFlags } from '../../src/cli/store/settings.ts';
import { flagRows } from './flag-rows.ts';

test('docs/reference/backup.md has every flag of orch store with its meaning, and no other', () => {
  const page = readFileSync('docs/reference/backup.md', 'utf8');
  assert.deepEqual(flagRows.on(page), flagRows.of(storeFlags, storeDefaults));
});
