// Tests of proportional scaling: examples of upstream's documentation, and bounds of the sizes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isScalingEvent, planScaling, type ScalingTarget } from './proportional-scaling.ts';
import type { SizedSet } from './sized-set.ts';

interface Described {
  readonly available?: number;
  readonly desired?: number;
  readonly max?: number;
}

const sizedSet = (
  name: string,
  replicas: number,
  { available = 0, desired, max }: Described = {},
): SizedSet => ({
  name,
  creationTimestamp: name,
  replicas,
  currentReplicas: replicas,
  availableReplicas: available,
  desiredReplicas: desired,
  maxReplicas: max,
});

const target = (replicas: number, maxSurge: number, more: Partial<ScalingTarget> = {}): ScalingTarget => ({
  replicas,
  maxSurge,
  maxUnavailable: 1,
  isRollingUpdate: true,
  currentReplicas: 0,
  ...more,
});

/** The planned sizes by name; the last set is the new one. */
function plan(scaled: ScalingTarget, ...sets: readonly SizedSet[]): Record<string, number> {
  const scalings = planScaling(scaled, sets.at(-1), sets.slice(0, -1));
  return Object.fromEntries(scalings.map(({ set, replicas }) => [set.name, replicas]));
}

test('replicas that differ from the annotation of an active ReplicaSet are a scaling event', () => {
  assert.ok(isScalingEvent(target(5, 1), [sizedSet('a', 3, { desired: 3 })]));
  assert.ok(!isScalingEvent(target(5, 1), [sizedSet('a', 3, { desired: 5 })]));
  assert.ok(!isScalingEvent(target(5, 1), [sizedSet('a', 3)]));
  assert.ok(!isScalingEvent(target(5, 1), [sizedSet('a', 0, { desired: 3 })]));
});

test('the only active ReplicaSet gets all replicas', () => {
  assert.deepEqual(plan(target(5, 1), sizedSet('old', 3), sizedSet('new', 0)), { old: 5 });
  assert.deepEqual(plan(target(5, 1), sizedSet('old', 0), sizedSet('new', 0)), { new: 5 });
});

test('without a new ReplicaSet and without active ones, the youngest gets all replicas', () => {
  const [scaling] = planScaling(target(2, 0), undefined, [sizedSet('b', 0), sizedSet('a', 0)]);
  assert.deepEqual([scaling?.set.name, scaling?.replicas], ['b', 2]);
  assert.deepEqual(planScaling(target(2, 0), undefined, []), []);
});

test('old ReplicaSets are scaled to 0 if all pods of the new one are available', () => {
  const complete = sizedSet('new', 5, { available: 5, desired: 5 });
  assert.deepEqual(plan(target(5, 1), sizedSet('old', 2), complete), { old: 0 });
});

test('pods are added in proportion to the sizes; what rounding leaves goes to the largest', () => {
  const max = 13;
  const sets = [sizedSet('old', 8, { max }), sizedSet('new', 5, { max })];
  assert.deepEqual(plan(target(15, 3), ...sets), { old: 11, new: 7 });
  const equal = [sizedSet('a', 5, { max: 10 }), sizedSet('b', 5, { max: 10 })];
  assert.deepEqual(plan(target(11, 0), ...equal), { a: 5, b: 6 });
  assert.deepEqual(plan(target(9, 0), ...equal), { a: 4, b: 5 });
});

test('a scale-down to 0 empties all ReplicaSets, without the surge', () => {
  const sets = [sizedSet('old', 8, { max: 13 }), sizedSet('new', 5, { max: 13 })];
  assert.deepEqual(plan(target(0, 1), ...sets), { old: 0, new: 0 });
});

test('with strategy Recreate several active ReplicaSets are left to the rollout', () => {
  const recreate = target(4, 0, { isRollingUpdate: false });
  assert.deepEqual(plan(recreate, sizedSet('old', 2), sizedSet('new', 1)), {});
});

test('several active ReplicaSets get exactly replicas + maxSurge pods, none fewer than 0', () => {
  const anySets = fc
    .array(fc.record({ replicas: fc.integer({ min: 1, max: 40 }), hasMax: fc.boolean() }), {
      minLength: 2,
      maxLength: 5,
    })
    .map((described) => {
      const max = described.reduce((sum, { replicas }) => sum + replicas, 0);
      return described.map(({ replicas, hasMax }, index) =>
        sizedSet(`set-${index}`, replicas, hasMax ? { max } : {}),
      );
    });
  fc.assert(
    fc.property(anySets, fc.nat(60), fc.nat(10), fc.nat(100), (sets, replicas, maxSurge, currentReplicas) => {
      const sizes = Object.values(plan(target(replicas, maxSurge, { currentReplicas }), ...sets));
      const total = sizes.reduce((sum, size) => sum + size, 0);
      assert.ok(sizes.every((size) => size >= 0));
      const allowed = replicas > 0 ? replicas + maxSurge : 0;
      assert.ok(total >= allowed, `${total} of ${allowed}`);
      if (sizes.every((size) => size > 0)) assert.equal(total, allowed);
    }),
  );
});
