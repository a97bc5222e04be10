// Tests of spelling suggestions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearest } from './nearest.ts';

test('nearest returns the candidate with the smallest edit distance', () => {
  assert.equal(nearest('verzion', ['serve', 'version', 'dev']), 'version');
  assert.equal(nearest('--data-dri', ['--data-dir', '--cert-dir']), '--data-dir');
});

test('nearest returns undefined if no candidate is similar', () => {
  assert.equal(nearest('banana', ['serve', 'version', 'dev']), undefined);
  assert.equal(nearest('x', []), undefined);
});
