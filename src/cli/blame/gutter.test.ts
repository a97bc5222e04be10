// Tests of the manager columns of `orch blame`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FieldOwner } from './blame.ts';
import { noPaint, paintByOwner, withGutter } from './gutter.ts';

const now = Date.parse('2026-01-31T12:00:00Z');
const owner = (manager: string, more: Partial<FieldOwner> = {}): FieldOwner => ({
  manager,
  operation: 'Apply',
  apiVersion: 'v1',
  subresource: '',
  time: '2026-01-31T11:57:00Z',
  ...more,
});
const line = (text: string, ...owners: FieldOwner[]) => ({ text, owners, continues: false });
const alice = owner('alice');
const bob = owner('bob', { operation: 'Update', time: undefined });

test('owners are in columns, which are empty for fields without an owner', () => {
  const status = { operation: 'Update', subresource: 'status', time: '2026-01-30T00:00:00Z' };
  const lines = [line('spec:'), line('  size: 3', alice), line('  ready: 1', owner('controller', status))];
  assert.deepEqual(withGutter(lines, now, noPaint), [
    '                               | spec:',
    'alice       Apply           3m |   size: 3',
    'controller  Update/status  36h |   ready: 1',
  ]);
});

test('owners of a shared field are on consecutive lines', () => {
  assert.deepEqual(withGutter([line('size: 3', alice, bob), line('x: 1', bob)], now, noPaint), [
    'alice  Apply   3m | size: 3',
    '& bob  Update     |',
    'bob    Update     | x: 1',
  ]);
});

test('a continued line has a ditto mark instead of the owner', () => {
  const rest = { text: '  - x', owners: [alice, bob], continues: true };
  assert.deepEqual(withGutter([line('args:', alice), rest], now, noPaint), [
    'alice  Apply  3m | args:',
    '"                |   - x',
  ]);
});

test('an object without owners has an empty gutter', () => {
  assert.deepEqual(withGutter([line('a: 1')], now, noPaint), ['     | a: 1']);
});

test('each owner has a color, the YAML is not colored', () => {
  const [first, second, third] = withGutter(
    [line('a: 1', alice), line('b: 2', bob), line('c: 3')],
    now,
    paintByOwner([alice, bob]),
  );
  const color = /^\u001b\[(\d+)m[^\u001b]*\u001b\[0m \| [abc]: \d$/;
  const codes = [first, second, third].map((text) => color.exec(text!)?.[1]);
  assert.equal(new Set(codes).size, 3);
  assert.ok(!codes.includes(undefined));
});

test('a manager without a name is called unknown', () => {
  assert.match(withGutter([line('a: 1', owner(''))], now, noPaint)[0]!, /^unknown {2}Apply/);
});
