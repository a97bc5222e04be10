// Tests of what happens to a claim.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PersistentVolume } from '../../apis/core/persistentvolume.ts';
import type { PersistentVolumeClaim } from '../../apis/core/persistentvolumeclaim.ts';
import type { StorageClass } from '../../apis/storage/storageclass.ts';
import { kubernetes } from '../../dialect/kubernetes.ts';
import { type ClaimPlan, type ClaimSurroundings, planClaim, setClaimStatus } from './claim-plan.ts';

const { annotations } = kubernetes;
const bound = { [annotations.bindCompleted]: 'yes' };

function plan(claim: object, cluster: Partial<ClaimSurroundings> = {}): ClaimPlan {
  return planClaim(claimOf(claim), {
    dialect: kubernetes,
    volume: () => undefined,
    bestVolume: () => undefined,
    storageClass: () => undefined,
    defaultClassName: () => undefined,
    unscheduledPods: () => [],
    ...cluster,
  });
}
const claimOf = ({ spec = {}, annotations: own = {} }: { spec?: object; annotations?: object }) =>
  ({
    metadata: { namespace: 'ns', name: 'c', uid: '1', annotations: own },
    spec,
    status: {},
  }) as unknown as PersistentVolumeClaim;
const volumeOf = (spec: object) =>
  ({
    metadata: { name: 'v' },
    spec: { capacity: { storage: '1Gi' }, ...spec },
  }) as unknown as PersistentVolume;
const textOf = (result: ClaimPlan) =>
  'event' in result && result.event ? `${result.event.reason}: ${result.event.message}` : result.action;

test('a bound claim without its volume is lost', () => {
  assert.match(textOf(plan({ annotations: bound })), /^ClaimLost: Bound claim has lost reference/);
  const named = { annotations: bound, spec: { volumeName: 'v' } };
  assert.match(textOf(plan(named)), /^ClaimLost: Bound claim has lost its PersistentVolume/);
  const withRef = (claimRef: object | undefined) =>
    textOf(plan(named, { volume: () => volumeOf({ claimRef }) }));
  assert.equal(withRef({ namespace: 'ns', name: 'c', uid: '1' }), 'bind');
  assert.equal(withRef(undefined), 'bind');
  assert.match(withRef({ namespace: 'ns', name: 'other', uid: '2' }), /^ClaimMisbound: Two claims/);
});

test('a claim without a class waits, or gets the default class', () => {
  assert.match(textOf(plan({})), /^FailedBinding: no persistent volumes available/);
  assert.deepEqual(plan({}, { defaultClassName: () => 'd' }), { action: 'assignClass', className: 'd' });
  const none = plan({ spec: { storageClassName: '' } }, { defaultClassName: () => 'd' });
  assert.match(textOf(none), /^FailedBinding/);
});

test('a claim of a class is provisioned, or waits for its first consumer', () => {
  const of = (fields: object, claim: object = {}, pods: readonly string[] = []) =>
    plan(
      { spec: { storageClassName: 'c' }, ...claim },
      { storageClass: () => fields as StorageClass, unscheduledPods: () => pods },
    );
  assert.deepEqual(of({ provisioner: 'p' }), { action: 'provision', provisioner: 'p' });
  assert.equal(
    textOf(of({ provisioner: 'kubernetes.io/no-provisioner' })),
    'ProvisioningFailed: no volume plugin matched name: kubernetes.io/no-provisioner',
  );
  const delayed = { provisioner: 'p', volumeBindingMode: 'WaitForFirstConsumer' };
  assert.equal(
    textOf(of(delayed)),
    'WaitForFirstConsumer: waiting for first consumer to be created before binding',
  );
  assert.equal(textOf(of(delayed, {}, ['a'])), 'WaitForPodScheduled: waiting for pod a to be scheduled');
  assert.equal(
    textOf(of(delayed, {}, ['a', 'b'])),
    'WaitForPodScheduled: waiting for pods a,b to be scheduled',
  );
  const selected = { annotations: { [annotations.selectedNode]: 'n' } };
  assert.equal(of(delayed, selected).action, 'provision');
});

test('the status of a bound claim follows its volume once', () => {
  const claim = claimOf({});
  const volume = volumeOf({ accessModes: ['ReadWriteOnce'] });
  assert.equal(setClaimStatus(claim, 'Bound', volume), true);
  assert.deepEqual(claim.status.capacity, { storage: '1Gi' });
  assert.equal(setClaimStatus(claim, 'Bound', volume), false);
  assert.equal(
    setClaimStatus(
      claim,
      'Bound',
      volumeOf({ accessModes: ['ReadWriteOnce'], capacity: { storage: '2Gi' } }),
    ),
    false,
  );
  assert.equal(setClaimStatus(claim, 'Lost', undefined), true);
  assert.equal(claim.status.capacity, undefined);
});
