// Tests of rolling updates: examples, and the two invariants under any order of events.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ReplicaLimits, resolveLimits } from './replica-limits.ts';
import { newSetReplicas, planRollingUpdate } from './rolling-update.ts';
import type { SizedSet } from './sized-set.ts';

function sizedSet(name: string, replicas: number, available: number, current = replicas): SizedSet {
  return {
    name,
    creationTimestamp: name,
    replicas,
    currentReplicas: current,
    availableReplicas: available,
    desiredReplicas: undefined,
    maxReplicas: undefined,
  };
}

/** The planned sizes by name. */
const plan = (limits: ReplicaLimits, newSet: SizedSet, ...oldSets: SizedSet[]) =>
  Object.fromEntries(
    planRollingUpdate(limits, newSet, oldSets).map(({ set, replicas }) => [set.name, replicas]),
  );

test('percentages of maxSurge round up, those of maxUnavailable down', () => {
  assert.deepEqual(resolveLimits(10, '25%', '25%'), { replicas: 10, maxSurge: 3, maxUnavailable: 2 });
  assert.deepEqual(resolveLimits(3, '25%', '25%'), { replicas: 3, maxSurge: 1, maxUnavailable: 0 });
  assert.deepEqual(resolveLimits(2, 5, 1), { replicas: 2, maxSurge: 5, maxUnavailable: 1 });
});

test('one pod may be unavailable if both limits are 0, and never more than there are', () => {
  assert.deepEqual(resolveLimits(10, 0, '1%'), { replicas: 10, maxSurge: 0, maxUnavailable: 1 });
  assert.equal(resolveLimits(2, 0, 5).maxUnavailable, 2);
  assert.equal(resolveLimits(0, 0, 0).maxUnavailable, 0);
});

const limits = { replicas: 10, maxSurge: 3, maxUnavailable: 2 };

test('the new ReplicaSet is scaled up as far as the surge allows', () => {
  assert.equal(newSetReplicas(limits, sizedSet('new', 0, 0), [sizedSet('old', 10, 10)]), 3);
  assert.deepEqual(plan(limits, sizedSet('new', 3, 0), sizedSet('old', 8, 8)), { new: 5 });
  assert.deepEqual(plan(limits, sizedSet('new', 9, 9), sizedSet('old', 1, 1)), { new: 10 });
});

test('a new ReplicaSet that is too large is scaled down', () => {
  assert.deepEqual(plan(limits, sizedSet('new', 12, 12), sizedSet('old', 1, 1)), { new: 10 });
});

test('the new ReplicaSet waits for pods of old ones that are still to be deleted', () => {
  assert.deepEqual(plan(limits, sizedSet('new', 3, 0), sizedSet('old', 8, 10, 10)), {});
});

test('old ReplicaSets are scaled down to the minimum of available pods, oldest first', () => {
  assert.deepEqual(plan(limits, sizedSet('new', 3, 0), sizedSet('old', 10, 10)), { old: 8 });
  assert.deepEqual(plan(limits, sizedSet('new', 5, 2), sizedSet('old-1', 1, 1), sizedSet('old-2', 7, 7)), {
    'old-1': 0,
    'old-2': 6,
  });
  assert.deepEqual(plan(limits, sizedSet('new', 5, 0), sizedSet('old', 8, 8)), {});
});

test('unavailable pods of old ReplicaSets are deleted first', () => {
  assert.deepEqual(plan(limits, sizedSet('new', 3, 0), sizedSet('old-1', 8, 8), sizedSet('old-2', 2, 0)), {
    'old-2': 0,
  });
  // Not while too few pods of the new ReplicaSet are available: these may become available again.
  assert.deepEqual(plan(limits, sizedSet('new', 5, 0), sizedSet('old', 8, 4)), {});
});

test('a ReplicaSet that is about to be scaled down counts as available only with the pods that it keeps', () => {
  assert.deepEqual(plan(limits, sizedSet('new', 5, 1), sizedSet('old', 8, 10)), { old: 7 });
});

/** A ReplicaSet with its pods: the ReplicaSet controller executes its size whenever the model lets it. */
class ModelSet {
  readonly name: string;
  replicas: number;
  /** For each pod that is not terminating, whether it is available. */
  pods: boolean[];
  /** The status, which is as old as the last run of the ReplicaSet controller. */
  status = { replicas: 0, available: 0 };

  constructor(name: string, replicas: number, pods: boolean[]) {
    this.name = name;
    this.replicas = replicas;
    this.pods = pods;
    this.writeStatus();
  }

  get available(): number {
    return this.pods.filter(Boolean).length;
  }

  /** Creates pods, or deletes unavailable ones before available ones. */
  sync(): void {
    while (this.pods.length < this.replicas) this.pods.push(false);
    this.pods = this.pods.sort((a, b) => Number(b) - Number(a)).slice(0, this.replicas);
    this.writeStatus();
  }

  writeStatus(): void {
    this.status = { replicas: this.pods.length, available: this.available };
  }

  sized(): SizedSet {
    return sizedSet(this.name, this.replicas, this.status.available, this.status.replicas);
  }
}

class Model {
  readonly limits: ReplicaLimits;
  readonly sets: ModelSet[];

  constructor(limits: ReplicaLimits, isAvailable: readonly boolean[]) {
    this.limits = limits;
    const pods = Array.from({ length: limits.replicas }, (_, index) => isAvailable[index] ?? true);
    this.sets = [new ModelSet('000', limits.replicas, pods)];
  }

  get podCount(): number {
    return this.sets.reduce((sum, { pods }) => sum + pods.length, 0);
  }

  get available(): number {
    return this.sets.reduce((sum, { available }) => sum + available, 0);
  }

  /** Changes the template: the last ReplicaSet is the new one. */
  changeTemplate(): void {
    const oldSets = this.sets.map((set) => set.sized());
    const name = String(this.sets.length).padStart(3, '0');
    const replicas = newSetReplicas(this.limits, sizedSet(name, 0, 0), oldSets);
    this.sets.push(new ModelSet(name, replicas, []));
  }

  /** Returns whether the plan had anything to do. */
  syncDeployment(): boolean {
    const sized = this.sets.map((set) => set.sized());
    const scalings = planRollingUpdate(this.limits, sized.at(-1)!, sized.slice(0, -1));
    for (const { set, replicas } of scalings)
      this.sets.find(({ name }) => name === set.name)!.replicas = replicas;
    return scalings.length > 0;
  }

  setAt(index: number): ModelSet {
    return this.sets[index % this.sets.length]!;
  }
}

const anyLimits = fc
  .tuple(
    fc.integer({ min: 0, max: 20 }),
    fc.oneof(
      fc.integer({ min: 0, max: 8 }),
      fc.integer({ min: 0, max: 100 }).map((part) => `${part}%`),
    ),
    fc.oneof(
      fc.integer({ min: 0, max: 8 }),
      fc.integer({ min: 0, max: 100 }).map((part) => `${part}%`),
    ),
  )
  .map(([replicas, surge, unavailable]) => resolveLimits(replicas, surge, unavailable));

const anyEvents = fc.array(
  fc.record({
    type: fc.constantFrom(
      'changeTemplate',
      ...Array(4).fill('syncDeployment'),
      ...Array(4).fill('syncSet'),
      ...Array(4).fill('podAvailable'),
    ) as fc.Arbitrary<'changeTemplate' | 'syncDeployment' | 'syncSet' | 'podAvailable'>,
    set: fc.nat(20),
  }),
  { maxLength: 80 },
);

function apply(model: Model, { type, set }: { readonly type: string; readonly set: number }): void {
  const target = model.setAt(set);
  if (type === 'changeTemplate') {
    model.changeTemplate();
  } else if (type === 'syncDeployment') {
    model.syncDeployment();
  } else if (type === 'syncSet') {
    target.sync();
  } else if (target.pods.length <= target.replicas) {
    // A scale-down that deletes unavailable pods is not to blame if one of them becomes available before. Nor if the status
    // does not report it yet.
    target.pods = target.pods.map((isAvailable, index) => isAvailable || index === set % 3);
    target.writeStatus();
  }
}

const anyStart = fc.tuple(anyLimits, fc.array(fc.boolean(), { maxLength: 20 }));

test('there are never more pods than replicas + maxSurge, whatever the order of events', () => {
  fc.assert(
    fc.property(anyStart, anyEvents, (start, events) => {
      const model = new Model(...start);
      const { replicas, maxSurge } = model.limits;
      for (const event of events) {
        apply(model, event);
        assert.ok(model.podCount <= replicas + maxSurge, `${model.podCount} pods`);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('a rollout never makes fewer pods available than replicas - maxUnavailable, whatever the order of events', () => {
  fc.assert(
    fc.property(anyStart, anyEvents, (start, events) => {
      const model = new Model(...start);
      const { replicas, maxUnavailable } = model.limits;
      for (const event of events) {
        const before = model.available;
        apply(model, event);
        const minimum = Math.min(before, replicas - maxUnavailable);
        assert.ok(model.available >= minimum, `${model.available} of ${before} available`);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('a rollout whose pods become available completes, from any state', () => {
  fc.assert(
    fc.property(anyStart, anyEvents, (start, events) => {
      const model = new Model(...start);
      for (const event of events) apply(model, event);
      for (let round = 0; round < 500; round++) {
        for (const set of model.sets) {
          set.sync();
          set.pods.fill(true);
          set.writeStatus();
        }
        if (!model.syncDeployment()) break;
      }
      const [newest, ...others] = model.sets.toReversed();
      assert.equal(newest?.available, model.limits.replicas);
      assert.ok(others.every(({ pods }) => pods.length === 0));
    }),
    { numRuns: 1_000 },
  );
});
