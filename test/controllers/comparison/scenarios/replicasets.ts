// Scenarios of the controllers of ReplicaSets and ReplicationControllers.
import type { Kind } from '../../kube-controller-manager/api.ts';
import {
  held,
  pods,
  replicaSets,
  replicationControllers,
  type Scenario,
  type Stage,
  selector,
  template,
  workload,
} from '../scenario.ts';

const set = 'set';

/** The same scenarios for both kinds. */
function scenariosOf(prefix: string, kind: Kind): Scenario[] {
  const make = (replicas: number, spec: object = {}, podSpec: object = held) => {
    const manifest = workload(set, replicas, spec, podSpec);
    return kind === replicaSets
      ? manifest
      : { ...manifest, spec: { ...manifest.spec, selector: { app: set }, ...spec } };
  };
  const created = async (stage: Stage, replicas: number, spec: object = {}) => {
    await stage.create(kind, make(replicas, spec));
    await stage.untilActivePods(replicas);
    await stage.setAllReady();
    await stage.calm();
  };
  const scenario = (name: string, run: Scenario['run'], more: Partial<Scenario> = {}): Scenario => ({
    ...{ name: `${prefix}-${name}`, isOrdered: true, calmMs: 1_500, run },
    ...more,
  });
  return [
    scenario('created', (stage) => created(stage, 3)),
    scenario(
      'on-nodes',
      async (stage) => {
        await stage.create(kind, make(3, {}, {}));
        await stage.untilValue(kind, set, 'status.availableReplicas', 3);
      },
      { isOrdered: false },
    ),
    scenario('scaled', async (stage) => {
      await created(stage, 1);
      await stage.patch(kind, set, { spec: { replicas: 3 } });
      await stage.untilActivePods(3);
      await stage.compareObjects('scaled up');
      // The pods that are not ready are deleted first.
      await stage.patch(kind, set, { spec: { replicas: 1 } });
    }),
    scenario('deletion-cost', async (stage) => {
      await created(stage, 3);
      for (const [index, pod] of stage.activePods().entries()) {
        const annotations = { 'controller.kubernetes.io/pod-deletion-cost': String(index * 10) };
        await stage.patch(pods, pod.metadata.name, { metadata: { annotations } });
      }
      await stage.calm();
      await stage.patch(kind, set, { spec: { replicas: 1 } });
    }),
    scenario('failed-pod', async (stage) => {
      await created(stage, 2);
      await stage.finish(stage.activePods()[0]!, 1);
      await stage.untilActivePods(2);
    }),
    scenario('pod-deleted', async (stage) => {
      await created(stage, 2);
      await stage.remove(pods, stage.activePods()[0]!.metadata.name);
      await stage.untilActivePods(2);
    }),
    scenario('adopts', async (stage) => {
      await stage.create(pods, {
        ...template(set, held),
        metadata: { name: 'orphan', labels: { app: set } },
      });
      await stage.create(pods, {
        ...template(set, held),
        metadata: { name: 'other', labels: { app: 'other' } },
      });
      await stage.calm();
      await stage.create(kind, make(2));
      await stage.untilActivePods(3);
    }),
    scenario('adopts-too-many', async (stage) => {
      // Which of pods of about the same age are deleted is random.
      for (let index = 0; index < 3; index++) {
        const metadata = { generateName: 'orphan-', labels: { app: set } };
        await stage.create(pods, { ...template(set, held), metadata });
      }
      await stage.calm();
      await stage.create(kind, make(1));
      await stage.untilActivePods(1);
    }),
    scenario('releases', async (stage) => {
      await created(stage, 2);
      await stage.patch(pods, stage.activePods()[0]!.metadata.name, {
        metadata: { labels: { app: 'other' } },
      });
      await stage.untilActivePods(3);
    }),
    scenario('min-ready-seconds', async (stage) => {
      await created(stage, 2, { minReadySeconds: 3 });
      await stage.untilValue(kind, set, 'status.availableReplicas', 2);
    }),
    scenario(
      'quota',
      async (stage) => {
        await stage.create('api/v1 resourcequotas', {
          metadata: { name: 'two' },
          spec: { hard: { pods: '2' } },
        });
        await stage.calm();
        await stage.create(kind, make(3));
        await stage.untilActivePods(2);
        await stage.untilCondition(kind, set, 'ReplicaFailure');
      },
      { isOrdered: false },
    ),
    scenario('terminating-pod', async (stage) => {
      await created(stage, 1);
      const [pod] = stage.activePods();
      await stage.patch(pods, pod!.metadata.name, { metadata: { finalizers: ['example.com/hold'] } });
      await stage.remove(pods, pod!.metadata.name);
      await stage.untilActivePods(1);
    }),
    ...(['Background', 'Foreground', 'Orphan'] as const).map((propagationPolicy) =>
      scenario(`deleted-${propagationPolicy.toLowerCase()}`, async (stage) => {
        await created(stage, 2);
        await stage.remove(kind, set, { propagationPolicy });
      }),
    ),
  ];
}

export const replicaSetScenarios: readonly Scenario[] = [
  ...scenariosOf('replicaset', replicaSets),
  ...scenariosOf('replicationcontroller', replicationControllers),
  {
    name: 'replicasets-with-the-same-selector',
    async run(stage) {
      for (const name of ['one', 'two']) {
        await stage.create(replicaSets, {
          metadata: { name },
          spec: { replicas: 2, selector: selector('shared'), template: template('shared', held) },
        });
      }
      await stage.untilActivePods(4);
    },
  },
];
