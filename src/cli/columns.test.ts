import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columns } from './columns.ts';

test('columns stands cells below each other, with nothing behind the last', () => {
  assert.deepEqual(
    columns([
      ['WHO', 'BY'],
      ['somebody', ''],
      ['me', 'this and that'],
    ]),
    ['WHO        BY', 'somebody', 'me         this and that'],
  );
});
