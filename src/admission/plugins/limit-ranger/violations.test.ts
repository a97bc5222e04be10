import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LimitRangeItem } from '../../../apis/core/limitrange.ts';
import type { PodSpec } from '../../../apis/core/pod-spec.ts';
import { setDefaults } from './defaults.ts';
import { violationsOfPod } from './violations.ts';

const pod = (...containers: object[]) => ({ containers }) as unknown as PodSpec;
const using = (limits: object = {}, requests: object = {}, name = 'c') => ({
  name,
  resources: { limits, requests },
});
const item = (fields: object) => fields as LimitRangeItem;

test('defaulted resources are reported per container, sorted by name', () => {
  const spec = pod(using({}, {}, 'a'), using({ cpu: '1' }, { cpu: '1', memory: '1' }, 'b'));
  const defaults = item({
    type: 'Container',
    default: { memory: '2', cpu: '2' },
    defaultRequest: { memory: '1', cpu: '1' },
  });
  assert.deepEqual(setDefaults(spec, [defaults]), [
    'cpu, memory request for container a',
    'cpu, memory limit for container a',
    'memory limit for container b',
  ]);
  assert.deepEqual({ ...spec.containers![1]!.resources.limits }, { cpu: '1', memory: '2' });
});

test('limits of type Container apply to each container, limits of type Pod to their sum', () => {
  const spec = pod(using({ cpu: '1' }, { cpu: '500m' }), using({ cpu: '2' }, { cpu: '100m' }));
  assert.deepEqual(
    violationsOfPod(spec, [
      item({ type: 'Container', maxLimitRequestRatio: { cpu: '2' } }),
      item({ type: 'Pod', max: { cpu: '2' }, min: { cpu: '1' } }),
    ]),
    [
      'cpu max limit to request ratio per Container is 2, but provided ratio is 20.000000',
      'minimum cpu usage per Pod is 1, but request is 600m',
      'maximum cpu usage per Pod is 2, but limit is 3',
    ],
  );
});

test('a limited resource must be specified', () => {
  assert.deepEqual(
    violationsOfPod(pod(using()), [item({ type: 'Container', min: { a: '1' }, max: { b: '1' } })]),
    [
      'minimum a usage per Container is 1.  No request is specified',
      'maximum b usage per Container is 1.  No limit is specified',
    ],
  );
});
