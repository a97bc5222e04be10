import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isPluginEnabled, pluginNames } from '../../src/admission/plugins.ts';
import { defaultOptions } from '../../src/server/options.ts';

const page = readFileSync('docs/reference/admission.md', 'utf8');

test('docs/reference/admission.md has every plugin, in the order in which they run', () => {
  const rows = [...page.matchAll(/^\| `(\w+)` +\| (on|off) /gm)].map(([, name, state]) => `${name} ${state}`);
  assert.deepEqual(
    rows,
    pluginNames.map((name) => `${name} ${isPluginEnabled(name, defaultOptions) ? 'on' : 'off'}`),
  );
});
