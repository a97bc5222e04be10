import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PodFailurePolicyRule } from '../../apis/batch/job-policies.ts';
import type { Pod } from '../../apis/core/pod.ts';
import { matchFailurePolicy } from './pod-failure-policy.ts';

const container = (name: string, exitCode: number | undefined) => ({
  name,
  ready: false,
  restartCount: 0,
  image: 'i',
  imageID: 'i',
  state: exitCode === undefined ? {} : { terminated: { exitCode } },
  lastState: {},
});

const podWith = (status: Partial<Pod['status']>) =>
  ({ metadata: { name: 'p', namespace: 'n' }, spec: {}, status: { phase: 'Failed', ...status } }) as Pod;

const match = (rules: PodFailurePolicyRule[], pod: Pod) => matchFailurePolicy({ rules }, pod);

test('the first rule that matches applies', () => {
  const pod = podWith({ containerStatuses: [container('c', 3)] });
  const ignore: PodFailurePolicyRule = { action: 'Ignore', onExitCodes: { operator: 'In', values: [2, 3] } };
  const count: PodFailurePolicyRule = { action: 'Count', onExitCodes: { operator: 'NotIn', values: [4] } };
  assert.deepEqual(match([ignore, count], pod), { action: 'Ignore' });
  assert.deepEqual(match([count, ignore], pod), { action: 'Count' });
  assert.deepEqual(matchFailurePolicy(undefined, pod), { action: undefined });
});

test('exit code 0, running containers and other containers do not match', () => {
  const rule = (containerName?: string): PodFailurePolicyRule => ({
    action: 'FailIndex',
    onExitCodes: { operator: 'NotIn', values: [5], ...(containerName && { containerName }) },
  });
  const pod = podWith({
    containerStatuses: [container('running', undefined), container('done', 0), container('other', 5)],
    initContainerStatuses: [container('setup', 1)],
  });
  assert.equal(match([rule('running')], pod).action, undefined);
  assert.equal(match([rule('done')], pod).action, undefined);
  assert.equal(match([rule('other')], pod).action, undefined);
  assert.equal(match([rule()], pod).action, 'FailIndex');
});

test('FailJob has a message with the cause', () => {
  const onPodConditions = [{ type: 'DisruptionTarget', status: 'True' }] as const;
  const rules: PodFailurePolicyRule[] = [{ action: 'FailJob', onPodConditions: [...onPodConditions] }];
  const { failJobMessage } = match(rules, podWith({ conditions: [...onPodConditions] }));
  assert.equal(failJobMessage, 'Pod n/p has condition DisruptionTarget matching FailJob rule at index 0');
  const other = podWith({ conditions: [{ type: 'DisruptionTarget', status: 'False' }] });
  assert.equal(match(rules, other).action, undefined);
});
