import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orch } from '../../dialect/index.ts';
import { tryCreate, tryUpdate } from '../try-rules.ts';
import { configmaps } from './configmap.ts';

const definition = configmaps(orch);
const create = (json: unknown) => tryCreate(definition, json);

test('a key is in data or in binaryData, not in both', () => {
  assert.deepEqual(create({ data: { a: 'x' }, binaryData: { b: 'YQ==' } }).problems, []);
  assert.deepEqual(create({ data: { a: 'x' }, binaryData: { a: 'YQ==' } }).problems, [
    'data[a]: Invalid value: "a": duplicate of key present in binaryData',
  ]);
});

test('all values together take 1 MiB at most', () => {
  const data = { a: 'x'.repeat(1024 * 1024 - 1) };
  assert.deepEqual(create({ data, binaryData: { b: 'YQ==' } }).problems, []);
  assert.deepEqual(create({ data, binaryData: { b: 'YWE=' } }).problems, [
    '[]: Too long: may not be more than 1048576 bytes',
  ]);
});

test('an immutable ConfigMap keeps its data and stays immutable; its metadata may change', () => {
  const old = { immutable: true, data: { a: '1' } };
  const detail = 'Forbidden: field is immutable when `immutable` is set';
  assert.deepEqual(tryUpdate(definition, old, { data: { a: '2' } }).problems, [
    `immutable: ${detail}`,
    `data: ${detail}`,
  ]);
  assert.deepEqual(tryUpdate(definition, old, { ...old, metadata: { labels: { l: 'v' } } }).problems, []);
});
