import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JsonPath } from './json-path.ts';

const object = {
  spec: {
    'a.b': 1,
    list: [
      { type: 'x', n: 1 },
      { type: 'y', n: 2 },
    ],
    deep: { n: 3 },
  },
};

for (const [path, found] of [
  ['.spec.deep.n', [3]],
  ['$.spec.deep.n', [3]],
  [".spec['a.b']", [1]],
  ['.spec.a\\.b', [1]],
  ['.spec.list[0].type', ['x']],
  ['.spec.list[-1].type', ['y']],
  ['.spec.list[*].n', [1, 2]],
  ['.spec.list[1:].n', [2]],
  ['.spec.list[?(@.type=="y")].n', [2]],
  ['.spec.list[?(@.n<2)].type', ['x']],
  ['.spec.list[?(@.type)].n', [1, 2]],
  ['..n', [1, 2, 3]],
  ['.spec.nope.n', []],
  ['.__proto__', []],
] as const) {
  test(`${path} finds ${JSON.stringify(found)}`, () => {
    assert.deepEqual(JsonPath.parse(path)?.find(object), found);
  });
}

test('an invalid or too complex JSONPath is rejected', () => {
  for (const text of [
    'spec',
    '.spec[',
    '.a b',
    '..a..b',
    `.${'a'.repeat(3_000)}`,
    `[?(@.a==${' '.repeat(100_000)}`,
  ]) {
    assert.equal(JsonPath.parse(text), undefined, text.slice(0, 20));
  }
});
