import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tryCreate } from '../try-rules.ts';
import { leases } from './lease.ts';

const problems = (spec: unknown) => tryCreate(leases(), { spec }).problems;

test('a lease lasts, and changes hands never less than not at all', () => {
  assert.deepEqual(problems({ leaseDurationSeconds: 15, leaseTransitions: 0 }), []);
  assert.deepEqual(problems({ leaseDurationSeconds: 0, leaseTransitions: -1 }), [
    'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0',
    'spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0',
  ]);
});

test('a holder is preferred only where a strategy chooses', () => {
  assert.deepEqual(problems({ preferredHolder: 'a' }), [
    'spec.preferredHolder: Forbidden: may only be specified if `strategy` is defined',
  ]);
  assert.deepEqual(problems({ preferredHolder: 'a', strategy: 'OldestEmulationVersion' }), []);
});

test('a strategy is known or qualified', () => {
  assert.deepEqual(problems({ strategy: 'example.com/best' }), []);
  assert.deepEqual(problems({ strategy: 'best' }), [
    'spec.strategy.strategy: Unsupported value: "best": supported values: "OldestEmulationVersion"',
  ]);
});
