import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultKinds, makePlan, usesDisk } from './plan.ts';
import { Random } from './random.ts';

const kindsOf = (plan: ReturnType<typeof makePlan>) =>
  plan.flatMap(({ faults }) => faults.map(({ kind }) => kind));

test('a seed determines the plan', () => {
  const plan = (seed: number) => makePlan({ storage: 'etcd', seed, ms: 60_000 });
  assert.deepEqual(plan(7), plan(7));
  assert.notDeepEqual(plan(7), plan(8));
});

test('on LMDB only servers have faults; on etcd every fault occurs', () => {
  const seeds = Array.from({ length: 40 }, (_, seed) => seed);
  const used = (storage: 'lmdb' | 'etcd') =>
    new Set(seeds.flatMap((seed) => kindsOf(makePlan({ storage, seed, ms: 60_000 }))));
  assert.deepEqual([...used('lmdb')].sort(), ['clock', 'disk', 'kill', 'pause', 'stop']);
  assert.deepEqual([...used('etcd')].sort(), Object.keys(faultKinds).sort());
});

test('concurrent faults never concern the same part of a server', () => {
  for (let seed = 0; seed < 200; seed++) {
    for (const { faults } of makePlan({ storage: 'etcd', seed, ms: 60_000 })) {
      const [one, other] = faults;
      if (!one || !other) continue;
      assert.notEqual(one.kind, other.kind);
      if (faultKinds[one.kind].of === 'member' && faultKinds[other.kind].of === 'member')
        assert.notEqual(one.target, other.target);
    }
  }
});

test('a requested plan has the given faults in the given order', () => {
  const plan = makePlan({ storage: 'lmdb', seed: 1, ms: 20_000, faults: 'kill,disk+clock' });
  assert.deepEqual(
    plan.slice(0, 3).map(({ faults }) => faults.map(({ kind }) => kind)),
    [['kill'], ['disk', 'clock'], ['kill']],
  );
  assert.equal(usesDisk(plan), true);
  assert.throws(() => makePlan({ storage: 'lmdb', seed: 1, ms: 1, faults: 'flood' }), /no such fault: flood/);
});

test('random numbers are determined by the seed and within bounds', () => {
  const numbers = (seed: number) => {
    const random = new Random(seed);
    return Array.from({ length: 1_000 }, () => random.between(3, 5));
  };
  assert.deepEqual(numbers(1), numbers(1));
  assert.deepEqual([...new Set(numbers(1))].sort(), [3, 4, 5]);
});
