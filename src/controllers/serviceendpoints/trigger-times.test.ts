// Tests of the change to which the endpoints of a Service react.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod } from '../../apis/core/pod.ts';
import type { Service } from '../../apis/core/service.ts';
import { TriggerTimes } from './trigger-times.ts';

const at = (minute: number) => `2024-01-01T00:0${minute}:00Z`;
const service = (minute: number) =>
  ({ metadata: { name: 's', creationTimestamp: at(minute) }, spec: {} }) as Service;
const pod = (name: string, minute: number) =>
  ({
    metadata: { name },
    status: { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: at(minute) }] },
  }) as Pod;

test('the first time is the creation of the Service, later ones are the earliest change of a pod', () => {
  const times = new TriggerTimes();
  assert.equal(times.next('n/s', service(1), [pod('a', 0)]), at(1));
  assert.equal(times.next('n/s', service(1), [pod('a', 0)]), undefined);
  assert.equal(times.next('n/s', service(1), [pod('a', 3), pod('b', 2)]), at(2));
  assert.equal(times.next('n/s', service(1), [pod('a', 3)]), undefined);
});

test('a Service that was created again is new', () => {
  const times = new TriggerTimes();
  times.next('n/s', service(1), []);
  assert.equal(times.next('n/s', service(4), []), at(4));
  times.delete('n/s');
  assert.equal(times.next('n/s', service(4), [pod('a', 5)]), at(4));
});
