// Tests of cooperative JSON parsing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CooperativeYield, runTask } from '../../base/cooperative-yield.ts';
import { parseJson } from './parse.ts';
import { parseJsonCooperatively } from './parse-cooperatively.ts';

const arrayOf = <T>(count: number, create: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => create(i));
const objectOf = (count: number, create: (i: number) => unknown) =>
  Object.fromEntries(arrayOf(count, (i) => [`é"\\{[,${i}`, create(i)]));

const nested = (depth: number): unknown =>
  depth === 0 ? 'x'.repeat(70_000) : { a: 1, b: nested(depth - 1), c: ['}]"\\', depth], d: {} };

const values: Readonly<Record<string, unknown>> = {
  'a small object': { a: [1, 'b', null, true, {}] },
  'a long string': 'x\\"'.repeat(50_000),
  'many properties': objectOf(20_000, (i) => ({ type: 'string', '}': [i] })),
  'many numbers': arrayOf(200_000, (i) => i),
  'many empty containers': { a: arrayOf(100_000, (i) => (i % 2 ? {} : [])) },
  'nested large objects': nested(50),
  'large members beside small members': [
    1,
    objectOf(5_000, String),
    {},
    arrayOf(40_000, () => 'x'),
    2,
    [objectOf(9_000, String)],
  ],
};

for (const [document, value] of Object.entries(values)) {
  test(`parseJsonCooperatively returns the result of parseJson for ${document}`, async () => {
    const text = JSON.stringify(value);
    assert.deepEqual(
      await runTask(parseJsonCooperatively(text, new CooperativeYield())),
      parseJson(text).value,
    );
  });
}

test('parseJsonCooperatively keeps __proto__ keys and exact numbers', async () => {
  const text = `{"__proto__":{"a":[${'1,'.repeat(40_000)}12345678901234567890]},"constructor":1.0}`;
  assert.deepEqual(
    await runTask(parseJsonCooperatively(text, new CooperativeYield())),
    parseJson(text).value,
  );
});
