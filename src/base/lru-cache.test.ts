// Tests of LruCache: weights, the order of eviction, and copies of keys.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flatCopy } from './flat-copy.ts';
import { LruCache } from './lru-cache.ts';
import { usedHeapBytes } from './used-heap.fixture.ts';

const newCache = (evicted: string[] = []) =>
  new LruCache<string>({
    maxWeight: 10,
    weightOf: (value, key) => key.length + value.length,
    onEvict: (value) => evicted.push(value),
  });

test('the least recently used entries are evicted when the cache is too heavy', () => {
  const evicted: string[] = [];
  const cache = newCache(evicted);
  cache.set('a', 'one');
  cache.set('b', 'two');
  assert.equal(cache.get('a'), 'one');
  cache.set('c', 'three');
  assert.deepEqual(evicted, ['two']);
  assert.equal(cache.get('a'), 'one');
  assert.equal(cache.get('b'), undefined);
  assert.equal(cache.weight, 10);
});

test('a replaced value is weighed again', () => {
  const cache = newCache();
  cache.set('a', 'one');
  cache.set('a', 'longer');
  assert.equal(cache.weight, 7);
  cache.delete('a');
  cache.delete('a');
  assert.equal(cache.weight, 0);
});

test('a value that is heavier than the maximum is not kept', () => {
  const evicted: string[] = [];
  const cache = newCache(evicted);
  cache.set('a', 'one');
  cache.set('b', 'much too long');
  assert.equal(cache.get('b'), undefined);
  assert.equal(cache.get('a'), 'one');
  assert.deepEqual(evicted, ['much too long']);
});

test('without a weight, entries are counted', () => {
  const cache = new LruCache<number>({ maxWeight: 2 });
  for (let i = 0; i < 5; i++)
    assert.equal(
      cache.getOrCreate(`${i}`, () => i),
      i,
    );
  assert.equal(cache.weight, 2);
  cache.clear();
  assert.equal(cache.weight, 0);
});

test('a copy of a part of a text does not keep the whole', () => {
  const before = usedHeapBytes();
  const copies: string[] = [];
  for (let i = 0; i < 50; i++) copies.push(flatCopy(`${i}`.repeat(1_000_000).slice(0, 20)));
  assert.ok(usedHeapBytes() - before < 10_000_000);
  assert.equal(copies[7], '7'.repeat(20));
  assert.equal(flatCopy('"\\\ud800ü\u2028'), '"\\\ud800ü\u2028');
});
