import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { usedHeapBytes } from '../base/used-heap.fixture.ts';
import { isObject } from '../codec/json/json-value.ts';
import { parseJson } from '../codec/json/parse.ts';
import { compareQuantities, parseQuantity, type Quantity, roundedToMilli } from './quantity.ts';

function quantity(text: string): Quantity {
  const parsed = parseQuantity(text);
  if ('problem' in parsed) throw new Error(parsed.problem);
  return parsed;
}

test('quantities in lists of resources are written as the reference writes them', () => {
  const recorded: Record<string, string> = JSON.parse(
    readFileSync(new URL('./testdata/quantities.json', import.meta.url), 'utf8'),
  );
  for (const [text, expected] of Object.entries(recorded)) {
    assert.equal(roundedToMilli(quantity(text)).text, expected, text);
  }
});

const malformed: Record<string, string> = {
  '': 'quantities must match',
  x: 'quantities must match',
  '1.1.1': 'quantities must match',
  '1,0': 'quantities must match',
  '1i': "unable to parse quantity's suffix",
  '1kk': "unable to parse quantity's suffix",
  '1K': "unable to parse quantity's suffix",
  '1e': "unable to parse quantity's suffix",
  '--1': "unable to parse quantity's suffix",
};

test('an invalid quantity is rejected with the message of the reference', () => {
  for (const [text, problem] of Object.entries(malformed)) {
    const parsed = parseQuantity(text);
    assert.ok('problem' in parsed && parsed.problem.startsWith(problem), text);
  }
});

test('a huge exponent is rejected without computing it', () => {
  assert.ok('problem' in parseQuantity('1e1000000000000'));
  assert.ok('problem' in parseQuantity(`1${'0'.repeat(100_000)}`));
});

test('quantities have at most nine decimals and round away from zero', () => {
  assert.equal(quantity('0.0000000001').text, '1n');
  assert.equal(quantity('-0.0000000001').text, '-1n');
  assert.equal(roundedToMilli(quantity('1n')).text, '1m');
});

test('binary quantities are limited to int64', () => {
  assert.equal(quantity('100Ei').text, '9223372036854775807');
});

const anyQuantity = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.integer({ min: 0, max: 99_999 }),
    fc.integer({ min: 0, max: 999 }),
    fc.constantFrom('n', 'u', 'm', '', 'k', 'M', 'Ki', 'Mi', 'Gi', 'e3', 'e-2'),
  )
  .map(([sign, whole, fraction, suffix]) => `${sign}${whole}.${fraction}${suffix}`);

test('formatting and parsing a quantity is lossless', () => {
  fc.assert(
    fc.property(anyQuantity, (text) => {
      const once = quantity(text);
      const twice = quantity(once.text);
      assert.equal(compareQuantities(once, twice), 0);
      assert.equal(twice.text, once.text);
    }),
  );
});

test('quantities compare by value, not by notation', () => {
  assert.equal(compareQuantities(quantity('1Ki'), quantity('1024')), 0);
  assert.equal(compareQuantities(quantity('1500m'), quantity('1.5')), 0);
  assert.equal(compareQuantities(quantity('1k'), quantity('1Ki')), -1);
  assert.equal(compareQuantities(quantity('-1'), quantity('-2')), 1);
});

test('cached quantities do not keep the bodies that they were read from', () => {
  const before = usedHeapBytes();
  for (let i = 0; i < 60; i++) {
    const { value } = parseJson(Buffer.from(`{"cpu":"1000000000000${i}m","x":"${'x'.repeat(1_000_000)}"}`));
    assert.ok(isObject(value));
    quantity(value.cpu as string);
  }
  assert.ok(usedHeapBytes() - before < 20_000_000);
});

test('the cache of quantities is bounded', () => {
  const before = usedHeapBytes();
  for (let i = 0; i < 100_000; i++) quantity(`${i}.${i}Mi`);
  assert.ok(usedHeapBytes() - before < 4_000_000);
});
