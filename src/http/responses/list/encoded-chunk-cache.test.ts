// The cache of encoded runs: lookup, eviction, and the two encodings it holds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServedKind } from '../../../kind/registry.ts';
import { ageFormatterAt, renderAgeTemplate } from '../../../kind/table/age-formatter.ts';
import { encodeRun } from '../../../store/lists/run-writer.ts';
import { EncodedChunkCache } from './encoded-chunk-cache.ts';
import { JoinedItems } from './joined-items.ts';
import { RowTemplates } from './row-templates.ts';

const runOf = (...names: string[]) =>
  encodeRun(
    names.map((name) => ({
      key: `configmaps/default/${name}`,
      json: Buffer.from(`{"metadata":{"name":"${name}"}}`),
      listItemOffset: 1,
      labels: '',
      selectableFields: '',
      schemaFingerprint: '',
    })),
  );
const items = (...texts: string[]) => new JoinedItems(texts.map((text) => Buffer.from(text)));
const kind = {} as ServedKind;

test('a cached chunk is found by its run, kind and encoding', () => {
  const kept = new EncodedChunkCache<JoinedItems>(1_000_000);
  const run = runOf('a', 'b', 'c');
  assert.equal(kept.get(run, kind, ''), undefined);
  const joined = items('A', 'BB', 'CCC');
  kept.set(run, kind, '', joined);
  assert.equal(kept.get(run, kind, ''), joined);
  assert.equal(kept.get(run, kind, 'other'), undefined);
  assert.equal(kept.get(run, {} as ServedKind, ''), undefined);
  assert.equal(kept.get(runOf('a', 'b', 'c'), kind, ''), undefined);
});

test('the cache evicts entries and never exceeds its limit', () => {
  const runs = Array.from({ length: 100 }, (_, i) => runOf(`r${i}`));
  const kept = new EncodedChunkCache<JoinedItems>(10_000);
  for (const run of runs) {
    kept.set(run, kind, 'f', items('x'.repeat(1000)));
    kept.set(run, kind, 'f', items('x'.repeat(1000)));
    assert.ok(kept.bytes <= 10_000);
  }
  const found = runs.filter((run) => kept.get(run, kind, 'f'));
  assert.ok(found.length > 0 && found.length < 10);
  kept.set(runs[0]!, kind, 'f', items('x'.repeat(100_000)));
  assert.ok(kept.bytes <= 10_000);
});

test('joined items are sent in chunks', () => {
  const joined = items('A', 'BB', 'CCC');
  assert.equal(joined.slice(0, 3).toString(), 'ABBCCC');
  assert.equal(joined.slice(1, 2).toString(), 'BB');
});

test('rows are sent in chunks, with the ages at that time', () => {
  const rows = new RowTemplates([
    renderAgeTemplate((now) => `é ${now.ago(1_000)} then ${now.ago(2_000)}`),
    renderAgeTemplate(() => 'ever'),
    renderAgeTemplate((now) => {
      const [first, second] = [now.ago(2_000), now.ago(1_000)];
      return `${second}${first}${second}`;
    }),
  ]);
  assert.equal(rows.slice(0, 3, ageFormatterAt(3_000)).toString(), ',é 2s then 1s,ever,2s1s2s');
  assert.equal(rows.slice(0, 2, ageFormatterAt(62_000)).toString(), ',é 61s then 60s,ever');
  assert.equal(rows.slice(1, 3, ageFormatterAt(0)).toString(), ',ever,0s<invalid>0s');
  assert.equal(rows.slice(2, 3, ageFormatterAt(9e15)).toString(), `,${'285388y'.repeat(3)}`);
});
