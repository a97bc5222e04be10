import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Stamps } from './stamp.ts';

test('times are told to the microsecond, also when seconds come in turns', () => {
  const stamps = new Stamps();
  const second = Date.UTC(2026, 10, 15, 14, 31, 59);
  assert.equal(stamps.of(second), '2026-11-15T14:31:59.000000Z');
  assert.equal(stamps.of(second + 1000.5), '2026-11-15T14:32:00.000500Z');
  assert.equal(stamps.of(second + 999.75), '2026-11-15T14:31:59.999750Z');
});
