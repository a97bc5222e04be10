import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { blameDefaults, blameFlags } from '../../src/cli/blame/settings.ts';

test('docs/reference/blame.md has every flag of orch blame with its meaning, and no other', () => {
  const page = readFileSync('docs/reference/blame.md', 'utf8').replace(/ +\|/g, ' |');
  const expected = blameFlags.map((flag) => {
    const value = flag.show(blameDefaults);
    const name = `--${flag.name}${flag.short === undefined ? '' : `, -${flag.short}`}`;
    const meaning = `${flag.about}${value === '' ? '' : ` (default ${value})`}`;
    return `| \`${name} ${flag.placeholder.replaceAll('|', '\\|')}\` | ${meaning} |`;
  });
  assert.deepEqual(
    page.split('\n').filter((line) => line.startsWith('| `-')),
    expected,
  );
});
