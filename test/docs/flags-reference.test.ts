import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { withDashes } from '../../src/cli/flags.ts';
import { httpPort, serverFlags } from '../../src/cli/server-flags.ts';
import { devDefaults, serveDefaults } from '../../src/cli/server-options.ts';

// Cells are padded for alignment; padding is ignored.
const page = readFileSync('docs/reference/flags.md', 'utf8').replace(/ +\|/g, ' |');

test('docs/reference/flags.md has every flag with its value, defaults and meaning, and no other', () => {
  const expected = [httpPort, ...serverFlags].map((flag) => {
    const dev = flag.format(devDefaults) || '-';
    const serve = flag === httpPort ? 'no such flag' : flag.format(serveDefaults) || '-';
    const value = flag.placeholder.replaceAll('|', '\\|');
    return `| \`${withDashes(flag)} ${value}\` | ${dev} | ${serve} | ${flag.about} |`;
  });
  const rows = page.split('\n').filter((line) => line.startsWith('| `-'));
  assert.deepEqual(rows, expected);
});
