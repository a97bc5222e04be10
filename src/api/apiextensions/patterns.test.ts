import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Patterns } from './patterns.ts';

test('a pattern matches somewhere in a text', () => {
  const patterns = new Patterns();
  assert.ok(patterns.matches('b+', 'abc'));
  assert.ok(!patterns.matches('^b', 'abc'));
});

test('what is no pattern is told in the words of RE2, and matches nothing', () => {
  const patterns = new Patterns();
  assert.equal(patterns.problemOf('a'), undefined);
  assert.equal(patterns.problemOf('['), 'error parsing regexp: missing closing ]: `[`');
  assert.equal(patterns.problemOf('\\'), 'error parsing regexp: trailing backslash at end of expression: ``');
  assert.match(patterns.problemOf('(?=a)')!, /unsupported Perl syntax/);
  assert.match(patterns.problemOf('(x{1000}){1000}')!, /invalid repeat count/);
  assert.ok(!patterns.matches('[', '['));
});

test('a definition has so many different patterns and no more', () => {
  const patterns = new Patterns();
  for (let i = 0; i < 2_000; i++) assert.equal(patterns.problemOf(`a${i}`), undefined);
  assert.equal(patterns.problemOf('a0'), undefined);
  assert.match(patterns.problemOf('one more')!, /more than 2000 different patterns/);
});
