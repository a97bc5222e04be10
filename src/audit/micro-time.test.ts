// Tests of audit timestamps.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MicroTimeFormatter } from './micro-time.ts';

test('timestamps have microseconds, even if seconds alternate', () => {
  const stamps = new MicroTimeFormatter();
  const second = Date.UTC(2026, 10, 15, 14, 31, 59);
  assert.equal(stamps.format(second), '2026-11-15T14:31:59.000000Z');
  assert.equal(stamps.format(second + 1000.5), '2026-11-15T14:32:00.000500Z');
  assert.equal(stamps.format(second + 999.75), '2026-11-15T14:31:59.999750Z');
});
