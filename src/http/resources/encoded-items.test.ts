import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EncodedRun } from '../../store/lists/runs-encoded.ts';
import { EncodedItems } from './encoded-items.ts';

const runOf = (...names: string[]) =>
  EncodedRun.of(
    names.map((name) => ({
      key: `configmaps/default/${name}`,
      json: Buffer.from(`{"metadata":{"name":"${name}"}}`),
      itemAt: 1,
      labels: '',
      fields: '',
      mark: '',
    })),
  );
const items = (...texts: string[]) => texts.map((text) => Buffer.from(text));

test('EncodedItems gives parts of a run that it has been given, in the form it was given in', () => {
  const cache = new EncodedItems();
  const run = runOf('a', 'b', 'c');
  assert.equal(cache.find(run, 'protobuf', 0, 3), undefined);
  cache.keep(run, 'protobuf', items('A', 'BB', 'CCC'));
  assert.equal(cache.find(run, 'protobuf', 0, 3)?.toString(), 'ABBCCC');
  assert.equal(cache.find(run, 'protobuf', 1, 2)?.toString(), 'BB');
  assert.equal(cache.find(run, 'other', 0, 3), undefined);
  assert.equal(cache.find(runOf('a', 'b', 'c'), 'protobuf', 0, 3), undefined);
});

test('EncodedItems makes room, and never holds more than it may', () => {
  const runs = Array.from({ length: 100 }, (_, i) => runOf(`r${i}`));
  const cache = new EncodedItems(10_000);
  for (const run of runs) {
    cache.keep(run, 'f', items('x'.repeat(1000)));
    cache.keep(run, 'f', items('x'.repeat(1000)));
    assert.ok(cache.bytes <= 10_000);
  }
  const found = runs.filter((run) => cache.find(run, 'f', 0, 1));
  assert.ok(found.length > 0 && found.length < 10);
  cache.keep(runs[0]!, 'f', items('x'.repeat(100_000)));
  assert.ok(cache.bytes <= 10_000);
});
