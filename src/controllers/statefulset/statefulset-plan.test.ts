// Tests of the plan of a StatefulSet: examples, and its invariants under any order of events.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type OrdinalPod, type PlanInput, planPods } from './statefulset-plan.ts';

type State = 'starting' | 'ready' | 'available' | 'terminating' | 'finished';

function pod(ordinal: number, state: State = 'available', revision = 'new'): OrdinalPod {
  return {
    ordinal,
    revision,
    isFinished: state === 'finished',
    isTerminating: state === 'terminating',
    isReady: state === 'ready' || state === 'available',
    isAvailable: state === 'available',
  };
}

const base = {
  pods: [],
  range: { start: 0, end: 3 },
  isOrdered: true,
  currentRevision: 'old',
  updateRevision: 'new',
  firstUpdatedOrdinal: 0,
  rollingUpdate: { partition: 0, maxUnavailable: undefined },
} satisfies PlanInput<OrdinalPod>;

/** The creations and deletions, as text. */
const plan = (input: Partial<PlanInput<OrdinalPod>>) =>
  planPods({ ...base, ...input }).flatMap((action) => {
    if (action.type === 'create') return [`create ${action.ordinal} ${action.revision}`];
    return action.type === 'delete' ? [`delete ${action.pod.ordinal}`] : [];
  });

test('OrderedReady creates one pod after the other, each when the one before is available', () => {
  assert.deepEqual(plan({}), ['create 0 new']);
  assert.deepEqual(plan({ pods: [pod(0, 'starting')] }), []);
  assert.deepEqual(plan({ pods: [pod(0, 'ready')] }), []);
  assert.deepEqual(plan({ pods: [pod(0)] }), ['create 1 new']);
  assert.deepEqual(plan({ pods: [pod(0), pod(2)] }), ['create 1 new']);
});

test('Parallel creates and deletes all pods at once', () => {
  const input = { isOrdered: false, range: { start: 1, end: 4 } };
  assert.deepEqual(plan(input), ['create 1 new', 'create 2 new', 'create 3 new']);
  assert.deepEqual(plan({ ...input, range: { start: 1, end: 1 }, pods: [pod(1), pod(2, 'starting')] }), [
    'delete 2',
    'delete 1',
  ]);
});

test('OrderedReady deletes in reverse order, one by one, when all others are available', () => {
  const range = { start: 0, end: 1 };
  assert.deepEqual(plan({ range, pods: [pod(0), pod(1), pod(2)] }), ['delete 2']);
  assert.deepEqual(plan({ range, pods: [pod(0), pod(1), pod(2, 'terminating')] }), []);
  assert.deepEqual(plan({ range, pods: [pod(0), pod(1, 'starting'), pod(2)] }), ['delete 2']);
  assert.deepEqual(plan({ range, pods: [pod(0), pod(1, 'starting'), pod(2, 'starting')] }), []);
  assert.deepEqual(plan({ range, pods: [pod(0, 'starting'), pod(1), pod(2)] }), []);
});

test('a finished pod is deleted, and created again when it is gone', () => {
  assert.deepEqual(plan({ pods: [pod(0, 'finished')] }), ['delete 0']);
  assert.deepEqual(plan({ pods: [{ ...pod(0, 'finished'), isTerminating: true }] }), []);
});

test('a rolling update deletes the highest old pod, and waits until its successor is healthy', () => {
  const old = (ordinal: number) => pod(ordinal, 'available', 'old');
  assert.deepEqual(plan({ pods: [old(0), old(1), old(2)] }), ['delete 2']);
  assert.deepEqual(plan({ pods: [old(0), old(1), pod(2)] }), ['delete 1']);
  assert.deepEqual(plan({ isOrdered: false, pods: [old(0), old(1), pod(2, 'starting')] }), []);
  assert.deepEqual(plan({ isOrdered: false, pods: [old(0), old(1)] }), ['create 2 new']);
  assert.deepEqual(plan({ pods: [old(0), old(1), old(2)], rollingUpdate: undefined }), []);
});

test('a rolling update ends at the partition, below which new pods get the old revision', () => {
  const old = (ordinal: number) => pod(ordinal, 'available', 'old');
  const input = { rollingUpdate: { partition: 2, maxUnavailable: undefined }, firstUpdatedOrdinal: 2 };
  assert.deepEqual(plan({ ...input, pods: [old(0), old(1), old(2)] }), ['delete 2']);
  assert.deepEqual(plan({ ...input, pods: [old(0), old(1), pod(2)] }), []);
  assert.deepEqual(plan({ ...input, pods: [old(0), pod(2)] }), ['create 1 old']);
});

test('with maxUnavailable several pods are updated at once, and unavailable ones in any case', () => {
  const old = (ordinal: number, state: State = 'available') => pod(ordinal, state, 'old');
  const input = { range: { start: 0, end: 4 }, rollingUpdate: { partition: 0, maxUnavailable: 2 } };
  assert.deepEqual(plan({ ...input, pods: [old(0), old(1), old(2), old(3)] }), ['delete 3', 'delete 2']);
  const parallel = { ...input, isOrdered: false };
  assert.deepEqual(plan({ ...parallel, pods: [old(0, 'starting'), old(1), old(2), pod(3, 'starting')] }), [
    'delete 0',
  ]);
});

interface Settings {
  readonly isOrdered: boolean;
  readonly partition: number;
  readonly maxUnavailable: number | undefined;
}

/** The pods of a StatefulSet; events are those of users and kubelets. */
class Model {
  readonly settings: Settings;
  range = { start: 0, end: 0 };
  revision = 0;
  pods: (OrdinalPod & { state: State })[] = [];

  constructor(settings: Settings) {
    this.settings = settings;
  }

  get updateRevision(): string {
    return `r${this.revision}`;
  }

  plan() {
    const { isOrdered, partition, maxUnavailable } = this.settings;
    return planPods({
      pods: this.pods,
      range: this.range,
      isOrdered,
      currentRevision: 'r0',
      updateRevision: this.updateRevision,
      firstUpdatedOrdinal: this.range.start + partition,
      rollingUpdate: { partition, maxUnavailable },
    });
  }

  set(ordinal: number, state: State, revision: string): void {
    this.remove(ordinal);
    this.pods.push({ ...pod(ordinal, state, revision), state });
  }

  remove(ordinal: number): void {
    this.pods = this.pods.filter((existing) => existing.ordinal !== ordinal);
  }

  isAvailable(ordinal: number): boolean {
    return this.pods.some((existing) => existing.ordinal === ordinal && existing.state === 'available');
  }

  unavailable(): number {
    const { start, end } = this.range;
    let count = 0;
    for (let ordinal = start; ordinal < end; ordinal++) count += this.isAvailable(ordinal) ? 0 : 1;
    return count;
  }

  execute(): void {
    for (const action of this.plan()) {
      if (action.type === 'create') this.create(action.ordinal, action.revision);
      if (action.type === 'delete') this.delete(action.pod as Model['pods'][number]);
    }
  }

  create(ordinal: number, revision: string): void {
    assert.ok(!this.pods.some((existing) => existing.ordinal === ordinal), `${ordinal} exists`);
    for (let lower = this.range.start; this.settings.isOrdered && lower < ordinal; lower++)
      assert.ok(this.isAvailable(lower), `${ordinal} created before ${lower} is available`);
    this.set(ordinal, 'starting', revision);
  }

  delete({ ordinal, state, revision }: Model['pods'][number]): void {
    const { isOrdered, partition, maxUnavailable } = this.settings;
    const isReplica = ordinal >= this.range.start && ordinal < this.range.end;
    if (isReplica && state !== 'finished') {
      assert.ok(ordinal >= this.range.start + partition, `${ordinal} is below the partition`);
      assert.notEqual(revision, this.updateRevision);
      const limit = maxUnavailable ?? (isOrdered ? 1 : undefined);
      if (state === 'available' && limit !== undefined) assert.ok(this.unavailable() < limit, 'unavailable');
    }
    if (!isReplica && isOrdered) assert.equal(this.unavailable(), 0);
    this.set(ordinal, 'terminating', revision);
  }
}

const anySettings = fc.record({
  isOrdered: fc.boolean(),
  partition: fc.nat(4),
  maxUnavailable: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
});

const anyEvents = fc.array(
  fc.record({
    type: fc.constantFrom('plan', 'plan', 'plan', 'advance', 'all', 'all', 'all', 'fail', 'scale', 'update'),
    which: fc.nat(6),
  }),
  { maxLength: 100 },
);

const next: Readonly<Record<State, State | undefined>> = {
  starting: 'ready',
  ready: 'available',
  available: 'available',
  finished: 'finished',
  terminating: undefined,
};

function advance(model: Model, { ordinal, state, revision }: Model['pods'][number]): void {
  const nextState = next[state];
  if (nextState) model.set(ordinal, nextState, revision);
  else model.remove(ordinal);
}

function apply(model: Model, type: string, which: number): void {
  const target = model.pods[which % Math.max(1, model.pods.length)];
  if (type === 'plan') model.execute();
  else if (type === 'scale') model.range = { start: which % 2, end: (which % 2) + which };
  else if (type === 'update') model.revision += 1;
  else if (type === 'fail' && target && target.state !== 'terminating')
    model.set(target.ordinal, which % 2 ? 'finished' : 'starting', target.revision);
  else if (type === 'advance' && target) advance(model, target);
  else if (type === 'all') for (const item of model.pods) advance(model, item);
}

test('ordinals are unique, order, partition and maxUnavailable are kept, whatever the order of events', () => {
  fc.assert(
    fc.property(anySettings, anyEvents, (settings, events) => {
      const model = new Model(settings);
      for (const { type, which } of events) apply(model, type, which);
    }),
    { numRuns: 3_000 },
  );
});

test('a StatefulSet whose pods become available reaches its size and its revision, from any state', () => {
  fc.assert(
    fc.property(anySettings, anyEvents, (settings, events) => {
      const model = new Model(settings);
      for (const { type, which } of events) apply(model, type, which);
      for (let round = 0; round < 200; round++) {
        model.execute();
        for (const { ordinal, state, revision } of model.pods) {
          if (state === 'terminating') model.remove(ordinal);
          else if (state !== 'finished') model.set(ordinal, 'available', revision);
        }
      }
      const { start, end } = model.range;
      assert.deepEqual(
        model.pods.map(({ ordinal }) => ordinal).sort((a, b) => a - b),
        Array.from({ length: end - start }, (_, index) => start + index),
      );
      for (const { ordinal, revision } of model.pods)
        if (ordinal >= start + settings.partition) assert.equal(revision, model.updateRevision);
    }),
    { numRuns: 1_000 },
  );
});
