// Scenarios of PersistentVolumes and claims: binding, reclaiming, provisioning, and volumes in scheduling.
import { type AnyObject, at } from '../../kube-controller-manager/api.ts';
import {
  claims,
  held,
  pods,
  type Scenario,
  type Stage,
  storageClasses,
  template,
  volumes,
} from '../scenario.ts';

const hostname = 'kubernetes.io/hostname';
const zone = 'topology.kubernetes.io/zone';

const scenario = (name: string, run: Scenario['run'], more: Partial<Scenario> = {}): Scenario => ({
  ...{ name: `volume-${name}`, calmMs: 2_000, run },
  ...more,
});

/** A CSI volume of the scenario's class. */
function addVolume(
  stage: Stage,
  name: string,
  storage = '1Gi',
  spec: object = {},
  metadata: object = {},
): Promise<AnyObject> {
  return stage.create(volumes, {
    metadata: { name: stage.own(name), labels: { scenario: stage.namespace }, ...metadata },
    spec: {
      capacity: { storage },
      accessModes: ['ReadWriteOnce'],
      storageClassName: stage.own('class'),
      csi: { driver: 'example.com', volumeHandle: name },
      ...spec,
    },
  });
}

/** As addVolume; waits until it is available, so that both sides choose among the same volumes. */
async function addAvailable(...[stage, name, ...rest]: Parameters<typeof addVolume>): Promise<void> {
  await addVolume(stage, name, ...rest);
  await stage.untilValue(volumes, stage.own(name), 'status.phase', 'Available');
}

const addClaim = (stage: Stage, name: string, storage = '1Gi', spec: object = {}, metadata: object = {}) =>
  stage.create(claims, {
    metadata: { name, ...metadata },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage } },
      storageClassName: stage.own('class'),
      ...spec,
    },
  });

/** A claim without a class selects the volumes of its scenario: other scenarios have such volumes, too. */
const classless = (stage: Stage) => ({
  storageClassName: '',
  selector: { matchLabels: { scenario: stage.namespace } },
});

const addClass = (stage: Stage, fields: object = {}, metadata: object = {}) =>
  stage.create(storageClasses, {
    metadata: { name: stage.own('class'), ...metadata },
    provisioner: 'example.com/none',
    ...fields,
  });
const delayed = { provisioner: 'kubernetes.io/no-provisioner', volumeBindingMode: 'WaitForFirstConsumer' };

const addPod = (stage: Stage, name: string, claimNames: readonly string[], spec: object = {}) =>
  stage.create(pods, {
    ...template('app', {
      volumes: claimNames.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } })),
      ...spec,
    }),
    metadata: { name },
  });

const untilBound = (stage: Stage, name: string) => stage.untilValue(claims, name, 'status.phase', 'Bound');
const untilPhase = (stage: Stage, name: string, phase: string) =>
  stage.untilValue(volumes, stage.own(name), 'status.phase', phase);
const untilUnschedulable = (stage: Stage, name: string) =>
  stage.untilCondition(pods, name, 'PodScheduled', 'False');

const onNode = (name: string) => ({
  nodeAffinity: {
    required: {
      nodeSelectorTerms: [{ matchExpressions: [{ key: hostname, operator: 'In', values: [name] }] }],
    },
  },
});
const patchVolume = (stage: Stage, name: string, change: object) =>
  stage.patch(volumes, stage.own(name), change);

/** A bound pair whose claim is deleted. */
async function release(stage: Stage, spec: object): Promise<void> {
  await addAvailable(stage, 'v', '1Gi', spec);
  await addClaim(stage, 'data');
  await untilBound(stage, 'data');
  await untilPhase(stage, 'v', 'Bound');
  await stage.remove(claims, 'data');
  await stage.until('the claim to be gone', () => stage.get(claims, 'data') === undefined);
}

export const volumeScenarios: readonly Scenario[] = [
  scenario('smallest', async (stage) => {
    for (const [name, size] of Object.entries({ large: '10Gi', medium: '5Gi', small: '1Gi' }))
      await addAvailable(stage, name, size);
    await addClaim(stage, 'data', '2Gi');
    await untilBound(stage, 'data');
  }),
  scenario('created-later', async (stage) => {
    await addClaim(stage, 'data', '1Gi', classless(stage));
    await stage.untilEvent('data', 'FailedBinding');
    await addVolume(stage, 'v', '1Gi', { storageClassName: '' });
    await untilBound(stage, 'data');
  }),
  scenario('none', async (stage) => {
    await addClaim(stage, 'data', '1Gi', classless(stage));
    await stage.untilEvent('data', 'FailedBinding');
  }),
  scenario('two-claims', async (stage) => {
    // Of volumes of the same size kube-controller-manager takes any.
    await addAvailable(stage, 'one', '1Gi');
    await addAvailable(stage, 'two', '2Gi');
    for (const name of ['first', 'second']) {
      await addClaim(stage, name);
      await untilBound(stage, name);
    }
    await stage.until('two volumes', () =>
      stage.list(volumes).every((each) => at(each, 'status.phase') === 'Bound'),
    );
  }),
  scenario('too-small', async (stage) => {
    await addAvailable(stage, 'v', '1Gi', { storageClassName: '' });
    await addClaim(stage, 'data', '2Gi', classless(stage));
    await stage.untilEvent('data', 'FailedBinding');
  }),
  scenario('other-class', async (stage) => {
    await addAvailable(stage, 'v', '1Gi', { storageClassName: stage.own('other') });
    await addClaim(stage, 'data', '1Gi', classless(stage));
    await stage.untilEvent('data', 'FailedBinding');
  }),
  scenario('access-modes', async (stage) => {
    await addAvailable(stage, 'once', '1Gi');
    await addAvailable(stage, 'both', '5Gi', { accessModes: ['ReadWriteOnce', 'ReadWriteMany'] });
    await addClaim(stage, 'data', '1Gi', { accessModes: ['ReadWriteMany'] });
    await untilBound(stage, 'data');
  }),
  scenario('fewer-access-modes', async (stage) => {
    await addAvailable(stage, 'both', '1Gi', { accessModes: ['ReadWriteOnce', 'ReadWriteMany'] });
    await addAvailable(stage, 'once', '5Gi');
    await addClaim(stage, 'data');
    await untilBound(stage, 'data');
  }),
  scenario('mode', async (stage) => {
    await addAvailable(stage, 'files', '1Gi');
    await addAvailable(stage, 'block', '2Gi', { volumeMode: 'Block' });
    await addClaim(stage, 'data', '1Gi', { volumeMode: 'Block' });
    await untilBound(stage, 'data');
  }),
  scenario('selector', async (stage) => {
    await addAvailable(stage, 'plain');
    await addAvailable(stage, 'labelled', '5Gi', {}, { name: stage.own('labelled'), labels: { tier: 'db' } });
    await addClaim(stage, 'data', '1Gi', { selector: { matchLabels: { tier: 'db' } } });
    await untilBound(stage, 'data');
  }),
  scenario('selector-without-match', async (stage) => {
    await addAvailable(stage, 'v', '1Gi', { storageClassName: '' });
    const matchExpressions = [{ key: 'tier', operator: 'Exists' }];
    await addClaim(stage, 'data', '1Gi', { storageClassName: '', selector: { matchExpressions } });
    await stage.untilEvent('data', 'FailedBinding');
  }),
  scenario('class-annotation', async (stage) => {
    const annotations = { 'volume.beta.kubernetes.io/storage-class': stage.own('class') };
    await addAvailable(stage, 'v', '1Gi', { storageClassName: '' }, { name: stage.own('v'), annotations });
    await addClaim(stage, 'data', '1Gi', { storageClassName: undefined }, { annotations });
    await untilBound(stage, 'data');
  }),
  scenario('reserved-volume', async (stage) => {
    await addAvailable(stage, 'small');
    await addAvailable(stage, 'v', '5Gi', { claimRef: { namespace: stage.namespace, name: 'data' } });
    await addClaim(stage, 'data');
    await untilBound(stage, 'data');
  }),
  scenario('reserved-volume-of-other-class', async (stage) => {
    const claimRef = { namespace: stage.namespace, name: 'data' };
    await addAvailable(stage, 'v', '5Gi', { claimRef, storageClassName: '' });
    await addClaim(stage, 'data');
    await untilBound(stage, 'data');
  }),
  scenario('reserved-volume-too-small', async (stage) => {
    const claimRef = { namespace: stage.namespace, name: 'data' };
    await addAvailable(stage, 'v', '1Gi', { claimRef, storageClassName: '' });
    await addClaim(stage, 'data', '2Gi', classless(stage));
    await stage.untilEvent('data', 'FailedBinding');
  }),
  scenario('reserved-for-another', async (stage) => {
    const claimRef = { namespace: stage.namespace, name: 'other' };
    await addAvailable(stage, 'v', '1Gi', { claimRef, storageClassName: '' });
    await addClaim(stage, 'data', '1Gi', classless(stage));
    await stage.untilEvent('data', 'FailedBinding');
  }),
  scenario('named', async (stage) => {
    await addAvailable(stage, 'small');
    await addAvailable(stage, 'v', '5Gi');
    await addClaim(stage, 'data', '1Gi', { volumeName: stage.own('v') });
    await untilBound(stage, 'data');
  }),
  scenario('named-and-reserved', async (stage) => {
    await addAvailable(stage, 'v', '5Gi', { claimRef: { namespace: stage.namespace, name: 'data' } });
    await addClaim(stage, 'data', '1Gi', { volumeName: stage.own('v') });
    await untilBound(stage, 'data');
  }),
  scenario('named-before-it-exists', async (stage) => {
    await addClaim(stage, 'data', '1Gi', { volumeName: stage.own('v') });
    await stage.compareObjects('missing');
    await addVolume(stage, 'v');
    await untilBound(stage, 'data');
  }),
  scenario('named-mismatch', async (stage) => {
    const mismatches: Readonly<Record<string, object>> = {
      small: { capacity: { storage: '1Mi' } },
      class: { storageClassName: stage.own('other') },
      mode: { volumeMode: 'Block' },
      modes: { accessModes: ['ReadOnlyMany'] },
    };
    for (const [name, spec] of Object.entries(mismatches)) {
      await addAvailable(stage, name, '1Gi', spec);
      await addClaim(stage, name, '1Gi', { volumeName: stage.own(name) });
      await stage.untilEvent(name, 'VolumeMismatch');
    }
  }),
  scenario('named-but-taken', async (stage) => {
    await addAvailable(stage, 'v');
    await addClaim(stage, 'first');
    await untilBound(stage, 'first');
    await addClaim(stage, 'second', '1Gi', { volumeName: stage.own('v') });
    await stage.untilEvent('second', 'FailedBinding');
  }),
  scenario('lost', async (stage) => {
    await addAvailable(stage, 'v');
    await addClaim(stage, 'data');
    await untilBound(stage, 'data');
    await stage.remove(volumes, stage.own('v'));
    await stage.calm();
    await patchVolume(stage, 'v', { metadata: { finalizers: null } });
    await stage.untilValue(claims, 'data', 'status.phase', 'Lost');
  }),
  scenario('lost-with-pod', async (stage) => {
    await addAvailable(stage, 'v');
    await addClaim(stage, 'data');
    await untilBound(stage, 'data');
    await stage.remove(volumes, stage.own('v'));
    await patchVolume(stage, 'v', { metadata: { finalizers: null } });
    await stage.untilValue(claims, 'data', 'status.phase', 'Lost');
    await addPod(stage, 'web', ['data']);
    await untilUnschedulable(stage, 'web');
  }),
  scenario('reference-removed', async (stage) => {
    await addAvailable(stage, 'v');
    await addClaim(stage, 'data');
    await untilBound(stage, 'data');
    await stage.calm();
    await patchVolume(stage, 'v', { spec: { claimRef: null } });
    await stage.until(
      'the reference',
      () => at(stage.get(volumes, stage.own('v')), 'spec.claimRef.name') === 'data',
    );
  }),
  scenario('retained', async (stage) => {
    await release(stage, {});
    await untilPhase(stage, 'v', 'Released');
  }),
  scenario('retained-and-claimed-again', async (stage) => {
    await release(stage, {});
    await untilPhase(stage, 'v', 'Released');
    await addClaim(stage, 'data');
    await stage.untilEvent('data', 'ProvisioningFailed');
  }),
  scenario('retained-and-freed', async (stage) => {
    await release(stage, {});
    await untilPhase(stage, 'v', 'Released');
    await patchVolume(stage, 'v', { spec: { claimRef: null } });
    await untilPhase(stage, 'v', 'Available');
    await stage.compareObjects('freed');
    await addClaim(stage, 'again');
    await untilBound(stage, 'again');
  }),
  scenario('delete-csi', async (stage) => {
    await release(stage, { persistentVolumeReclaimPolicy: 'Delete' });
    await untilPhase(stage, 'v', 'Released');
  }),
  scenario('delete-host-path', async (stage) => {
    const hostPath = { path: `/tmp/orch-comparison-${stage.namespace}-${stage.side}` };
    await release(stage, { persistentVolumeReclaimPolicy: 'Delete', csi: undefined, hostPath });
    await stage.until('no volume', () => stage.get(volumes, stage.own('v')) === undefined);
  }),
  scenario('delete-other-host-path', async (stage) => {
    const hostPath = { path: '/orch-comparison' };
    await release(stage, { persistentVolumeReclaimPolicy: 'Delete', csi: undefined, hostPath });
    await untilPhase(stage, 'v', 'Failed');
  }),
  scenario('delete-local', async (stage) => {
    const local = { path: '/orch-comparison' };
    const spec = { persistentVolumeReclaimPolicy: 'Delete', csi: undefined, local, ...onNode('node-0') };
    await release(stage, spec);
    await untilPhase(stage, 'v', 'Failed');
  }),
  scenario('recycle', async (stage) => {
    await release(stage, { persistentVolumeReclaimPolicy: 'Recycle' });
    await untilPhase(stage, 'v', 'Failed');
  }),
  scenario('policy-changed', async (stage) => {
    const hostPath = { path: '/orch-comparison' };
    await release(stage, { csi: undefined, hostPath });
    await untilPhase(stage, 'v', 'Released');
    await patchVolume(stage, 'v', { spec: { persistentVolumeReclaimPolicy: 'Delete' } });
    await untilPhase(stage, 'v', 'Failed');
  }),
  scenario('missing-class', async (stage) => {
    await addClaim(stage, 'data');
    await stage.untilEvent('data', 'ProvisioningFailed');
  }),
  scenario('external-provisioner', async (stage) => {
    await addClass(stage);
    await addClaim(stage, 'data');
    await stage.untilEvent('data', 'ExternalProvisioning');
  }),
  scenario('without-provisioner', async (stage) => {
    await addClass(stage, { provisioner: 'kubernetes.io/no-provisioner' });
    await addClaim(stage, 'data');
    await stage.untilEvent('data', 'ProvisioningFailed');
  }),
  scenario('provisioned', async (stage) => {
    await addClass(stage);
    const { metadata } = await addClaim(stage, 'data');
    await stage.untilEvent('data', 'ExternalProvisioning');
    const claimRef = { namespace: stage.namespace, name: 'data', uid: metadata.uid };
    const annotations = { 'pv.kubernetes.io/provisioned-by': 'example.com/none' };
    const spec = { claimRef, persistentVolumeReclaimPolicy: 'Delete' };
    await addVolume(stage, 'v', '1Gi', spec, { name: stage.own('v'), annotations });
    await untilBound(stage, 'data');
    await stage.compareObjects('bound');
    // Provisioned twice: the second volume is released.
    await addVolume(stage, 'late', '1Gi', spec, { name: stage.own('late'), annotations });
    await untilPhase(stage, 'late', 'Released');
  }),
  scenario('bound-twice', async (stage) => {
    const { metadata } = await addClaim(stage, 'data');
    await stage.untilEvent('data', 'ProvisioningFailed');
    const claimRef = { namespace: stage.namespace, name: 'data', uid: metadata.uid };
    await addVolume(stage, 'v', '1Gi', { claimRef });
    await untilBound(stage, 'data');
    await addVolume(stage, 'late', '1Gi', { claimRef });
    await untilPhase(stage, 'late', 'Available');
  }),
  scenario('mode-mismatch-of-reserved', async (stage) => {
    const { metadata } = await addClaim(stage, 'data', '1Gi', classless(stage));
    await stage.untilEvent('data', 'FailedBinding');
    const claimRef = { namespace: stage.namespace, name: 'data', uid: metadata.uid };
    await addVolume(stage, 'v', '1Gi', { claimRef, volumeMode: 'Block' });
    await stage.untilEvent('data', 'VolumeMismatch');
  }),
  scenario(
    'default-class',
    async (stage) => {
      await addClaim(stage, 'data', '1Gi', { ...classless(stage), storageClassName: undefined });
      await addClaim(stage, 'none', '1Gi', classless(stage));
      await stage.untilEvent('data', 'FailedBinding');
      await addClass(
        stage,
        {},
        {
          name: stage.own('class'),
          annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' },
        },
      );
      await stage.untilEvent('data', 'ExternalProvisioning');
      await addClaim(stage, 'new', '1Gi', { ...classless(stage), storageClassName: undefined });
      await stage.untilEvent('new', 'ExternalProvisioning');
      await stage.remove(storageClasses, stage.own('class'));
    },
    { runsAlone: true },
  ),
  scenario('wait-without-pod', async (stage) => {
    await addClass(stage, delayed);
    await addAvailable(stage, 'v');
    await addClaim(stage, 'data');
    await stage.untilEvent('data', 'WaitForFirstConsumer');
  }),
  scenario('wait-reserved', async (stage) => {
    await addClass(stage, delayed);
    await addAvailable(stage, 'v', '1Gi', { claimRef: { namespace: stage.namespace, name: 'data' } });
    await addClaim(stage, 'data');
    await untilBound(stage, 'data');
  }),
  scenario('wait-with-unscheduled-pod', async (stage) => {
    await addClass(stage, delayed);
    await addPod(stage, 'web', ['data'], held);
    await addClaim(stage, 'data');
    await stage.untilEvent('data', 'WaitForPodScheduled');
  }),
  scenario(
    'wait-with-pod',
    async (stage) => {
      await addClass(stage, delayed);
      await addAvailable(stage, 'large', '9Gi', onNode('node-1'));
      await addAvailable(stage, 'small', '2Gi', onNode('node-1'));
      await addAvailable(stage, 'tiny', '1Gi', onNode('node-2'));
      await addClaim(stage, 'data', '2Gi');
      await stage.untilEvent('data', 'WaitForFirstConsumer');
      await addPod(stage, 'web', ['data']);
      await untilBound(stage, 'data');
      await stage.untilValue(pods, 'web', 'status.phase', 'Running');
    },
    { isPlaced: true },
  ),
  scenario(
    'wait-two-claims',
    async (stage) => {
      await addClass(stage, delayed);
      await addAvailable(stage, 'four', '4Gi', onNode('node-1'));
      await addAvailable(stage, 'five', '5Gi', onNode('node-1'));
      await addAvailable(stage, 'other', '5Gi', onNode('node-2'));
      await addClaim(stage, 'big', '4Gi');
      await addClaim(stage, 'small', '1Gi');
      for (const name of ['big', 'small']) await stage.untilEvent(name, 'WaitForFirstConsumer');
      await addPod(stage, 'web', ['big', 'small']);
      await untilBound(stage, 'big');
      await untilBound(stage, 'small');
      await stage.untilValue(pods, 'web', 'status.phase', 'Running');
    },
    { isPlaced: true },
  ),
  scenario('wait-without-volume', async (stage) => {
    await addClass(stage, delayed);
    await addClaim(stage, 'data');
    await stage.untilEvent('data', 'WaitForFirstConsumer');
    await addPod(stage, 'web', ['data']);
    await untilUnschedulable(stage, 'web');
    await stage.untilEvent('data', 'WaitForPodScheduled');
  }),
  scenario(
    'wait-for-provisioner',
    async (stage) => {
      await addClass(stage, { volumeBindingMode: 'WaitForFirstConsumer' });
      await addClaim(stage, 'data');
      await stage.untilEvent('data', 'WaitForFirstConsumer');
      await addPod(stage, 'web', ['data'], { nodeSelector: { [hostname]: 'node-2' } });
      await stage.untilEvent('data', 'ExternalProvisioning');
    },
    { isPlaced: true },
  ),
  scenario(
    'wait-for-allowed-topology',
    async (stage) => {
      const allowedTopologies = [{ matchLabelExpressions: [{ key: zone, values: ['zone-b'] }] }];
      await addClass(stage, { volumeBindingMode: 'WaitForFirstConsumer', allowedTopologies });
      await addClaim(stage, 'data');
      await stage.untilEvent('data', 'WaitForFirstConsumer');
      await addPod(stage, 'web', ['data']);
      await stage.untilEvent('data', 'ExternalProvisioning');
    },
    { isPlaced: true },
  ),
  scenario('unbound-claim-of-pod', async (stage) => {
    await addClaim(stage, 'data', '1Gi', classless(stage));
    await stage.untilEvent('data', 'FailedBinding');
    await addPod(stage, 'web', ['data']);
    await untilUnschedulable(stage, 'web');
  }),
  scenario('missing-claim-of-pod', async (stage) => {
    await addPod(stage, 'web', ['data']);
    await untilUnschedulable(stage, 'web');
  }),
  scenario(
    'affinity-of-bound',
    async (stage) => {
      await addAvailable(stage, 'v', '1Gi', onNode('node-1'));
      await addClaim(stage, 'data');
      await untilBound(stage, 'data');
      await addPod(stage, 'web', ['data']);
      await stage.untilValue(pods, 'web', 'status.phase', 'Running');
      await addPod(stage, 'elsewhere', ['data'], { nodeSelector: { [hostname]: 'node-0' } });
      await untilUnschedulable(stage, 'elsewhere');
    },
    { isPlaced: true },
  ),
  scenario(
    'zone',
    async (stage) => {
      await addAvailable(stage, 'v', '1Gi', {}, { name: stage.own('v'), labels: { [zone]: 'zone-c' } });
      await addClaim(stage, 'data');
      await untilBound(stage, 'data');
      await addPod(stage, 'web', ['data']);
      await stage.untilValue(pods, 'web', 'status.phase', 'Running');
      await addPod(stage, 'elsewhere', ['data'], { nodeSelector: { [hostname]: 'node-0' } });
      await untilUnschedulable(stage, 'elsewhere');
    },
    { isPlaced: true },
  ),
  scenario('once-pod', async (stage) => {
    const accessModes = ['ReadWriteOncePod'];
    await addAvailable(stage, 'v', '1Gi', { accessModes });
    await addClaim(stage, 'data', '1Gi', { accessModes });
    await untilBound(stage, 'data');
    await addPod(stage, 'first', ['data']);
    await stage.untilValue(pods, 'first', 'status.phase', 'Running');
    await addPod(stage, 'second', ['data']);
    await untilUnschedulable(stage, 'second');
  }),
  scenario('claim-in-use', async (stage) => {
    await addAvailable(stage, 'v');
    await addClaim(stage, 'data');
    await untilBound(stage, 'data');
    await addPod(stage, 'web', ['data']);
    await stage.untilValue(pods, 'web', 'status.phase', 'Running');
    await stage.remove(claims, 'data');
    await stage.compareObjects('in use');
    await stage.remove(pods, 'web', { gracePeriodSeconds: 0 });
    await untilPhase(stage, 'v', 'Released');
  }),
];
