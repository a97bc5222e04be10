// Tests of cooperative JSON parsing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CooperativeYield, runWork } from '../../base/cooperative-yield.ts';
import { parseJson } from './parse.ts';
import { parseJsonCooperatively } from './parse-cooperatively.ts';

const many = <T>(count: number, of: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => of(i));
const named = (count: number, of: (i: number) => unknown) =>
  Object.fromEntries(many(count, (i) => [`é"\\{[,${i}`, of(i)]));

const nested = (depth: number): unknown =>
  depth === 0 ? 'x'.repeat(70_000) : { a: 1, b: nested(depth - 1), c: ['}]"\\', depth], d: {} };

const values: Readonly<Record<string, unknown>> = {
  'a small one': { a: [1, 'b', null, true, {}] },
  'a long text': 'x\\"'.repeat(50_000),
  'very many properties': named(20_000, (i) => ({ type: 'string', '}': [i] })),
  'very many numbers': many(200_000, (i) => i),
  'very many empty ones': { a: many(100_000, (i) => (i % 2 ? {} : [])) },
  'large ones in large ones': nested(50),
  'large ones beside small ones': [
    1,
    named(5_000, String),
    {},
    many(40_000, () => 'x'),
    2,
    [named(9_000, String)],
  ],
};

for (const [what, value] of Object.entries(values)) {
  test(`${what} is read as it is at once`, async () => {
    const text = JSON.stringify(value);
    assert.deepEqual(
      await runWork(parseJsonCooperatively(text, new CooperativeYield())),
      parseJson(text).value,
    );
  });
}

test('prototype property names and inexact numbers are kept', async () => {
  const text = `{"__proto__":{"a":[${'1,'.repeat(40_000)}12345678901234567890]},"constructor":1.0}`;
  assert.deepEqual(
    await runWork(parseJsonCooperatively(text, new CooperativeYield())),
    parseJson(text).value,
  );
});
