import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateName } from './prepare.ts';

test('generateName appends five characters of its alphabet', () => {
  assert.match(generateName('job-'), /^job-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
});

test('generateName keeps the whole name to 63 characters', () => {
  assert.equal(generateName('x'.repeat(300)).length, 63);
});
