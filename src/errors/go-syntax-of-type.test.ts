import assert from 'node:assert/strict';
import { test } from 'node:test';
import { list, mapOf } from '../schema/collections.ts';
import { bool, int64, string, time } from '../schema/scalars.ts';
import { field, inline, optional, struct } from '../schema/struct.ts';
import { goSyntaxOfType } from './go-syntax-of-type.ts';

const Inner = struct('group/v1.Inner', { text: field(1, string), flag: field(2, bool) });
const Outer = struct('group/v1beta1.Outer', {
  uid: field(1, string),
  inner: field(2, Inner),
  maybe: field(3, optional(Inner)),
  count: field(4, optional(int64)),
  list: field(5, list(Inner)),
  labels: field(6, mapOf(string)),
  created: field(7, time),
  deleted: field(8, optional(time)),
});

test('goSyntaxOfType prints every field of a struct, and optional fields as pointers', () => {
  assert.equal(
    goSyntaxOfType(Outer, { uid: 'u', inner: { text: 'a "b"' }, count: 3, list: [{ flag: true }] }).text,
    'group.Outer{UID:"u", Inner:group.Inner{Text:"a \\"b\\"", Flag:false}, Maybe:(*group.Inner)(nil), ' +
      'Count:(*int64)(0xc000000000), List:[]group.Inner{group.Inner{Text:"", Flag:true}}, Labels:map[string]string(nil), ' +
      'Created:time.Date(1, time.January, 1, 0, 0, 0, 0, time.UTC), Deleted:<nil>}',
  );
});

test('goSyntaxOfType prints map entries sorted by key', () => {
  assert.equal(goSyntaxOfType(mapOf(string), { b: '2', a: '1' }).text, 'map[string]string{"a":"1", "b":"2"}');
});

test('goSyntaxOfType prints inlined fields inside their embedded struct', () => {
  const Parent = struct('group/v1.Parent', { name: field(1, string), ...inline(2, Inner) });
  assert.equal(
    goSyntaxOfType(Parent, { name: 'n', text: 't' }).text,
    'group.Parent{Name:"n", Inner:group.Inner{Text:"t", Flag:false}}',
  );
});
