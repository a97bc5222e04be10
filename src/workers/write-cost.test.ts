// Tests of the cost estimate of a write.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EncodedInput } from '../registry/write/context.ts';
import { jsonBody, yamlBody } from '../serializers/request-body.ts';
import type { StoredObject } from '../store/store.ts';
import { isExpensive } from './write-cost.ts';

const create = (text: string): EncodedInput => ({ verb: 'create', body: jsonBody(Buffer.from(text)) });
const patch = (text: string): EncodedInput => ({
  verb: 'patch',
  type: 'application/merge-patch+json',
  source: Buffer.from(text),
});
const stored = (text: string) => ({ json: Buffer.from(text) }) as StoredObject;
const text = (bytes: number) => JSON.stringify('x'.repeat(bytes));
const elements = (count: number) => JSON.stringify(Array.from({ length: count }, () => ({})));

test('a write of many bytes is expensive', () => {
  assert.equal(isExpensive(create(text(100_000)), undefined), false);
  assert.equal(isExpensive(create(text(300_000)), undefined), true);
  assert.equal(isExpensive(patch(text(100_000)), undefined), true);
});

test('a write of many elements is expensive, however small they are', () => {
  assert.equal(isExpensive(create(elements(1_000)), undefined), false);
  assert.equal(isExpensive(create(elements(5_000)), undefined), true);
});

test('a change counts the stored object, too', () => {
  assert.equal(isExpensive(patch('{}'), stored(elements(1_000))), false);
  assert.equal(isExpensive(patch('{}'), stored(elements(5_000))), true);
});

test('YAML is expensive if its aliases expand to many elements', () => {
  const yaml = (text: string): EncodedInput => ({ verb: 'create', body: yamlBody(Buffer.from(text)) });
  assert.equal(isExpensive(yaml(`a: [${'x,'.repeat(1_000)}]`), undefined), false);
  assert.equal(isExpensive(yaml(`a: &a [${'x,'.repeat(1_000)}]\nb: [${'*a,'.repeat(90)}]`), undefined), true);
});

test('long YAML is expensive, unless it is JSON', () => {
  const yaml = (text: string): EncodedInput => ({ verb: 'create', body: yamlBody(Buffer.from(text)) });
  const long = 'x'.repeat(50_000);
  assert.equal(isExpensive(yaml(`a: ${long}`), undefined), true);
  assert.equal(isExpensive(yaml(`{"a": "${long}"}`), undefined), false);
});
