// Tests of the cache of compiled patterns.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RE2JS } from 're2js';
import { usedHeapBytes } from '../base/used-heap.fixture.ts';
import { compilePattern } from './regex.ts';

test('a pattern is compiled once', () => {
  const compiled = compilePattern('a+b');
  assert.ok(compiled instanceof RE2JS);
  assert.equal(compilePattern('a+b'), compiled);
  assert.equal(typeof compilePattern('a('), 'string');
});

test('the cache of compiled patterns is bounded in bytes', () => {
  const before = usedHeapBytes();
  // Each takes 800 KB.
  for (let i = 0; i < 150; i++) compilePattern(`((((a?){10}){10}){9})${i}`);
  assert.ok(usedHeapBytes() - before < 40_000_000);
});

test('cached patterns do not keep the texts that they were read from', () => {
  const before = usedHeapBytes();
  for (let i = 0; i < 60; i++) compilePattern(`a-pattern-${i}-${'x'.repeat(1_000_000)}`.slice(0, 20));
  assert.ok(usedHeapBytes() - before < 40_000_000);
});
