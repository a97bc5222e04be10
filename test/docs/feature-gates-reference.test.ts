import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type Gate, gateTable } from '../../src/features/gate-table.ts';

test('docs/reference/feature-gates.md has every feature gate with its stage and default, and no other', () => {
  const page = readFileSync('docs/reference/feature-gates.md', 'utf8').replace(/ +\|/g, ' |');
  const expected = Object.entries<Gate>(gateTable).map(([name, gate]) => {
    const value = `${gate.default ? 'on' : 'off'}${gate.locked ? ', locked' : ''}`;
    const since = gate.since === '1.31' ? '1.31 or before' : gate.since;
    return `| \`${name}\` | ${gate.stage} | ${value} | ${since} |`;
  });
  assert.deepEqual(
    page.split('\n').filter((line) => line.startsWith('| `')),
    expected,
  );
});
