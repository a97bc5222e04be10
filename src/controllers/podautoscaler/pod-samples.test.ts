// Tests of the pods that count in a calculation.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod } from '../../apis/core/pod.ts';
import { groupPods, requestsOf } from './pod-samples.ts';

const now = Date.parse('2026-01-01T01:00:00Z');
const ago = (seconds: number) => new Date(now - seconds * 1_000).toISOString();

interface PodState {
  readonly phase?: string;
  readonly deletionTimestamp?: string;
  /** Seconds ago. */
  readonly started?: number;
  readonly ready?: 'True' | 'False';
  /** Of the condition Ready, seconds ago. */
  readonly changed?: number;
}

const podOf = ({ phase = 'Running', deletionTimestamp, started, ready, changed = 0 }: PodState) =>
  ({
    metadata: { name: 'pod', ...(deletionTimestamp && { deletionTimestamp }) },
    spec: { containers: [] },
    status: {
      phase,
      ...(started !== undefined && { startTime: ago(started) }),
      ...(ready && { conditions: [{ type: 'Ready', status: ready, lastTransitionTime: ago(changed) }] }),
    },
  }) as unknown as Pod;

const sample = { milliValue: 1, timestampMs: now, windowMs: 30_000 };

function groupOf(state: PodState, hasSample = true, resource = 'cpu'): string {
  const samples = new Map(hasSample ? [['pod', sample]] : []);
  const { readyCount, unready, missing, ignored } = groupPods([podOf(state)], samples, resource, now);
  if (readyCount === 1) return 'ready';
  if (unready.size === 1) return 'unready';
  return missing.size === 1 ? 'missing' : ignored.size === 1 ? 'ignored' : 'none';
}

test('pods count by their state', () => {
  const old = { started: 3_600, ready: 'True', changed: 3_590 } as const;
  assert.equal(groupOf(old), 'ready');
  assert.equal(groupOf(old, false), 'missing');
  assert.equal(groupOf({ ...old, deletionTimestamp: ago(1) }), 'ignored');
  assert.equal(groupOf({ ...old, phase: 'Failed' }), 'ignored');
  assert.equal(groupOf({ ...old, phase: 'Succeeded' }), 'ignored');
  assert.equal(groupOf({ ...old, phase: 'Pending' }), 'unready');
});

test('the CPU of a starting pod counts once it has been ready for the window of a sample', () => {
  assert.equal(groupOf({ started: 60, ready: 'True', changed: 29 }), 'unready');
  assert.equal(groupOf({ started: 60, ready: 'True', changed: 30 }), 'ready');
  assert.equal(groupOf({ started: 60, ready: 'False', changed: 40 }), 'unready');
  assert.equal(groupOf({ started: 60 }), 'unready');
  assert.equal(groupOf({ ready: 'True' }), 'unready');
});

test('the CPU of an unready pod counts if it has been ready before', () => {
  assert.equal(groupOf({ started: 600, ready: 'False', changed: 600 - 29 }), 'unready');
  assert.equal(groupOf({ started: 600, ready: 'False', changed: 600 - 31 }), 'ready');
});

test('other metrics count as soon as the pod runs', () => {
  const starting = { started: 5, ready: 'False', changed: 5 } as const;
  assert.equal(groupOf(starting, true, 'memory'), 'ready');
  assert.equal(groupOf(starting, true, 'no resource'), 'ready');
});

test('requests are those of all containers and sidecars, or of one container', () => {
  const container = (name: string, cpu?: string, more: object = {}) => ({
    name,
    resources: cpu === undefined ? {} : { requests: { cpu } },
    ...more,
  });
  const pod = (...initContainers: object[]) =>
    ({
      metadata: { name: 'pod' },
      spec: { containers: [container('a', '100m'), container('b', '1')], initContainers },
      status: {},
    }) as unknown as Pod;
  const sidecar = container('proxy', '50m', { restartPolicy: 'Always' });
  assert.equal(requestsOf([pod(container('setup', '5'), sidecar)], 'cpu', undefined).get('pod'), 1_150);
  assert.equal(requestsOf([pod()], 'cpu', 'a').get('pod'), 100);
  assert.equal(requestsOf([pod()], 'cpu', 'none').get('pod'), 0);
  assert.throws(
    () => requestsOf([pod()], 'memory', undefined),
    /^Error: missing request for memory in container a of Pod pod$/,
  );
});
