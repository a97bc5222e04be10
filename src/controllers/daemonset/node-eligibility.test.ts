// Tests of the nodes on which a DaemonSet runs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PodTemplateSpec } from '../../apis/core/pod-template-spec.ts';
import { kubernetes } from '../../dialect/kubernetes.ts';
import { type EligibleNode, eligibilityOf, placementOf } from './node-eligibility.ts';

const yes = { shouldRun: true, shouldContinue: true };
const no = { shouldRun: false, shouldContinue: false };
const stays = { shouldRun: false, shouldContinue: true };

interface NodeFields {
  readonly name?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: EligibleNode['taints'];
}

function check(spec: object, { name = 'n', labels = {}, taints = [] }: NodeFields) {
  const template = { metadata: {}, spec: { containers: [], ...spec } } as unknown as PodTemplateSpec;
  const node = { name, labels: new Map(Object.entries(labels)), taints };
  return eligibilityOf(placementOf(template, kubernetes), node);
}

const taint = (key: string, effect: string, value?: string) =>
  ({ taints: [{ key, effect, ...(value && { value }) }] }) as NodeFields;

const affinity = (...nodeSelectorTerms: object[]) => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
});

test('node name and node selector decide', () => {
  assert.deepEqual(check({}, {}), yes);
  assert.deepEqual(check({ nodeName: 'n' }, {}), yes);
  assert.deepEqual(check({ nodeName: 'other' }, {}), no);
  assert.deepEqual(check({ nodeSelector: { disk: 'ssd' } }, { labels: { disk: 'ssd' } }), yes);
  assert.deepEqual(check({ nodeSelector: { disk: 'ssd' } }, {}), no);
});

test('required node affinity decides: any term, all its requirements', () => {
  const requirement = (operator: string, ...values: string[]) =>
    affinity({ matchExpressions: [{ key: 'k', operator, values }] });
  const labels = { k: '5' };
  assert.deepEqual(check(requirement('In', '5', '6'), { labels }), yes);
  assert.deepEqual(check(requirement('In', '6'), { labels }), no);
  assert.deepEqual(check(requirement('NotIn', '6'), {}), yes);
  assert.deepEqual(check(requirement('NotIn', '5'), { labels }), no);
  assert.deepEqual(check(requirement('Exists'), {}), no);
  assert.deepEqual(check(requirement('DoesNotExist'), {}), yes);
  assert.deepEqual(check(requirement('Gt', '4'), { labels }), yes);
  assert.deepEqual(check(requirement('Lt', '5'), { labels }), no);
  assert.deepEqual(check(affinity({}), {}), no);
  const byName = { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }] };
  assert.deepEqual(check(affinity({}, byName), {}), yes);
  assert.deepEqual(check(affinity(byName), { name: 'm' }), no);
});

test('an untolerated NoSchedule taint keeps new pods away, NoExecute also removes existing ones', () => {
  assert.deepEqual(check({}, taint('gpu', 'NoSchedule')), stays);
  assert.deepEqual(check({}, taint('gpu', 'PreferNoSchedule')), yes);
  assert.deepEqual(check({}, taint('gpu', 'NoExecute')), no);
  const tolerations = [{ key: 'gpu', value: 'a' }];
  assert.deepEqual(check({ tolerations }, taint('gpu', 'NoExecute', 'a')), yes);
  assert.deepEqual(check({ tolerations }, taint('gpu', 'NoExecute', 'b')), no);
  assert.deepEqual(check({ tolerations: [{ operator: 'Exists' }] }, taint('gpu', 'NoExecute')), yes);
});

test('taints by node conditions are tolerated, that of the network only by pods in the network of the node', () => {
  const { taints } = kubernetes;
  assert.deepEqual(check({}, taint(taints.notReady, 'NoExecute')), yes);
  assert.deepEqual(check({}, taint(taints.unschedulable, 'NoSchedule')), yes);
  assert.deepEqual(check({}, taint(taints.networkUnavailable, 'NoSchedule')), stays);
  assert.deepEqual(check({ hostNetwork: true }, taint(taints.networkUnavailable, 'NoSchedule')), yes);
});
