import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goCmpDiff } from './go-cmp-diff.ts';
import { type GoValue, goNil, goPointer, goScalar, goString } from './go-value.ts';

const struct = (fields: Record<string, GoValue>, type = 'core.Thing'): GoValue => ({
  kind: 'struct',
  type,
  fields: Object.entries(fields).map(([key, value]) => ({ key, value })),
});
const list = (...items: string[]): GoValue => ({
  kind: 'list',
  type: '[]string',
  items: items.map(goString),
});
const lines = (oldValue: GoValue, newValue: GoValue) => goCmpDiff(oldValue, newValue).split('\n');
const letters = (changed: Record<string, GoValue> = {}): GoValue =>
  struct({ ...Object.fromEntries([...'ABCDEFG'].map((name) => [name, goString(name)])), ...changed });

test('a changed field has two unchanged fields of context on each side, and the diff counts the rest', () => {
  assert.deepEqual(lines(letters(), letters({ D: goString('d') })), [
    '  core.Thing{',
    '  \tA: "A",',
    '  \tB: "B",',
    '  \tC: "C",',
    '- \tD: "D",',
    '+ \tD: "d",',
    '  \tE: "E",',
    '  \tF: "F",',
    '  \tG: "G",',
    '  }',
    '',
  ]);
  assert.deepEqual(lines(letters(), letters({ A: goString('') })), [
    '  core.Thing{',
    '- \tA: "A",',
    '+ \tA: "",',
    '  \tB: "B",',
    '  \tC: "C",',
    '  \t... // 4 identical fields',
    '  }',
    '',
  ]);
});

test('values on consecutive lines are aligned', () => {
  const thing = (long: number) => struct({ Name: goString('n'), LongerName: goScalar(long) });
  assert.deepEqual(lines(thing(1), thing(2)), [
    '  core.Thing{',
    '  \tName:       "n",',
    '- \tLongerName: 1,',
    '+ \tLongerName: 2,',
    '  }',
    '',
  ]);
});

test('an added struct is printed with its type and without zero fields', () => {
  const inner = struct({ Name: goString('x'), Empty: goString('') }, 'core.Inner');
  const thing = (value: GoValue) => struct({ Ref: value, Other: goNil });
  assert.deepEqual(lines(thing(goNil), thing(goPointer(inner, (value) => value))), [
    '  core.Thing{',
    '- \tRef:   nil,',
    '+ \tRef:   &core.Inner{Name: "x"},',
    '  \tOther: nil,',
    '  }',
    '',
  ]);
});

test('a list with one element is replaced whole, a longer list is compared by element', () => {
  const thing = (value: GoValue) => struct({ Items: value, Other: goNil });
  assert.deepEqual(lines(thing(list('a')), thing(list('b')))[1], '- \tItems: []string{"a"},');
  assert.deepEqual(lines(thing(list('a', 'b')), thing(list('a', 'c'))), [
    '  core.Thing{',
    '  \tItems: []string{',
    '  \t\t"a",',
    '- \t\t"b",',
    '+ \t\t"c",',
    '  \t},',
    '  \tOther: nil,',
    '  }',
    '',
  ]);
});

test('map entries are compared by key', () => {
  const map = (entries: Record<string, string>): GoValue => ({
    kind: 'map',
    type: 'map[string]string',
    entries: Object.entries(entries).map(([key, value]) => ({ key: `"${key}"`, value: goString(value) })),
  });
  const thing = (entries: Record<string, string>) => struct({ Map: map(entries), Other: goNil });
  assert.deepEqual(lines(thing({ a: '1', b: '2' }), thing({ b: '2', c: '3' })), [
    '  core.Thing{',
    '  \tMap: map[string]string{',
    '- \t\t"a": "1",',
    '  \t\t"b": "2",',
    '+ \t\t"c": "3",',
    '  \t},',
    '  \tOther: nil,',
    '  }',
    '',
  ]);
});

test('long strings are truncated, and strings with quotes are printed in backquotes', () => {
  const thing = (text: string) => struct({ Text: goString(text), Other: goNil });
  assert.equal(lines(thing('a'), thing('say "x"'))[2], '+ \tText:  `say "x"`,');
  assert.equal(lines(thing('a'), thing('x'.repeat(300)))[2], `+ \tText:  "${'x'.repeat(256)}"...,`);
});
