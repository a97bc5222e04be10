// statefulset-controller, on a movable clock; the tests play scheduler and kubelet.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Body, testServer } from '../support/client.ts';
import { controllersIdle, until, untilDeleted } from '../support/controllers.ts';
import { WorkloadNamespace, type WorkloadPod } from '../support/workloads.ts';

const api = testServer({
  controllers: [
    'statefulset-controller',
    'serviceaccount-controller',
    'garbage-collector-controller',
    'namespace-controller',
  ],
  featureGates: { MaxUnavailableStatefulSet: true },
});

const labels = { app: 'web' };
const templateOf = (image: string) => ({
  metadata: { labels },
  spec: { containers: [{ name: 'c', image }] },
});
const web = 'apps/statefulsets/web';
const claimTemplate = {
  metadata: { name: 'data', labels: { tier: 'db' } },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};

async function statefulSet(replicas: number, spec: object = {}): Promise<WorkloadNamespace> {
  const namespace = await WorkloadNamespace.create(api);
  await create(namespace, replicas, spec);
  return namespace;
}

const create = (namespace: WorkloadNamespace, replicas: number, spec: object = {}) =>
  namespace.create('apps/statefulsets', {
    metadata: { name: 'web', annotations: { note: 'a' } },
    spec: {
      replicas,
      serviceName: 'dns',
      selector: { matchLabels: labels },
      template: templateOf('one'),
      ...spec,
    },
  });

const names = (pods: readonly WorkloadPod[]) => pods.map(({ metadata }) => metadata.name);
const imageOf = ({ spec }: Body) => (spec.containers as { image: string }[])[0]!.image;

/** Plays kubelet until the active pods have these images, in the order of their names. */
async function untilImages(namespace: WorkloadNamespace, images: readonly string[]): Promise<void> {
  await until(
    async () => {
      await namespace.removeTerminatingPods();
      const pods = await namespace.activePods();
      for (const pod of pods) if (pod.status.phase === 'Pending') await namespace.setReady(pod.metadata.name);
      return pods.map(imageOf).join();
    },
    (found) => found === images.join(),
  );
}

const revisions = async (namespace: WorkloadNamespace) =>
  ((await namespace.get('apps/controllerrevisions')).items as (Body & { revision: number })[]).sort(
    (a, b) => a.revision - b.revision,
  );

test('pods are created in order, each when the one before is ready, with a stable identity', async () => {
  const namespace = await statefulSet(2);
  const [first] = await namespace.untilActivePods(1);
  await controllersIdle(api);
  assert.deepEqual(names(await namespace.pods()), ['web-0']);
  await namespace.setReady('web-0');
  await namespace.untilActivePods(2);
  const { metadata } = await namespace.get(web);
  const [revision] = await revisions(namespace);
  assert.deepEqual(first!.metadata.labels, {
    ...labels,
    'apps.orch.io/pod-index': '0',
    'statefulset.orch.io/pod-name': 'web-0',
    'controller-revision-hash': revision!.metadata.name,
  });
  const { hostname, subdomain } = first!.spec;
  assert.deepEqual({ hostname, subdomain }, { hostname: 'web-0', subdomain: 'dns' });
  assert.deepEqual(first!.metadata.ownerReferences, [
    {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      name: 'web',
      uid: metadata.uid,
      controller: true,
      blockOwnerDeletion: true,
    },
  ]);
  await namespace.setReady('web-1');
  const name = revision!.metadata.name;
  await namespace.untilStatus(web, {
    replicas: 2,
    readyReplicas: 2,
    availableReplicas: 2,
    currentReplicas: 2,
    updatedReplicas: 2,
    currentRevision: name,
    updateRevision: name,
    observedGeneration: 1,
    collisionCount: 0,
  });
  assert.deepEqual(await namespace.untilEvents('StatefulSet', 2), [
    'Normal SuccessfulCreate create Pod web-0 in StatefulSet web successful',
    'Normal SuccessfulCreate create Pod web-1 in StatefulSet web successful',
  ]);
  const hash = name.slice('web-'.length);
  assert.deepEqual(revision!.metadata.labels, { ...labels, 'controller.orch.io/hash': hash });
  assert.equal(revision!.metadata.annotations.note, 'a');
  assert.equal(revision!.revision, 1);
});

test('a scale-down deletes pods in reverse order, one by one', async () => {
  const namespace = await statefulSet(3, { ordinals: { start: 5 } });
  await untilImages(namespace, ['one', 'one', 'one']);
  for (const pod of ['web-5', 'web-6', 'web-7']) await namespace.bind(pod, 'node');
  await namespace.setAllReady();
  await namespace.untilStatus(web, { readyReplicas: 3 });
  await namespace.patch(web, { spec: { replicas: 1 } });
  assert.deepEqual(names(await namespace.untilActivePods(2)), ['web-5', 'web-6']);
  await controllersIdle(api);
  assert.equal((await namespace.activePods()).length, 2);
  await namespace.removeTerminatingPods();
  assert.deepEqual(names(await namespace.untilActivePods(1)), ['web-5']);
  await namespace.removeTerminatingPods();
  await namespace.untilStatus(web, { replicas: 1, readyReplicas: 1, observedGeneration: 2 });
  const events = await namespace.untilEvents('StatefulSet', 5);
  assert.equal(events.at(-1), 'Normal SuccessfulDelete delete Pod web-6 in StatefulSet web successful');
});

test('with Parallel all pods are created and deleted at once', async () => {
  const namespace = await statefulSet(4, { podManagementPolicy: 'Parallel' });
  assert.deepEqual(names(await namespace.untilActivePods(4)), ['web-0', 'web-1', 'web-2', 'web-3']);
  await namespace.patch(web, { spec: { replicas: 0 } });
  await namespace.untilActivePods(0);
  await namespace.untilStatus(web, { replicas: 0 });
});

test('minReadySeconds delays the next pod, on the clock', async () => {
  const namespace = await statefulSet(2, { minReadySeconds: 30 });
  await namespace.untilActivePods(1);
  await namespace.setReady('web-0');
  await namespace.untilStatus(web, { readyReplicas: 1, availableReplicas: 0 });
  await controllersIdle(api);
  assert.equal((await namespace.pods()).length, 1);
  api.server.clock.advance(30_000);
  await namespace.untilActivePods(2);
  await namespace.untilStatus(web, { availableReplicas: 1 });
});

test('failed, succeeded and deleted pods are created again with the same name', async () => {
  const namespace = await statefulSet(1);
  for (const phase of ['Failed', 'Succeeded']) {
    const [pod] = await namespace.untilActivePods(1);
    await namespace.setPhase('web-0', phase);
    await until(
      () => namespace.pods(),
      (pods) => pods.length === 1 && pods[0]!.metadata.uid !== pod!.metadata.uid,
    );
  }
  const { metadata } = await namespace.get('pods/web-0');
  await namespace.delete('pods/web-0');
  await until(
    () => namespace.pods(),
    (pods) => pods.length === 1 && pods[0]!.metadata.uid !== metadata.uid,
  );
});

test('a rolling update replaces pods from the highest ordinal down, and a rollback gets a new revision number', async () => {
  const namespace = await statefulSet(3);
  await untilImages(namespace, ['one', 'one', 'one']);
  const first = await namespace.untilStatus(web, { readyReplicas: 3 });
  await namespace.patch(web, { spec: { template: templateOf('two') } });
  await until(
    () => namespace.pods(),
    (pods) => pods.map(imageOf).join() === 'one,one,two',
  );
  await controllersIdle(api);
  assert.equal((await namespace.pods()).map(imageOf).join(), 'one,one,two');
  await namespace.untilStatus(web, { currentReplicas: 2, updatedReplicas: 1 });
  await untilImages(namespace, ['two', 'two', 'two']);
  const updated = await namespace.untilStatus(web, { readyReplicas: 3, currentReplicas: 3 });
  const { currentRevision, updateRevision } = updated.status as Record<string, string>;
  assert.equal(currentRevision, updateRevision);
  assert.notEqual(currentRevision, (first.status as Record<string, string>).currentRevision);
  await namespace.patch(web, { spec: { template: templateOf('one') } });
  await untilImages(namespace, ['one', 'one', 'one']);
  const history = await revisions(namespace);
  assert.deepEqual(
    history.map(({ revision }) => revision),
    [2, 3],
  );
  assert.equal(history[1]!.metadata.name, (first.status as Record<string, string>).currentRevision);
});

test('pods below the partition keep their revision, also when they are created again', async () => {
  const rollingUpdate = { partition: 2 };
  const namespace = await statefulSet(3, { updateStrategy: { type: 'RollingUpdate', rollingUpdate } });
  await untilImages(namespace, ['one', 'one', 'one']);
  await namespace.patch(web, { spec: { template: templateOf('two') } });
  await untilImages(namespace, ['one', 'one', 'two']);
  await namespace.delete('pods/web-0');
  await untilImages(namespace, ['one', 'one', 'two']);
  await controllersIdle(api);
  const status = (await namespace.untilStatus(web, { readyReplicas: 3 })).status as Record<string, unknown>;
  assert.notEqual(status.currentRevision, status.updateRevision);
  assert.deepEqual([status.currentReplicas, status.updatedReplicas], [2, 1]);
  await namespace.patch(web, { spec: { updateStrategy: { rollingUpdate: { partition: 0 } } } });
  await untilImages(namespace, ['two', 'two', 'two']);
});

test('with maxUnavailable several pods are updated at once', async () => {
  const rollingUpdate = { maxUnavailable: 2 };
  const updateStrategy = { type: 'RollingUpdate', rollingUpdate };
  const namespace = await statefulSet(3, { updateStrategy, podManagementPolicy: 'Parallel' });
  await untilImages(namespace, ['one', 'one', 'one']);
  await namespace.untilStatus(web, { readyReplicas: 3 });
  await namespace.patch(web, { spec: { template: templateOf('two') } });
  await until(
    () => namespace.pods(),
    (pods) => pods.map(imageOf).join() === 'one,two,two',
  );
  await controllersIdle(api);
  assert.equal((await namespace.pods()).map(imageOf).join(), 'one,two,two');
});

test('with OnDelete pods are updated only when a user deletes them', async () => {
  const namespace = await statefulSet(2, { updateStrategy: { type: 'OnDelete' } });
  await untilImages(namespace, ['one', 'one']);
  await namespace.patch(web, { spec: { template: templateOf('two') } });
  await namespace.untilStatus(web, { observedGeneration: 2 });
  await controllersIdle(api);
  await untilImages(namespace, ['one', 'one']);
  await namespace.delete('pods/web-0');
  await untilImages(namespace, ['two', 'one']);
});

test('old revisions beyond revisionHistoryLimit are deleted', async () => {
  const namespace = await statefulSet(1, { revisionHistoryLimit: 1 });
  for (const image of ['one', 'two', 'three', 'four']) {
    await namespace.patch(web, { spec: { template: templateOf(image) } });
    await untilImages(namespace, [image]);
    await namespace.untilStatus(web, { readyReplicas: 1, currentReplicas: 1, updatedReplicas: 1 });
  }
  await until(
    () => revisions(namespace),
    (found) => found.map(({ revision }) => revision).join() === '3,4',
  );
});

test('a revision with the name but other data increments collisionCount', async () => {
  const namespace = await statefulSet(1);
  const [revision] = await until(
    () => revisions(namespace),
    (found) => found.length === 1,
  );
  await namespace.delete(web);
  await untilDeleted(api, namespace.path(web));
  await untilDeleted(api, namespace.path(`apps/controllerrevisions/${revision!.metadata.name}`));
  await namespace.create('apps/controllerrevisions', {
    metadata: { name: revision!.metadata.name },
    data: { spec: {} },
    revision: 1,
  });
  await create(namespace, 1);
  await until(
    async () => {
      api.server.clock.advance(1_000);
      return namespace.get(web);
    },
    ({ status }) => (status as { collisionCount?: number }).collisionCount === 1,
  );
  await untilImages(namespace, ['one']);
  assert.equal((await revisions(namespace)).length, 2);
});

test('claims are created from the templates and stay by default', async () => {
  const volumes = [{ name: 'data', emptyDir: {} }];
  const template = { ...templateOf('one'), spec: { ...templateOf('one').spec, volumes } };
  const namespace = await statefulSet(2, { volumeClaimTemplates: [claimTemplate], template });
  await untilImages(namespace, ['one', 'one']);
  const claim = await namespace.get('persistentvolumeclaims/data-web-1');
  assert.deepEqual(claim.metadata.labels, { tier: 'db', ...labels });
  assert.equal('ownerReferences' in claim.metadata, false);
  const pod = await namespace.get('pods/web-1');
  const [volume] = pod.spec.volumes as object[];
  assert.deepEqual(volume, { name: 'data', persistentVolumeClaim: { claimName: 'data-web-1' } });
  const events = await namespace.untilEvents('StatefulSet', 4);
  assert.equal(
    events[0],
    'Normal SuccessfulCreate create Claim data-web-0 Pod web-0 in StatefulSet web success',
  );
  await namespace.patch(web, { spec: { replicas: 0 } });
  await untilImages(namespace, []);
  await controllersIdle(api);
  assert.equal((await namespace.get('persistentvolumeclaims')).items.length, 2);
});

test('the retention policy deletes the claims of removed pods, and all claims with the StatefulSet', async () => {
  const persistentVolumeClaimRetentionPolicy = { whenDeleted: 'Delete', whenScaled: 'Delete' };
  const namespace = await statefulSet(2, {
    volumeClaimTemplates: [claimTemplate],
    persistentVolumeClaimRetentionPolicy,
  });
  await untilImages(namespace, ['one', 'one']);
  const { metadata } = await namespace.get(web);
  const claim = (await namespace.get('persistentvolumeclaims/data-web-0')) as WorkloadPod;
  assert.deepEqual(
    claim.metadata.ownerReferences?.map(({ kind, uid, controller }) => ({ kind, uid, controller })),
    [{ kind: 'StatefulSet', uid: metadata.uid, controller: true }],
  );
  await namespace.patch(web, { spec: { replicas: 1 } });
  await untilImages(namespace, ['one']);
  const removeFinalizer = async (name: string) => {
    const found = await api.get(namespace.path(`persistentvolumeclaims/${name}`));
    if (found.code === 200 && found.body.metadata.deletionTimestamp)
      await namespace.patch(`persistentvolumeclaims/${name}`, { metadata: { finalizers: null } });
    return found.code;
  };
  await until(
    () => removeFinalizer('data-web-1'),
    (code) => code === 404,
  );
  await namespace.delete(web);
  await until(
    () => removeFinalizer('data-web-0'),
    (code) => code === 404,
  );
});

test('a matching pod without a controller is adopted and gets its identity, and others are not touched', async () => {
  const namespace = await WorkloadNamespace.create(api);
  await until(
    () => api.get(namespace.path('serviceaccounts/default')),
    ({ code }) => code === 200,
  );
  const { spec } = templateOf('one');
  await namespace.create('pods', { metadata: { name: 'web-0', labels }, spec });
  await namespace.create('pods', { metadata: { name: 'other', labels }, spec });
  await create(namespace, 1, { updateStrategy: { type: 'OnDelete' } });
  const adopted = await namespace.until(
    'pods/web-0',
    (pod) => pod.metadata.labels['apps.orch.io/pod-index'] === '0',
  );
  assert.equal((adopted as WorkloadPod).metadata.ownerReferences?.[0]?.name, 'web');
  await controllersIdle(api);
  assert.equal('ownerReferences' in (await namespace.get('pods/other')).metadata, false);
});

test('a foreground deletion ends, and nothing is created meanwhile', async () => {
  const namespace = await statefulSet(2);
  await untilImages(namespace, ['one', 'one']);
  await namespace.delete(web, { propagationPolicy: 'Foreground' });
  await untilDeleted(api, namespace.path(web));
  assert.equal((await namespace.pods()).length, 0);
  assert.equal((await revisions(namespace)).length, 0);
});

test('pods are created again after the server is reset to an earlier state', async () => {
  const namespace = await statefulSet(2);
  await untilImages(namespace, ['one', 'one']);
  await namespace.untilStatus(web, { readyReplicas: 2 });
  const snapshot = await api.server.snapshot();
  await namespace.patch(web, { spec: { template: templateOf('two') } });
  await untilImages(namespace, ['two', 'two']);
  await api.server.restore(snapshot);
  await namespace.delete('pods/web-0');
  await untilImages(namespace, ['one', 'one']);
  await namespace.untilStatus(web, { readyReplicas: 2, updatedReplicas: 2 });
});

test('pods and revisions that were orphaned are adopted by a new StatefulSet', async () => {
  const namespace = await statefulSet(1);
  await untilImages(namespace, ['one']);
  const [revision] = await revisions(namespace);
  await namespace.delete(web, { propagationPolicy: 'Orphan' });
  await untilDeleted(api, namespace.path(web));
  const { metadata } = await create(namespace, 1);
  await namespace.until(
    'pods/web-0',
    (pod) => (pod as WorkloadPod).metadata.ownerReferences?.[0]?.uid === metadata.uid,
  );
  await namespace.untilStatus(web, { updateRevision: revision!.metadata.name, updatedReplicas: 1 });
  assert.equal((await revisions(namespace)).length, 1);
});
