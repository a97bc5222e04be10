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

test('EncodedItems forgets what was asked for longest ago, and never holds more than it may', () => {
  const text = 'x'.repeat(1000);
  const runs = Array.from({ length: 10 }, (_, i) => runOf(`r${i}`));
  const cache = new EncodedItems(3 * (1000 + runs[0]!.weight));
  for (const run of runs) {
    cache.keep(run, 'f', items(text));
    cache.find(runs[0]!, 'f', 0, 1);
    assert.ok(cache.bytes <= 3 * (1000 + runs[0]!.weight));
  }
  assert.ok(cache.find(runs[0]!, 'f', 0, 1));
  assert.ok(cache.find(runs[9]!, 'f', 0, 1));
  assert.equal(cache.find(runs[1]!, 'f', 0, 1), undefined);
  cache.keep(runOf('huge'), 'f', items('x'.repeat(100_000)));
  assert.ok(cache.find(runs[9]!, 'f', 0, 1));
});
