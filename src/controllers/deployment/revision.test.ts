// Tests of the annotations of ReplicaSets: revision, history, and what is copied from the Deployment.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deployment } from '../../apis/apps/deployment.ts';
import type { ReplicaSet } from '../../apis/apps/replicaset.ts';
import { kubernetes } from '../../dialect/kubernetes.ts';
import { newSetAnnotations, nextRevision } from './revision.ts';

const revision = 'deployment.kubernetes.io/revision';
const history = 'deployment.kubernetes.io/revision-history';
const deployment = (annotations: Record<string, string>) =>
  ({ metadata: { annotations } }) as unknown as Deployment;
const set = (value: string) =>
  ({ metadata: { annotations: { [revision]: value } } }) as unknown as ReplicaSet;

test('the next revision is one more than those of all old ReplicaSets', () => {
  assert.equal(nextRevision([], kubernetes), 1);
  assert.equal(nextRevision([set('2'), set('10'), set('none')], kubernetes), 11);
});

test('annotations of the Deployment are copied, except for those that belong to one object', () => {
  const annotations = {
    team: 'a',
    'kubectl.kubernetes.io/last-applied-configuration': '{}',
    'deployment.kubernetes.io/desired-replicas': '7',
    [revision]: '9',
  };
  assert.deepEqual(newSetAnnotations(deployment(annotations), { kept: 'b' }, 3, kubernetes), {
    kept: 'b',
    team: 'a',
    [revision]: '3',
  });
});

test('a revision that is not smaller, or not a number, stays', () => {
  assert.deepEqual(newSetAnnotations(deployment({}), { [revision]: '5' }, 3, kubernetes), {
    [revision]: '5',
  });
  assert.deepEqual(newSetAnnotations(deployment({}), { [revision]: 'x' }, 3, kubernetes), {
    [revision]: 'x',
  });
});

test('the earlier revisions of a ReplicaSet are its history, of which old ones are dropped', () => {
  const first = newSetAnnotations(deployment({}), { [revision]: '1' }, 3, kubernetes);
  assert.deepEqual(first, { [revision]: '3', [history]: '1' });
  const second = newSetAnnotations(deployment({}), first, 5, kubernetes);
  assert.equal(second[history], '1,3');
  const long = Array.from({ length: 600 }, (_, index) => index + 100).join(',');
  const third = newSetAnnotations(deployment({}), { [revision]: '999', [history]: long }, 1000, kubernetes);
  assert.ok(third[history]!.length <= 2000);
  assert.match(third[history]!, /^\d{3},.*,699,999$/);
});
