import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goCmpDiff } from './go-cmp-diff.ts';
import { type GoValue, goNil, goPlain, goPointer, goText } from './go-value.ts';

const struct = (fields: Record<string, GoValue>, type = 'core.Thing'): GoValue => ({
  kind: 'struct',
  type,
  fields: Object.entries(fields).map(([key, value]) => ({ key, value })),
});
const list = (...items: string[]): GoValue => ({
  kind: 'list',
  type: '[]string',
  items: items.map(goText),
});
const lines = (before: GoValue, now: GoValue) => goCmpDiff(before, now).split('\n');
const letters = (changed: Record<string, GoValue> = {}): GoValue =>
  struct({ ...Object.fromEntries([...'ABCDEFG'].map((name) => [name, goText(name)])), ...changed });

test('what differs is shown with two neighbours on each side, and the rest counted', () => {
  assert.deepEqual(lines(letters(), letters({ D: goText('d') })), [
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
  assert.deepEqual(lines(letters(), letters({ A: goText('') })), [
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

test('values on neighbouring lines begin in one column', () => {
  const of = (long: number) => struct({ Name: goText('n'), LongerName: goPlain(long) });
  assert.deepEqual(lines(of(1), of(2)), [
    '  core.Thing{',
    '  \tName:       "n",',
    '- \tLongerName: 1,',
    '+ \tLongerName: 2,',
    '  }',
    '',
  ]);
});

test('what comes or goes as a whole has its type, without the fields that hold goNil', () => {
  const inner = struct({ Name: goText('x'), Empty: goText('') }, 'core.Inner');
  const of = (value: GoValue) => struct({ Ref: value, Other: goNil });
  assert.deepEqual(lines(of(goNil), of(goPointer(inner, (value) => value))), [
    '  core.Thing{',
    '- \tRef:   nil,',
    '+ \tRef:   &core.Inner{Name: "x"},',
    '  \tOther: nil,',
    '  }',
    '',
  ]);
});

test('lists are shown whole where they have one element, and by element where they have more', () => {
  const of = (value: GoValue) => struct({ Items: value, Other: goNil });
  assert.deepEqual(lines(of(list('a')), of(list('b')))[1], '- \tItems: []string{"a"},');
  assert.deepEqual(lines(of(list('a', 'b')), of(list('a', 'c'))), [
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

test('entries of maps come and go by their keys', () => {
  const map = (entries: Record<string, string>): GoValue => ({
    kind: 'map',
    type: 'map[string]string',
    entries: Object.entries(entries).map(([key, value]) => ({ key: `"${key}"`, value: goText(value) })),
  });
  const of = (entries: Record<string, string>) => struct({ Map: map(entries), Other: goNil });
  assert.deepEqual(lines(of({ a: '1', b: '2' }), of({ b: '2', c: '3' })), [
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

test('long texts are cut, and those with quotes stand between backticks', () => {
  const of = (text: string) => struct({ Text: goText(text), Other: goNil });
  assert.equal(lines(of('a'), of('say "x"'))[2], '+ \tText:  `say "x"`,');
  assert.equal(lines(of('a'), of('x'.repeat(300)))[2], `+ \tText:  "${'x'.repeat(256)}"...,`);
});
