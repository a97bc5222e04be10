// Scenarios of the statefulset controller.
import { type AnyObject, at } from '../../kube-controller-manager/api.ts';
import {
  claims,
  held,
  pods,
  type Scenario,
  type Stage,
  selector,
  statefulSets,
  template,
} from '../scenario.ts';

const db = 'db';
const image = (name: string) => ({
  spec: { template: { spec: { containers: [{ name: 'c', image: name }] } } },
});
const set = (replicas: number, spec: object = {}, podSpec: object = held) => ({
  metadata: { name: db },
  spec: { replicas, serviceName: db, selector: selector(db), template: template(db, podSpec), ...spec },
});
const parallel = { podManagementPolicy: 'Parallel' };
const claimTemplates = {
  volumeClaimTemplates: [
    {
      metadata: { name: 'data', labels: { of: 'template' } },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
  ],
};

const isPending = (pod: AnyObject) => at(pod, 'status.phase') === 'Pending';

/** Makes pods ready one after the other, as long as there are pending ones, or until a state is reached. */
async function readyInTurn(stage: Stage, isReached = () => true): Promise<void> {
  for (let round = 0; round < 30; round++) {
    await stage.calm();
    const [pending] = stage.activePods(isPending);
    if (pending) await stage.setReady(pending);
    else if (isReached()) return;
  }
}

async function complete(stage: Stage, replicas: number, spec: object = {}): Promise<void> {
  await stage.create(statefulSets, set(replicas, spec));
  // On a busy machine nothing changes for a while before the next pod is created.
  await readyInTurn(stage, () => at(stage.get(statefulSets, db), 'status.readyReplicas') === replicas);
  await stage.untilValue(statefulSets, db, 'status.readyReplicas', replicas);
}

const scenario = (name: string, run: Scenario['run'], more: Partial<Scenario> = {}): Scenario => ({
  ...{ name: `statefulset-${name}`, isOrdered: true, calmMs: 1_000, run },
  ...more,
});

export const statefulSetScenarios: readonly Scenario[] = [
  scenario('created', (stage) => complete(stage, 3)),
  scenario('first-pod-pending', async (stage) => void (await stage.create(statefulSets, set(3)))),
  // kube-controller-manager creates the pods after the first at the same time.
  scenario('parallel', (stage) => complete(stage, 3, parallel), { isOrdered: false }),
  scenario('start-ordinal', (stage) => complete(stage, 2, { ordinals: { start: 5 } })),
  scenario(
    'on-nodes',
    async (stage) => {
      await stage.create(statefulSets, set(3, {}, {}));
      await stage.untilValue(statefulSets, db, 'status.availableReplicas', 3);
    },
    { isOrdered: false },
  ),
  scenario('scaled', async (stage) => {
    await complete(stage, 1);
    await stage.patch(statefulSets, db, { spec: { replicas: 3 } });
    await readyInTurn(stage);
    await stage.compareObjects('scaled up');
    await stage.patch(statefulSets, db, { spec: { replicas: 1 } });
  }),
  scenario(
    'scaled-down-parallel',
    async (stage) => {
      await complete(stage, 3, parallel);
      await stage.patch(statefulSets, db, { spec: { replicas: 0 } });
    },
    { isOrdered: false },
  ),
  scenario('scaled-down-with-unready-pod', async (stage) => {
    await complete(stage, 3);
    await stage.setReady(stage.get(pods, 'db-0')!, false);
    await stage.calm();
    await stage.patch(statefulSets, db, { spec: { replicas: 1 } });
  }),
  scenario('ordinals-moved', async (stage) => {
    await complete(stage, 2);
    await stage.patch(statefulSets, db, { spec: { ordinals: { start: 1 } } });
    await readyInTurn(stage);
  }),
  scenario('rolling-update', async (stage) => {
    await complete(stage, 3);
    await stage.patch(statefulSets, db, image('j'));
    await readyInTurn(stage);
  }),
  scenario('rolling-update-parallel', async (stage) => {
    await complete(stage, 3, parallel);
    await stage.patch(statefulSets, db, image('j'));
    await readyInTurn(stage);
  }),
  scenario('rolling-update-broken', async (stage) => {
    await complete(stage, 2);
    await stage.patch(statefulSets, db, image('broken'));
    await stage.compareObjects('waiting for the first pod');
    await stage.patch(statefulSets, db, image('j'));
    await stage.compareObjects('corrected');
    // Upstream does not replace a broken pod by itself.
    await stage.remove(pods, 'db-1');
    await readyInTurn(stage);
  }),
  scenario('partition', async (stage) => {
    await complete(stage, 3, { updateStrategy: { rollingUpdate: { partition: 2 } } });
    await stage.patch(statefulSets, db, image('j'));
    await readyInTurn(stage);
    await stage.compareObjects('with the partition');
    await stage.patch(statefulSets, db, { spec: { updateStrategy: { rollingUpdate: { partition: 0 } } } });
    await readyInTurn(stage);
  }),
  scenario('partition-pod-deleted', async (stage) => {
    await complete(stage, 2, { updateStrategy: { rollingUpdate: { partition: 2 } } });
    await stage.patch(statefulSets, db, image('j'));
    await stage.calm();
    await stage.remove(pods, 'db-0');
    await readyInTurn(stage);
  }),
  scenario('on-delete', async (stage) => {
    await complete(stage, 2, { updateStrategy: { type: 'OnDelete' } });
    await stage.patch(statefulSets, db, image('j'));
    await stage.compareObjects('before the deletion');
    await stage.remove(pods, 'db-0');
    await readyInTurn(stage);
  }),
  scenario('rolled-back', async (stage) => {
    await complete(stage, 2);
    await stage.patch(statefulSets, db, image('j'));
    await readyInTurn(stage);
    await stage.patch(statefulSets, db, image('i'));
    await readyInTurn(stage);
  }),
  scenario('revision-history-limit', async (stage) => {
    await complete(stage, 1, { revisionHistoryLimit: 1 });
    for (const name of ['j', 'k', 'l']) {
      await stage.patch(statefulSets, db, image(name));
      await readyInTurn(stage);
    }
  }),
  scenario('failed-pod', async (stage) => {
    await complete(stage, 2);
    await stage.finish(stage.get(pods, 'db-0')!, 1);
    await readyInTurn(stage);
  }),
  scenario('succeeded-pod', async (stage) => {
    await complete(stage, 2);
    await stage.finish(stage.get(pods, 'db-1')!, 0);
    await readyInTurn(stage);
  }),
  scenario('pod-deleted', async (stage) => {
    await complete(stage, 2);
    await stage.remove(pods, 'db-0');
    await readyInTurn(stage);
  }),
  scenario('terminating-pod', async (stage) => {
    await complete(stage, 2);
    await stage.patch(pods, 'db-1', { metadata: { finalizers: ['example.com/hold'] } });
    await stage.remove(pods, 'db-1');
    await stage.compareObjects('while it is terminating');
    await stage.patch(pods, 'db-1', { metadata: { finalizers: null } });
    await readyInTurn(stage);
  }),
  scenario('min-ready-seconds', async (stage) => {
    await stage.create(statefulSets, set(2, { minReadySeconds: 3 }));
    for (const name of ['db-0', 'db-1']) {
      await stage.until(name, () => stage.get(pods, name) !== undefined);
      await stage.setReady(stage.get(pods, name)!);
    }
    await stage.untilValue(statefulSets, db, 'status.availableReplicas', 2);
  }),
  scenario('claims', (stage) => complete(stage, 2, claimTemplates)),
  scenario('claims-kept', async (stage) => {
    await complete(stage, 2, claimTemplates);
    await stage.patch(statefulSets, db, { spec: { replicas: 1 } });
  }),
  ...(
    [
      ['delete', 'Delete', 'Delete'],
      ['when-scaled', 'Retain', 'Delete'],
      ['when-deleted', 'Delete', 'Retain'],
    ] as const
  ).map(([name, whenDeleted, whenScaled]) =>
    scenario(`claim-retention-${name}`, async (stage) => {
      const policy = { persistentVolumeClaimRetentionPolicy: { whenDeleted, whenScaled } };
      await complete(stage, 2, { ...claimTemplates, ...policy });
      await stage.compareObjects('complete');
      await stage.patch(statefulSets, db, { spec: { replicas: 1 } });
      await stage.compareObjects('scaled down');
      await stage.remove(statefulSets, db, { propagationPolicy: 'Background' });
    }),
  ),
  scenario('claim-exists', async (stage) => {
    const [claim] = claimTemplates.volumeClaimTemplates;
    await stage.create(claims, { metadata: { name: 'data-db-0' }, spec: claim!.spec });
    await complete(stage, 1, claimTemplates);
  }),
  scenario('adopts', async (stage) => {
    await complete(stage, 2);
    await stage.remove(statefulSets, db, { propagationPolicy: 'Orphan' });
    await stage.compareObjects('orphaned');
    await stage.create(statefulSets, set(2));
    await readyInTurn(stage);
  }),
  scenario('releases', async (stage) => {
    await complete(stage, 2);
    await stage.patch(pods, 'db-1', { metadata: { labels: { app: 'other' } } });
    await stage.calm();
  }),
  scenario('label-removed', async (stage) => {
    await complete(stage, 1);
    await stage.patch(pods, 'db-0', { metadata: { labels: { 'statefulset.kubernetes.io/pod-name': null } } });
  }),
  scenario(
    'quota',
    async (stage) => {
      await stage.create('api/v1 resourcequotas', {
        metadata: { name: 'one' },
        spec: { hard: { pods: '1' } },
      });
      await stage.calm();
      await stage.create(statefulSets, set(2, parallel));
      await stage.untilActivePods(1);
    },
    { isOrdered: false },
  ),
  ...(['Background', 'Foreground', 'Orphan'] as const).map((propagationPolicy) =>
    scenario(
      `deleted-${propagationPolicy.toLowerCase()}`,
      async (stage) => {
        await complete(stage, 2);
        await stage.remove(statefulSets, db, { propagationPolicy });
      },
      { isOrdered: false },
    ),
  ),
];
