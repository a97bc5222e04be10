// Tests of the plan of a DaemonSet: examples, and its invariants under any order of events.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type PlannedNode, type PlannedPod, planNodes, planUpdate } from './daemonset-plan.ts';

type State = 'starting' | 'available' | 'terminating' | 'finished';

function pod(name: string, state: State = 'available', isUpdated = true): PlannedPod {
  return {
    name,
    creationTimestamp: name,
    isUpdated,
    isScheduled: true,
    isFinished: state === 'finished',
    isTerminating: state === 'terminating',
    isReady: state === 'available',
    isAvailable: state === 'available',
  };
}

const old = (name: string, state: State = 'available') => pod(name, state, false);

function node(name: string, pods: PlannedPod[], more: Partial<PlannedNode<PlannedPod>> = {}) {
  return { name, exists: true, shouldRun: true, shouldContinue: true, pods, ...more };
}

function planned(nodes: PlannedNode<PlannedPod>[], allowsSurge = false) {
  const { createOn, remove, finished } = planNodes(nodes, allowsSurge);
  return {
    createOn,
    remove: remove.map(({ name }) => name),
    finished: finished.map((item) => item.pod.name),
  };
}

function updated(nodes: PlannedNode<PlannedPod>[], maxSurge: number, maxUnavailable: number) {
  const { createOn, remove } = planUpdate(nodes, { maxSurge, maxUnavailable });
  return { createOn, remove: remove.map(({ name }) => name) };
}

const nothing = { createOn: [], remove: [], finished: [] };

test('a node that should run a pod and has none gets one; a terminating pod is waited for', () => {
  assert.deepEqual(planned([node('n', [])]), { ...nothing, createOn: ['n'] });
  assert.deepEqual(planned([node('n', [], { shouldRun: false })]), nothing);
  assert.deepEqual(planned([node('n', [pod('a', 'terminating')])]), nothing);
  assert.deepEqual(planned([node('n', [pod('a', 'terminating')])], true), { ...nothing, createOn: ['n'] });
});

test('surplus and misplaced pods are deleted, the oldest stays', () => {
  assert.deepEqual(planned([node('n', [pod('b'), pod('a')])]), { ...nothing, remove: ['b'] });
  const tainted = { shouldRun: false };
  assert.deepEqual(planned([node('n', [pod('a')], tainted)]), nothing);
  const unselected = { shouldRun: false, shouldContinue: false };
  assert.deepEqual(planned([node('n', [pod('a'), pod('b', 'terminating')], unselected)]), {
    ...nothing,
    remove: ['a'],
  });
});

test('finished pods are reported, and replaced when they are gone', () => {
  assert.deepEqual(planned([node('n', [pod('a', 'finished')])]), { ...nothing, finished: ['a'] });
  assert.deepEqual(planned([node('n', [pod('a', 'finished')])], true), { ...nothing, finished: ['a'] });
});

test('pods for nodes that are gone are deleted if they are not bound', () => {
  const unbound = { ...pod('a'), isScheduled: false };
  assert.deepEqual(planned([node('n', [unbound, pod('b')], { exists: false })]), {
    ...nothing,
    remove: ['a'],
  });
});

test('an update deletes unavailable old pods, and available ones up to maxUnavailable', () => {
  const nodes = [node('1', [old('a')]), node('2', [old('b', 'starting')]), node('3', [old('c')])];
  assert.deepEqual(updated(nodes, 0, 1), { createOn: [], remove: ['b'] });
  assert.deepEqual(updated(nodes, 0, 2), { createOn: [], remove: ['b', 'a'] });
  assert.deepEqual(updated([node('1', [pod('a', 'terminating')]), node('2', [old('b')])], 0, 1), {
    createOn: [],
    remove: [],
  });
});

test('an update with a surge creates new pods beside old ones, and deletes those when the new ones are available', () => {
  const nodes = [node('1', [old('a')]), node('2', [old('b')]), node('3', [old('c', 'starting')])];
  assert.deepEqual(updated(nodes, 1, 0), { createOn: ['3', '1'], remove: [] });
  assert.deepEqual(updated([node('1', [old('a'), pod('b', 'starting')]), node('2', [old('c')])], 1, 0), {
    createOn: [],
    remove: [],
  });
  assert.deepEqual(updated([node('1', [old('a'), pod('b')]), node('2', [old('c')])], 1, 0), {
    createOn: ['2'],
    remove: ['a'],
  });
});

interface ModelPod {
  readonly name: string;
  readonly revision: number;
  state: State;
}

class Model {
  readonly maxSurge: number;
  readonly maxUnavailable: number;
  readonly nodes: { name: string; isEligible: boolean; pods: ModelPod[] }[];
  revision = 0;
  #created = 0;

  constructor({ maxSurge, maxUnavailable }: { maxSurge: number; maxUnavailable: number }) {
    this.maxSurge = maxSurge;
    this.maxUnavailable = maxUnavailable;
    this.nodes = ['1', '2', '3', '4', '5'].map((name) => ({ name, isEligible: true, pods: [] }));
  }

  get unavailable(): number {
    return this.nodes.filter(
      ({ isEligible, pods }) => isEligible && !pods.some(({ state }) => state === 'available'),
    ).length;
  }

  /** Nodes with an old pod and a new one that is not available yet. */
  get surging(): number {
    return this.nodes.filter(({ pods }) => {
      const alive = pods.filter(({ state }) => state !== 'terminating');
      const isNew = ({ revision }: ModelPod) => revision === this.revision;
      const newPods = alive.filter(isNew);
      return newPods.length < alive.length && newPods.some(({ state }) => state !== 'available');
    }).length;
  }

  planned(): PlannedNode<PlannedPod>[] {
    return this.nodes.map(({ name, isEligible, pods }) => ({
      name,
      exists: true,
      shouldRun: isEligible,
      shouldContinue: isEligible,
      pods: pods.map((item) => pod(item.name, item.state, item.revision === this.revision)),
    }));
  }

  /** As the controller does: an update continues only if there is nothing else to do. */
  execute(): void {
    const nodes = this.planned();
    const plan = planNodes(nodes, this.maxSurge > 0);
    const remove = [...plan.remove, ...plan.finished.map((item) => item.pod)];
    for (const name of plan.createOn) this.create(name);
    for (const { name } of remove) this.find(name).state = 'terminating';
    if (plan.createOn.length + remove.length === 0) this.update(nodes);
  }

  update(nodes: PlannedNode<PlannedPod>[]): void {
    const { maxSurge, maxUnavailable } = this;
    const { createOn, remove } = planUpdate(nodes, { maxSurge, maxUnavailable });
    for (const { name } of remove) {
      const target = this.find(name);
      assert.notEqual(target.revision, this.revision);
      const isNeeded = target.state === 'available' && maxSurge === 0;
      if (isNeeded) assert.ok(this.unavailable < maxUnavailable, 'too many nodes are unavailable');
      const before = this.unavailable;
      target.state = 'terminating';
      if (maxSurge > 0) assert.equal(this.unavailable, before);
    }
    const surging = this.surging;
    const extra = createOn.filter((name) =>
      this.nodes.some((item) => item.name === name && item.pods.some(({ state }) => state === 'available')),
    );
    assert.ok(extra.length <= Math.max(0, maxSurge - surging), 'too many additional pods');
    for (const name of createOn) this.create(name);
  }

  create(name: string): void {
    const target = this.nodes.find((item) => item.name === name)!;
    const alive = target.pods.filter(({ state }) => state !== 'terminating');
    assert.ok(target.isEligible);
    assert.equal(this.maxSurge === 0 ? target.pods.length : Math.max(0, alive.length - 1), 0);
    assert.ok(alive.every(({ revision }) => revision !== this.revision));
    this.#created += 1;
    const podName = String(this.#created).padStart(4, '0');
    target.pods.push({ name: podName, revision: this.revision, state: 'starting' });
  }

  find(name: string): ModelPod {
    return this.nodes.flatMap(({ pods }) => pods).find((item) => item.name === name)!;
  }

  advance(item: ModelPod): void {
    if (item.state === 'starting') item.state = 'available';
    if (item.state === 'terminating')
      for (const target of this.nodes) target.pods = target.pods.filter((other) => other !== item);
  }
}

const anyLimits = fc.oneof(
  fc.record({ maxSurge: fc.constant(0), maxUnavailable: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ maxSurge: fc.integer({ min: 1, max: 4 }), maxUnavailable: fc.constant(0) }),
);

const anyEvents = fc.array(
  fc.record({
    type: fc.constantFrom(
      'plan',
      'plan',
      'plan',
      'advance',
      'advance',
      'all',
      'all',
      'fail',
      'node',
      'update',
    ),
    which: fc.nat(20),
  }),
  { maxLength: 120 },
);

function apply(model: Model, type: string, which: number): void {
  const all = model.nodes.flatMap(({ pods }) => pods);
  const target = all[which % Math.max(1, all.length)];
  if (type === 'plan') model.execute();
  if (type === 'update') model.revision += 1;
  if (type === 'node') {
    const changed = model.nodes[which % model.nodes.length]!;
    changed.isEligible = !changed.isEligible;
  }
  if (type === 'advance' && target) model.advance(target);
  if (type === 'all') for (const item of all) model.advance(item);
  if (type === 'fail' && target && target.state !== 'terminating')
    target.state = which % 2 ? 'finished' : 'starting';
}

test('nodes have one pod, and maxUnavailable and maxSurge are kept, whatever the order of events', () => {
  fc.assert(
    fc.property(anyLimits, anyEvents, (limits, events) => {
      const model = new Model(limits);
      for (const { type, which } of events) apply(model, type, which);
    }),
    { numRuns: 3_000 },
  );
});

test('a DaemonSet whose pods become available has one updated pod on each eligible node, from any state', () => {
  fc.assert(
    fc.property(anyLimits, anyEvents, (limits, events) => {
      const model = new Model(limits);
      for (const { type, which } of events) apply(model, type, which);
      for (let round = 0; round < 60; round++) {
        model.execute();
        for (const item of model.nodes.flatMap(({ pods }) => pods)) model.advance(item);
      }
      for (const { isEligible, pods } of model.nodes) {
        const expected = isEligible ? [{ revision: model.revision, state: 'available' }] : [];
        assert.deepEqual(
          pods.map(({ revision, state }) => ({ revision, state })),
          expected,
        );
      }
    }),
    { numRuns: 1_000 },
  );
});
