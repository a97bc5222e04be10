// Tests of expectations: when a controller may count its children.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MovableClock } from '../../base/clock.ts';
import { Expectations } from './expectations.ts';

test('an owner waits until all creations are observed', () => {
  const expectations = new Expectations(new MovableClock());
  assert.equal(expectations.remainingMs('uid'), 0);
  expectations.expectCreations('uid', 2);
  expectations.creationObserved('uid');
  assert.ok(expectations.remainingMs('uid') > 0);
  assert.equal(expectations.remainingMs('other'), 0);
  expectations.creationObserved('uid');
  assert.equal(expectations.remainingMs('uid'), 0);
  // Creations by others are observed too.
  expectations.creationObserved('uid');
  assert.equal(expectations.remainingMs('uid'), 0);
});

test('an owner waits for the deletion of each child, which may be observed twice', () => {
  const expectations = new Expectations(new MovableClock());
  expectations.expectDeletions('uid', ['n/a', 'n/b']);
  expectations.deletionObserved('uid', 'n/a');
  expectations.deletionObserved('uid', 'n/a');
  expectations.deletionObserved('uid', 'n/unexpected');
  assert.ok(expectations.remainingMs('uid') > 0);
  expectations.deletionObserved('uid', 'n/b');
  assert.equal(expectations.remainingMs('uid'), 0);
});

test('an expectation that is not met is given up after five minutes', () => {
  const clock = new MovableClock();
  const expectations = new Expectations(clock);
  expectations.expectCreations('uid', 1);
  clock.advance(299_000);
  assert.ok(expectations.remainingMs('uid') > 0);
  clock.advance(1_001);
  assert.equal(expectations.remainingMs('uid'), 0);
});
