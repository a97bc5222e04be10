// Tests of tables.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alignColumns } from './columns.ts';

test('columns aligns cells and does not pad the last one', () => {
  assert.deepEqual(
    alignColumns([
      ['SUBJECT', 'BINDING'],
      ['somebody', ''],
      ['me', 'this and that'],
    ]),
    ['SUBJECT    BINDING', 'somebody', 'me         this and that'],
  );
});

test('control characters in a name are escaped', () => {
  assert.deepEqual(alignColumns([['eve\r\u001b[2K', 'b\nUser ann\u202e']]), [
    'eve\\u{d}\\u{1b}[2K   b\\u{a}User ann\\u{202e}',
  ]);
});
