// Tests of spelling suggestions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearest } from './nearest.ts';

test('nearest finds the word with the fewest changed letters', () => {
  assert.equal(nearest('verzion', ['serve', 'version', 'dev']), 'version');
  assert.equal(nearest('--data-dri', ['--data-dir', '--cert-dir']), '--data-dir');
});

test('nearest keeps quiet when nothing is near', () => {
  assert.equal(nearest('banana', ['serve', 'version', 'dev']), undefined);
  assert.equal(nearest('x', []), undefined);
});
