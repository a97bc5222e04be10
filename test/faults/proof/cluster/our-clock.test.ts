import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ageOf, MINUTE } from './our-clock.ts';

const now = Date.parse('2026-01-01T12:00:00Z');

test('durations can be computed from clocks that were moved by whole minutes', () => {
  for (const minutes of [0, 1, -1, 10, -10]) {
    const saidAgo = (ms: number) => ageOf(now - ms + minutes * MINUTE, now);
    assert.equal(saidAgo(0), 0);
    assert.equal(saidAgo(5_000), 5_000);
    assert.equal(saidAgo(31_000), 31_000, 'what is heard of late does not lie ahead');
    assert.equal(saidAgo(58_000), 58_000);
    assert.equal(saidAgo(-20), -20, 'a clock may be slightly ahead');
  }
});
