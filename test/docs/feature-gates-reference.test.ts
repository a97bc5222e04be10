import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type Gate, gateStateAt, gateTable } from '../../src/kind/features/gate-table.ts';

test('docs/reference/feature-gates.md has every feature gate with its stage, default and history, and no other', () => {
  const page = readFileSync('docs/reference/feature-gates.md', 'utf8').replace(/ +\|/g, ' |');
  const expected = Object.entries<Gate>(gateTable).map(([name, gate]) => {
    const { stage, default: on, locked } = gateStateAt(gate)!;
    const value = `${on ? 'on' : 'off'}${locked ? ', locked' : ''}`;
    return `| \`${name}\` | ${stage} | ${value} | ${history(gate)} |`;
  });
  assert.deepEqual(
    page.split('\n').filter((line) => line.startsWith('| `')),
    expected,
  );
});

/** `alpha 1.18, beta 1.24 off, beta 1.31, stable 1.33`: a default that is unusual for its stage is named. */
function history(gate: Gate): string {
  return gate
    .filter(({ since }) => since !== '1.0')
    .map(({ stage, since, default: on }) => {
      const usual = stage === 'beta' || stage === 'stable';
      return `${stage} ${since}${on === usual ? '' : on ? ' on' : ' off'}`;
    })
    .join(', ')
    .padEnd(1, '-');
}
