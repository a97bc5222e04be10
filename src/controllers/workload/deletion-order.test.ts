// Tests of the order in which pods are deleted: each rule decides between pods that all earlier rules leave equal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod } from '../../apis/core/pod.ts';
import { choosePodsToDelete } from './deletion-order.ts';

const now = Date.parse('2025-06-01T12:00:00Z');
const ago = (seconds: number) => new Date(now - seconds * 1000).toISOString();

interface Described {
  readonly uid?: string;
  readonly node?: string;
  readonly phase?: string;
  readonly readyFor?: number;
  readonly cost?: string;
  readonly restarts?: number;
  readonly sidecarRestarts?: number;
  readonly age?: number;
}

/** A pod that has run and been ready for an hour, except for what is described. */
function pod(name: string, described: Described): Pod {
  const { uid = name, node = 'n', phase = 'Running', readyFor = 3600, cost, age = 7200 } = described;
  const { restarts = 0, sidecarRestarts = 0 } = described;
  const ready = { type: 'Ready', status: 'True', lastTransitionTime: ago(readyFor) };
  return {
    metadata: {
      name,
      uid,
      creationTimestamp: ago(age),
      ...(cost !== undefined && { annotations: { cost } }),
    },
    spec: {
      nodeName: node,
      initContainers: [{ name: 'sidecar', restartPolicy: 'Always' }],
    },
    status: {
      phase,
      conditions: readyFor > 0 ? [ready] : [],
      containerStatuses: [{ name: 'c', restartCount: restarts }],
      initContainerStatuses: [{ name: 'sidecar', restartCount: sidecarRestarts }],
    },
  } as unknown as Pod;
}

function firstDeleted(a: Described, b: Described, relatedPods: readonly Pod[] = []): string | undefined {
  const options = { relatedPods, costAnnotation: 'cost', now };
  const [chosen] = choosePodsToDelete([pod('a', a), pod('b', b)], 1, options);
  const [reversed] = choosePodsToDelete([pod('b', b), pod('a', a)], 1, options);
  assert.equal(chosen?.metadata.name, reversed?.metadata.name);
  return chosen?.metadata.name;
}

test('a pod without a node is deleted first, even if it costs more', () => {
  assert.equal(firstDeleted({ cost: '-5' }, { node: '', phase: 'Pending', cost: '5' }), 'b');
});

test('a pending pod is deleted before an unknown one, and that before a running one', () => {
  assert.equal(firstDeleted({ phase: 'Unknown' }, { phase: 'Pending' }), 'b');
  assert.equal(firstDeleted({ phase: 'Running' }, { phase: 'Unknown' }), 'b');
});

test('a pod that is not ready is deleted before a ready one', () => {
  assert.equal(firstDeleted({ cost: '-5' }, { readyFor: 0 }), 'b');
});

test('a pod with a lower deletion cost is deleted first; an invalid cost counts as 0', () => {
  assert.equal(firstDeleted({ cost: '2' }, { cost: '1' }), 'b');
  assert.equal(firstDeleted({}, { cost: '-1' }), 'b');
  for (const cost of ['+5', '05', '1.5', 'much', '4294967297'])
    assert.equal(firstDeleted({ cost, readyFor: 3600 }, { readyFor: 60 }), 'b');
});

test('a pod on a node with more pods of the same owner is deleted first', () => {
  const related = [pod('r1', { node: 'full' }), pod('r2', { node: 'full' }), pod('r3', { node: 'n' })];
  assert.equal(firstDeleted({ readyFor: 60 }, { node: 'full' }, related), 'b');
});

test('of ready pods, the one that became ready in a later power of two is deleted first, else the lower uid', () => {
  assert.equal(firstDeleted({ readyFor: 3600 }, { readyFor: 60 }), 'b');
  assert.equal(firstDeleted({ readyFor: 3000, uid: '2' }, { readyFor: 3600, uid: '1' }), 'b');
  assert.equal(firstDeleted({ readyFor: 3000, uid: '1' }, { readyFor: 3600, uid: '2' }), 'a');
});

test('a pod with more restarts is deleted first; those of sidecars count less', () => {
  assert.equal(firstDeleted({ sidecarRestarts: 9 }, { restarts: 1 }), 'b');
  assert.equal(firstDeleted({}, { sidecarRestarts: 1 }), 'b');
});

test('a younger pod is deleted first', () => {
  assert.equal(firstDeleted({ age: 7200 }, { age: 60 }), 'b');
  assert.equal(firstDeleted({ age: 7200, readyFor: 0 }, { age: 60, readyFor: 0 }), 'b');
});

test('all pods are chosen in their order if all are to be deleted', () => {
  const pods = [pod('a', {}), pod('b', { node: '' })];
  const options = { relatedPods: [], costAnnotation: undefined, now };
  assert.deepEqual(choosePodsToDelete(pods, 2, options), pods);
});
