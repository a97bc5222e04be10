// Tests of the scheduling queue.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MovableClock } from '../../base/clock.ts';
import { backoffMs, SchedulingQueue } from './scheduling-queue.ts';

function openQueue() {
  const clock = new MovableClock();
  clock.freeze();
  return { clock, queue: new SchedulingQueue(clock, () => {}) };
}

const spec = (key: string, priority = 0, isGated = false) => ({ key, uid: `uid-${key}`, priority, isGated });

/** The keys of all active pods, which are returned to no queue. */
function popAll(queue: SchedulingQueue): string {
  const keys: string[] = [];
  for (let pod = queue.pop(); pod; pod = queue.pop()) keys.push(pod.key);
  return keys.join(' ');
}

test('pods are popped by priority, then by time', () => {
  const { queue } = openQueue();
  for (const [key, priority] of [
    ['a', 0],
    ['b', 5],
    ['c', 0],
    ['d', 9],
    ['e', 5],
  ] as const) {
    queue.add(spec(key, priority));
  }
  assert.equal(popAll(queue), 'd b e a c');
  queue.close();
});

test('the backoff doubles from 1 to 10 seconds', () => {
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6].map((attempts) => backoffMs(attempts)),
    [1000, 2000, 4000, 8000, 10_000, 10_000],
  );
});

test('an event moves the pods whose rejections it may resolve, after their backoff', () => {
  const { queue, clock } = openQueue();
  queue.add(spec('a'));
  queue.add(spec('b'));
  queue.addUnschedulable(queue.pop()!, new Set(['NodeResourcesFit']));
  queue.addUnschedulable(queue.pop()!, new Set(['NodeAffinity']));
  queue.moveOn('AssignedPodDelete');
  assert.equal(popAll(queue), '');
  clock.advance(999);
  assert.equal(popAll(queue), '');
  clock.advance(1);
  assert.equal(popAll(queue), 'a');
  queue.moveOn('NodeUpdateLabels');
  assert.equal(popAll(queue), 'b');
  queue.close();
});

test('pods that no plugin rejected are moved by every event', () => {
  const { queue, clock } = openQueue();
  queue.add(spec('a'));
  queue.addUnschedulable(queue.pop()!, new Set());
  clock.advance(1000);
  queue.moveOn('NodeAdd');
  assert.equal(popAll(queue), 'a');
  queue.close();
});

test('unschedulable pods are retried after five minutes', async () => {
  const { queue, clock } = openQueue();
  queue.add(spec('a'));
  queue.addUnschedulable(queue.pop()!, new Set(['NodeName']));
  clock.advance(299_000);
  assert.equal(popAll(queue), '');
  // A periodic timer is scheduled again in a microtask.
  await Promise.resolve();
  clock.advance(31_000);
  assert.equal(popAll(queue), 'a');
  queue.close();
});

test('gated pods wait for an update without gates', () => {
  const { queue } = openQueue();
  queue.add(spec('a', 0, true));
  queue.moveOn('NodeAdd');
  queue.update(spec('a', 0, true));
  assert.equal(popAll(queue), '');
  queue.update(spec('a'));
  assert.equal(popAll(queue), 'a');
  queue.close();
});

test('a pod that was deleted or created again is not returned to the queue', () => {
  const { queue, clock } = openQueue();
  queue.add(spec('a'));
  const old = queue.pop()!;
  queue.delete('a');
  queue.retryLater(old);
  clock.advance(60_000);
  assert.equal(popAll(queue), '');
  queue.add({ ...spec('a'), uid: 'new' });
  queue.done(old);
  assert.equal(queue.pop()?.uid, 'new');
  queue.close();
});
