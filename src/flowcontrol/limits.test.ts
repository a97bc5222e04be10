// Tests of concurrency limits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mandatorySpecs } from '../apis/flowcontrol/mandatory.ts';
import { orch } from '../dialect/index.ts';
import { divideSeats, limitsOf } from './limits.ts';
import { suggested } from './suggested.ts';

test('limitsOf divides 600 seats among the bootstrap levels as upstream does', () => {
  const specs = { ...mandatorySpecs.priorityLevels, ...suggested(orch).priorityLevels };
  const limits = limitsOf(600, new Map(Object.entries(specs)));
  const numbers = Object.fromEntries(
    [...limits].map(([name, { nominal, lower, upper }]) => [name, [nominal, lower, upper]]),
  );
  assert.deepEqual(numbers, {
    exempt: [0, 0, 600],
    'catch-all': [13, 13, 613],
    system: [74, 50, 674],
    'node-high': [98, 73, 698],
    'leader-election': [25, 25, 625],
    'workload-high': [98, 49, 698],
    'workload-low': [245, 24, 845],
    'global-default': [49, 24, 649],
  });
});

test('limitsOf bounds borrowing by borrowingLimitPercent, and gives no seats for no shares', () => {
  const limited = (fields: object) =>
    ({ type: 'Limited', limited: { limitResponse: { type: 'Reject' }, ...fields } }) as const;
  const limits = limitsOf(
    100,
    new Map([
      ['some', limited({ nominalConcurrencyShares: 1, borrowingLimitPercent: 50 })],
      ['none', limited({ nominalConcurrencyShares: 0, borrowingLimitPercent: 0 })],
    ]),
  );
  assert.deepEqual(limits.get('some'), { nominal: 100, lower: 100, upper: 150 });
  assert.deepEqual(limits.get('none'), { nominal: 0, lower: 0, upper: 0 });
});

test('divideSeats assigns all seats within the bounds, the same fraction of each target', () => {
  const claim = fc
    .tuple(fc.nat(50), fc.nat(50), fc.nat(100))
    .map(([lower, more, target]) => ({ lower, upper: lower + more, target: Math.max(lower, target) }));
  fc.assert(
    fc.property(fc.array(claim, { minLength: 1, maxLength: 8 }), fc.nat(400), (claims, total) => {
      const { seats, fraction } = divideSeats(total, claims);
      const sum = seats.reduce((all, count) => all + count, 0);
      const least = claims.reduce((all, { lower }) => all + lower, 0);
      const sumOfUpper = claims.reduce(
        (all, { lower, upper, target }) => all + (target > 0 ? upper : lower),
        0,
      );
      assert.ok(Math.abs(sum - Math.max(least, Math.min(sumOfUpper, total))) < 1e-6, `${sum} of ${total}`);
      claims.forEach(({ lower, upper, target }, index) => {
        const assigned = seats[index]!;
        assert.ok(assigned >= lower - 1e-9 && assigned <= upper + 1e-9);
        if (assigned > lower + 1e-6 && assigned < upper - 1e-6)
          assert.ok(Math.abs(assigned - fraction * target) < 1e-6);
      });
    }),
  );
});
