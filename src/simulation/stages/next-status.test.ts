// The status of a pod after a stage.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod } from '../../apis/core/pod.ts';
import { nextStatus } from './next-status.ts';
import type { NextState } from './stage.ts';

const values = {
  now: '2030-01-01T00:00:00Z',
  nodeName: 'n',
  nodeIP: '172.16.0.1',
  podIP: '10.128.0.1',
  podName: 'p',
  podNamespace: 'default',
};
const newPod = () =>
  ({
    metadata: { name: 'p', namespace: 'default', uid: 'u' },
    spec: {
      restartPolicy: 'Always',
      initContainers: [
        { name: 'first', image: 'i' },
        { name: 'sidecar', image: 'i', restartPolicy: 'Always' },
        { name: 'last', image: 'i' },
      ],
      containers: [{ name: 'c', image: 'i' }],
    },
    status: { phase: 'Pending' },
  }) as unknown as Pod;

const after = (pod: Pod, next: NextState) => ({ ...pod, status: nextStatus(pod, next, values) }) as Pod;
const stateNames = ({ status }: Pod) =>
  [...status.initContainerStatuses!, ...status.containerStatuses!].map(
    ({ name, state }) => `${name} ${Object.keys(state)[0]}`,
  );
const condition = ({ status }: Pod, type: string) => status.conditions!.find((one) => one.type === type);

test('init containers run in order: those before the named one have completed, those after it wait', () => {
  const pod = after(newPod(), { initContainers: { names: ['last'], state: 'running' } });
  assert.deepEqual(stateNames(pod), ['first terminated', 'sidecar running', 'last running', 'c waiting']);
  assert.equal(pod.status.phase, 'Pending');
  assert.equal(condition(pod, 'Initialized')?.message, 'containers with incomplete status: [last]');
  const running = after(pod, { containers: { state: 'running' } });
  assert.deepEqual(stateNames(running), [
    'first terminated',
    'sidecar running',
    'last terminated',
    'c running',
  ]);
  assert.equal(running.status.phase, 'Running');
  assert.equal(condition(running, 'Ready')?.status, 'True');
});

test('a container that starts again counts a restart and keeps its last state', () => {
  const running = after(newPod(), { containers: { state: 'running' } });
  const crashed = after(running, {
    containers: { state: 'waiting', reason: 'CrashLoopBackOff', exitCode: 2 },
  });
  const restarted = after(crashed, { containers: { state: 'running' } });
  const [before, now] = [crashed, restarted].map(({ status }) => status.containerStatuses![0]!);
  assert.deepEqual([before!.restartCount, now!.restartCount], [0, 1]);
  assert.equal(now!.lastState.terminated?.exitCode, 2);
  assert.notEqual(now!.containerID, before!.containerID);
  assert.equal(crashed.status.phase, 'Running');
  assert.equal(condition(crashed, 'Ready')?.message, 'containers with unready status: [c]');
});

test('the pod that is passed is not changed', () => {
  const pod = newPod();
  after(pod, { containers: { state: 'running' } });
  assert.deepEqual(pod, newPod());
});
