// deployment-controller with replicaset-controller, on a movable clock; the tests play scheduler and kubelet.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Body, testServer } from '../support/client.ts';
import { controllersIdle, until, untilDeleted } from '../support/controllers.ts';
import { WorkloadNamespace } from '../support/workloads.ts';

const api = testServer({
  controllers: [
    'deployment-controller',
    'replicaset-controller',
    'serviceaccount-controller',
    'garbage-collector-controller',
  ],
});

const labels = { app: 'web' };
const selector = { matchLabels: labels };
const templateOf = (image: string) => ({
  metadata: { labels },
  spec: { containers: [{ name: 'c', image }] },
});
const web = 'apps/deployments/web';
const revisionAnnotation = 'deployment.orch.io/revision';

interface ReplicaSet extends Body {
  readonly spec: {
    readonly replicas: number;
    readonly minReadySeconds?: number;
    readonly selector: { readonly matchLabels: Record<string, string> };
    readonly template: { readonly spec: { readonly containers: readonly { readonly image: string }[] } };
  };
  readonly metadata: Body['metadata'] & { readonly ownerReferences: readonly { readonly uid: string }[] };
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly lastUpdateTime: string;
}

interface Counts {
  readonly observedGeneration?: number;
  readonly replicas?: number;
  readonly updatedReplicas?: number;
  readonly availableReplicas?: number;
}

class Rollout {
  readonly namespace: WorkloadNamespace;

  private constructor(namespace: WorkloadNamespace) {
    this.namespace = namespace;
  }

  static async start(spec: object, annotations: object = {}): Promise<Rollout> {
    const namespace = await WorkloadNamespace.create(api);
    await namespace.create('apps/deployments', {
      metadata: { name: 'web', annotations },
      spec: { selector, template: templateOf('one'), ...spec },
    });
    return new Rollout(namespace);
  }

  patch(spec: object): Promise<Body> {
    return this.namespace.patch(web, { spec });
  }

  setImage(image: string): Promise<Body> {
    return this.patch({ template: templateOf(image) });
  }

  async sets(): Promise<ReplicaSet[]> {
    const { items } = await this.namespace.get('apps/replicasets');
    return items as ReplicaSet[];
  }

  /** The ReplicaSet with an image, once it exists. */
  async set(image: string): Promise<ReplicaSet> {
    const isOf = (set: ReplicaSet) => set.spec.template.spec.containers[0]?.image === image;
    const sets = await until(
      () => this.sets(),
      (found) => found.some(isOf),
    );
    return sets.find(isOf)!;
  }

  /** Waits until the ReplicaSets have these desired replicas by image, as in `one 2, two 3`. */
  async untilSizes(expected: string): Promise<void> {
    const sizes = async () =>
      (await this.sets())
        .map(({ spec }) => `${spec.template.spec.containers[0]?.image} ${spec.replicas}`)
        .sort()
        .join(', ');
    await until(sizes, (found) => found === expected);
  }

  /** Makes the pods of an image ready, this many of them. */
  async makeReady(image: string, count: number): Promise<void> {
    const { metadata } = await this.set(image);
    const hash = metadata.labels['pod-template-hash'];
    const pods = await until(
      async () =>
        (await this.namespace.activePods()).filter(
          (pod) => pod.metadata.labels['pod-template-hash'] === hash,
        ),
      (found) => found.length >= count,
    );
    for (const pod of pods.slice(0, count)) await this.namespace.setReady(pod.metadata.name);
  }

  /** Plays kubelet until the rollout is complete. */
  async complete(): Promise<Body> {
    return until(
      async () => {
        await this.namespace.setAllReady().catch(() => {});
        await this.namespace.removeTerminatingPods().catch(() => {});
        return this.namespace.get(web);
      },
      (deployment) => {
        const { reason } = conditionOf(deployment, 'Progressing') ?? {};
        const { metadata, spec, status } = deployment as Body & {
          spec: { replicas: number };
          status: Counts;
        };
        // The condition of the previous rollout may still be there when the new generation is observed.
        const { observedGeneration, replicas, updatedReplicas, availableReplicas } = status;
        const isRolledOut = [replicas, updatedReplicas, availableReplicas].every(
          (count) => (count ?? 0) === spec.replicas,
        );
        return (
          isRolledOut && reason === 'NewReplicaSetAvailable' && observedGeneration === metadata.generation
        );
      },
    );
  }

  untilCondition(type: string, reason: string): Promise<Body> {
    return this.namespace.until(web, (deployment) => conditionOf(deployment, type)?.reason === reason);
  }
}

const conditionOf = ({ status }: Body, type: string) =>
  (status as { conditions?: Condition[] }).conditions?.find((condition) => condition.type === type);

const revisionOf = ({ metadata }: Body) => metadata.annotations[revisionAnnotation];

test('a Deployment gets a ReplicaSet with the hash of its template, its annotations and revision 1', async () => {
  const rollout = await Rollout.start({ replicas: 3, minReadySeconds: 0 }, { team: 'a' });
  const set = await rollout.set('one');
  const hash = set.metadata.labels['pod-template-hash'];
  assert.match(hash!, /^[bcdfghjklmnpqrstvwxz2456789]+$/);
  assert.equal(set.metadata.name, `web-${hash}`);
  assert.deepEqual(set.spec.selector.matchLabels, { ...labels, 'pod-template-hash': hash });
  const deployment = await rollout.namespace.untilStatus(web, { replicas: 3 });
  assert.equal(set.metadata.ownerReferences[0]?.uid, deployment.metadata.uid);
  assert.deepEqual(set.metadata.annotations, {
    team: 'a',
    [revisionAnnotation]: '1',
    'deployment.orch.io/desired-replicas': '3',
    'deployment.orch.io/max-replicas': '4',
  });
  assert.equal(revisionOf(deployment), '1');
  assert.equal(deployment.metadata.generation, 1);
  const [event] = await rollout.namespace.untilEvents('Deployment', 1);
  assert.equal(event, `Normal ScalingReplicaSet Scaled up replica set ${set.metadata.name} from 0 to 3`);
});

test('the status shows counts and conditions from the first pod to completion', async () => {
  const rollout = await Rollout.start({ replicas: 2 });
  const { metadata } = await rollout.set('one');
  const started = await rollout.namespace.untilStatus(web, { replicas: 2, unavailableReplicas: 2 });
  assert.equal(conditionOf(started, 'Available')?.reason, 'MinimumReplicasUnavailable');
  assert.equal(conditionOf(started, 'Available')?.message, 'Deployment does not have minimum availability.');
  assert.equal(conditionOf(started, 'Progressing')?.status, 'True');
  await rollout.makeReady('one', 2);
  const complete = await rollout.untilCondition('Progressing', 'NewReplicaSetAvailable');
  assert.deepEqual(conditionOf(complete, 'Progressing')?.status, 'True');
  assert.equal(
    conditionOf(complete, 'Progressing')?.message,
    `ReplicaSet "${metadata.name}" has successfully progressed.`,
  );
  assert.equal(conditionOf(complete, 'Available')?.message, 'Deployment has minimum availability.');
  const { conditions: _, ...counts } = complete.status as Record<string, unknown>;
  assert.deepEqual(counts, {
    observedGeneration: 1,
    replicas: 2,
    updatedReplicas: 2,
    readyReplicas: 2,
    availableReplicas: 2,
  });
});

test('a rolling update replaces pods step by step within maxSurge and maxUnavailable', async () => {
  const rollout = await Rollout.start({
    replicas: 4,
    strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } },
  });
  await rollout.makeReady('one', 4);
  await rollout.complete();
  await rollout.setImage('two');
  await rollout.untilSizes('one 3, two 2');
  await rollout.makeReady('two', 1);
  await rollout.untilSizes('one 2, two 3');
  await rollout.makeReady('two', 3);
  await rollout.untilSizes('one 0, two 4');
  const progressing = await rollout.untilCondition('Progressing', 'ReplicaSetUpdated');
  assert.match(
    conditionOf(progressing, 'Progressing')!.message,
    /^ReplicaSet "web-[a-z0-9]+" is progressing\.$/,
  );
  const complete = await rollout.complete();
  assert.equal(revisionOf(complete), '2');
  const events = (await rollout.namespace.untilEvents('Deployment', 7)).join('\n');
  const [one, two] = [(await rollout.set('one')).metadata.name, (await rollout.set('two')).metadata.name];
  assert.ok(events.includes(`Scaled up replica set ${two} from 0 to 1`), events);
  assert.ok(events.includes(`Scaled down replica set ${one} from 4 to 3`), events);
  assert.ok(events.includes(`Scaled up replica set ${two} from 1 to 2`), events);
});

test('Recreate waits until all old pods are gone', async () => {
  const rollout = await Rollout.start({ replicas: 2, strategy: { type: 'Recreate' } });
  for (const { metadata } of await rollout.namespace.untilActivePods(2))
    await rollout.namespace.bind(metadata.name, 'node');
  await rollout.makeReady('one', 2);
  await rollout.complete();
  await rollout.setImage('two');
  await rollout.namespace.untilActivePods(0);
  await controllersIdle(api);
  assert.equal((await rollout.sets()).length, 1);
  const [first, second] = await rollout.namespace.pods();
  await rollout.namespace.delete(`pods/${first!.metadata.name}`, { gracePeriodSeconds: 0 });
  await controllersIdle(api);
  assert.equal((await rollout.sets()).length, 1);
  await rollout.namespace.delete(`pods/${second!.metadata.name}`, { gracePeriodSeconds: 0 });
  await rollout.untilSizes('one 0, two 2');
  const complete = await rollout.complete();
  assert.equal(revisionOf(complete), '2');
});

test('rolling back to an older template uses its ReplicaSet, with a new revision and the old one in its history', async () => {
  const rollout = await Rollout.start({ replicas: 1 });
  await rollout.complete();
  const { metadata: first } = await rollout.set('one');
  await rollout.setImage('two');
  await rollout.complete();
  await rollout.setImage('one');
  const complete = await rollout.complete();
  await rollout.untilSizes('one 1, two 0');
  const set = await rollout.set('one');
  assert.equal(set.metadata.uid, first.uid);
  assert.equal(revisionOf(set), '3');
  assert.equal(set.metadata.annotations['deployment.orch.io/revision-history'], '1');
  assert.equal(revisionOf(complete), '3');
});

test('ReplicaSets beyond revisionHistoryLimit are deleted, those of the oldest revisions first', async () => {
  const rollout = await Rollout.start({ replicas: 1, revisionHistoryLimit: 1 });
  for (const image of ['one', 'two', 'three', 'four']) {
    await rollout.setImage(image);
    await rollout.complete();
  }
  await rollout.untilSizes('four 1, three 0');
});

test('a paused Deployment is scaled but not rolled out; when it is resumed the rollout starts', async () => {
  const rollout = await Rollout.start({ replicas: 1 });
  await rollout.complete();
  await rollout.patch({ paused: true });
  const paused = await rollout.untilCondition('Progressing', 'DeploymentPaused');
  assert.equal(conditionOf(paused, 'Progressing')?.status, 'Unknown');
  assert.equal(conditionOf(paused, 'Progressing')?.message, 'Deployment is paused');
  await rollout.setImage('two');
  await rollout.patch({ replicas: 3 });
  await rollout.untilSizes('one 3');
  await controllersIdle(api);
  assert.equal((await rollout.sets()).length, 1);
  await rollout.patch({ paused: false });
  await rollout.set('two');
  await rollout.complete();
  await rollout.untilSizes('one 0, two 3');
});

test('a resumed Deployment without progress is reported as resumed, and its progress deadline starts again', async () => {
  const rollout = await Rollout.start({ replicas: 1, progressDeadlineSeconds: 60 });
  await rollout.namespace.untilStatus(web, { replicas: 1 });
  await rollout.patch({ paused: true });
  await rollout.untilCondition('Progressing', 'DeploymentPaused');
  api.server.clock.advance(120_000);
  await rollout.patch({ paused: false });
  const resumed = await rollout.untilCondition('Progressing', 'DeploymentResumed');
  assert.equal(conditionOf(resumed, 'Progressing')?.status, 'Unknown');
  assert.equal(conditionOf(resumed, 'Progressing')?.message, 'Deployment is resumed');
  await controllersIdle(api);
  api.server.clock.advance(61_000);
  await rollout.untilCondition('Progressing', 'ProgressDeadlineExceeded');
});

test('a Deployment that is created paused gets no ReplicaSet', async () => {
  const rollout = await Rollout.start({ replicas: 1, paused: true });
  await rollout.untilCondition('Progressing', 'DeploymentPaused');
  await controllersIdle(api);
  assert.deepEqual(await rollout.sets(), []);
  await rollout.patch({ paused: false });
  await rollout.complete();
});

test('the rollout exceeds its progress deadline on the clock, and can still complete', async () => {
  const rollout = await Rollout.start({ replicas: 1, progressDeadlineSeconds: 60 });
  const { metadata } = await rollout.set('one');
  await rollout.namespace.untilStatus(web, { replicas: 1 });
  await controllersIdle(api);
  api.server.clock.advance(58_000);
  await controllersIdle(api);
  assert.equal(conditionOf(await rollout.namespace.get(web), 'Progressing')?.status, 'True');
  api.server.clock.advance(3_000);
  const timedOut = await rollout.untilCondition('Progressing', 'ProgressDeadlineExceeded');
  assert.equal(conditionOf(timedOut, 'Progressing')?.status, 'False');
  assert.equal(
    conditionOf(timedOut, 'Progressing')?.message,
    `ReplicaSet "${metadata.name}" has timed out progressing.`,
  );
  await rollout.complete();
});

test('available pods wait for minReadySeconds, which is copied to the ReplicaSet', async () => {
  const rollout = await Rollout.start({ replicas: 1, minReadySeconds: 20 });
  await rollout.makeReady('one', 1);
  await rollout.namespace.untilStatus(web, { readyReplicas: 1, unavailableReplicas: 1 });
  await rollout.patch({ minReadySeconds: 40 });
  await until(
    () => rollout.set('one'),
    ({ spec }) => spec.minReadySeconds === 40,
  );
  api.server.clock.advance(30_000);
  await controllersIdle(api);
  await rollout.namespace.untilStatus(web, { unavailableReplicas: 1 });
  api.server.clock.advance(10_000);
  await rollout.namespace.untilStatus(web, { availableReplicas: 1, unavailableReplicas: undefined });
});

test('scaling during a rollout scales the ReplicaSets in proportion', async () => {
  const rollout = await Rollout.start({
    replicas: 10,
    strategy: { rollingUpdate: { maxSurge: 3, maxUnavailable: 2 } },
  });
  await rollout.makeReady('one', 10);
  await rollout.complete();
  await rollout.setImage('two');
  await rollout.untilSizes('one 8, two 5');
  await controllersIdle(api);
  // 18 pods of which 8/13 and 5/13 are 11.08 and 6.92.
  await rollout.patch({ replicas: 15 });
  await rollout.untilSizes('one 11, two 7');
  const { metadata } = await rollout.set('one');
  assert.equal(metadata.annotations['deployment.orch.io/desired-replicas'], '15');
  assert.equal(metadata.annotations['deployment.orch.io/max-replicas'], '18');
});

test('scaling down to 0 and up again scales the newest ReplicaSet', async () => {
  const rollout = await Rollout.start({ replicas: 2 });
  await rollout.complete();
  await rollout.patch({ replicas: 0 });
  await rollout.untilSizes('one 0');
  await rollout.namespace.untilStatus(web, { replicas: undefined, observedGeneration: 2 });
  await rollout.patch({ replicas: 3 });
  await rollout.untilSizes('one 3');
});

test('the failure of a ReplicaSet to create pods is a condition of the Deployment', async () => {
  const rollout = await Rollout.start({ replicas: 0 });
  await rollout.complete();
  await rollout.namespace.create('limitranges', {
    metadata: { name: 'limits' },
    spec: { limits: [{ type: 'Pod', min: { cpu: '1' } }] },
  });
  await rollout.patch({ replicas: 1 });
  const failed = await rollout.untilCondition('ReplicaFailure', 'FailedCreate');
  assert.equal(conditionOf(failed, 'ReplicaFailure')?.status, 'True');
  await rollout.namespace.delete('limitranges/limits');
  await until(
    async () => {
      api.server.clock.advance(1_000);
      return rollout.namespace.get(web);
    },
    (deployment) => conditionOf(deployment, 'ReplicaFailure') === undefined,
  );
});

test('a ReplicaSet of another owner with the same name leads to another hash', async () => {
  const first = await Rollout.start({ replicas: 1 });
  const { metadata } = await first.set('one');
  const namespace = await WorkloadNamespace.create(api);
  const foreign = { app: 'foreign' };
  await namespace.create('apps/replicasets', {
    metadata: { name: metadata.name },
    spec: {
      replicas: 0,
      selector: { matchLabels: foreign },
      template: { ...templateOf('x'), metadata: { labels: foreign } },
    },
  });
  await namespace.create('apps/deployments', {
    metadata: { name: 'web' },
    spec: { replicas: 1, selector, template: templateOf('one') },
  });
  const deployment = await namespace.untilStatus(web, { collisionCount: 1, replicas: 1 });
  const sets = (await namespace.get('apps/replicasets')).items;
  const own = sets.filter(({ metadata: set }) => set.labels?.['pod-template-hash']);
  assert.equal(own.length, 1);
  assert.notEqual(own[0]?.metadata.name, metadata.name);
  assert.equal(revisionOf(deployment), '1');
});

test('a new ReplicaSet that cannot be created is reported', async () => {
  const namespace = await WorkloadNamespace.create(api);
  await namespace.create('resourcequotas', {
    metadata: { name: 'quota' },
    spec: { hard: { 'count/replicasets.apps': '0' } },
  });
  await namespace.patch('resourcequotas/quota/status', {
    status: { hard: { 'count/replicasets.apps': '0' }, used: { 'count/replicasets.apps': '0' } },
  });
  await namespace.create('apps/deployments', {
    metadata: { name: 'web' },
    spec: { replicas: 1, selector, template: templateOf('one') },
  });
  const failed = await namespace.until(
    web,
    (deployment) => conditionOf(deployment, 'Progressing')?.reason === 'ReplicaSetCreateError',
  );
  assert.equal(conditionOf(failed, 'Progressing')?.status, 'False');
  const pattern =
    /^Failed to create new replica set "web-[a-z0-9]+": replicasets\.apps "web-[a-z0-9]+" is forbidden: exceeded quota/;
  assert.match(conditionOf(failed, 'Progressing')!.message, pattern);
  const [event] = await namespace.untilEvents('Deployment', 1);
  assert.match(event!, /^Warning ReplicaSetCreateError Failed to create new replica set "web-/);
});

test('a matching ReplicaSet without a controller is adopted and continues as the new one', async () => {
  const namespace = await WorkloadNamespace.create(api);
  const { metadata } = await namespace.create('apps/replicasets', {
    metadata: { name: 'orphan', labels },
    spec: { replicas: 1, selector, template: templateOf('one') },
  });
  await namespace.create('apps/deployments', {
    metadata: { name: 'web' },
    spec: { replicas: 2, selector, template: templateOf('one') },
  });
  const deployment = await namespace.untilStatus(web, { updatedReplicas: 2 });
  const set = (await namespace.get('apps/replicasets/orphan')) as ReplicaSet;
  assert.equal(set.metadata.uid, metadata.uid);
  assert.equal(set.metadata.ownerReferences[0]?.uid, deployment.metadata.uid);
  assert.equal(conditionOf(deployment, 'Progressing') !== undefined, true);
});

test('an annotation that is added to the Deployment is copied to its new ReplicaSet', async () => {
  const rollout = await Rollout.start({ replicas: 1 });
  await rollout.complete();
  await rollout.namespace.patch(web, { metadata: { annotations: { cause: 'b' } } });
  await until(
    () => rollout.set('one'),
    ({ metadata }) => metadata.annotations.cause === 'b',
  );
});

test('a deleted Deployment takes its ReplicaSets and pods with it', async () => {
  const rollout = await Rollout.start({ replicas: 2 });
  await rollout.complete();
  await rollout.namespace.delete(web);
  await untilDeleted(api, rollout.namespace.path(web));
  await until(
    async () => [...(await rollout.sets()), ...(await rollout.namespace.activePods())],
    (left) => left.length === 0,
  );
});

test('a Deployment that is complete is not written any more', async () => {
  const rollout = await Rollout.start({ replicas: 1 });
  await rollout.complete();
  await controllersIdle(api);
  const before = await rollout.namespace.get(web);
  const [set] = await rollout.sets();
  api.server.clock.advance(3_600_000);
  await controllersIdle(api);
  assert.equal((await rollout.namespace.get(web)).metadata.resourceVersion, before.metadata.resourceVersion);
  assert.equal((await rollout.sets())[0]?.metadata.resourceVersion, set?.metadata.resourceVersion);
});
