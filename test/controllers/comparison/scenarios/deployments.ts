// Scenarios of the deployment controller.
import { at } from '../../kube-controller-manager/api.ts';
import {
  deployments,
  held,
  pods,
  replicaSets,
  type Scenario,
  type Stage,
  template,
  workload,
} from '../scenario.ts';

const web = 'web';
const image = (name: string) => ({
  spec: { template: { spec: { containers: [{ name: 'c', image: name }] } } },
});

/** A Deployment with pods that the scenario makes ready, after its first rollout. */
async function rolledOut(stage: Stage, replicas: number, spec: object = {}): Promise<void> {
  await stage.create(deployments, workload(web, replicas, spec, held));
  await stage.untilActivePods(replicas);
  await stage.setAllReady();
  await stage.untilValue(deployments, web, 'status.availableReplicas', replicas);
  await stage.calm();
}

/** Makes pods ready one after the other until the rollout is complete. */
async function finishRollout(stage: Stage, replicas: number): Promise<void> {
  const isComplete = () => {
    const deployment = stage.get(deployments, web);
    const status = at(deployment, 'status') as Record<string, number | undefined>;
    if (status.observedGeneration !== at(deployment, 'metadata.generation')) return false;
    return ['updatedReplicas', 'availableReplicas', 'replicas'].every((field) => status[field] === replicas);
  };
  for (let round = 0; round < 50 && !isComplete(); round++) {
    await stage.calm();
    const [unready] = stage.activePods((pod) => at(pod, 'status.phase') === 'Pending');
    if (unready) await stage.setReady(unready);
  }
}

export const deploymentScenarios: readonly Scenario[] = [
  {
    name: 'deployment-created',
    async run(stage) {
      await stage.create(deployments, workload(web, 3));
      await stage.untilValue(deployments, web, 'status.availableReplicas', 3);
    },
  },
  {
    name: 'deployment-without-replicas',
    isOrdered: true,
    async run(stage) {
      await stage.create(deployments, workload(web, 0));
    },
  },
  {
    name: 'deployment-pods-pending',
    isOrdered: true,
    async run(stage) {
      await stage.create(deployments, workload(web, 2, {}, held));
    },
  },
  {
    name: 'deployment-scaled',
    isOrdered: true,
    calmMs: 1_500,
    async run(stage) {
      await rolledOut(stage, 2);
      await stage.patch(deployments, web, { spec: { replicas: 4 } });
      await stage.untilActivePods(4);
      await stage.setAllReady();
      await stage.compareObjects('scaled up');
      await stage.patch(deployments, web, { spec: { replicas: 0 } });
    },
  },
  ...(
    [
      ['default', {}],
      ['surge', { maxSurge: 1, maxUnavailable: 0 }],
      ['unavailable', { maxSurge: 0, maxUnavailable: 1 }],
      ['percent', { maxSurge: '50%', maxUnavailable: '50%' }],
      ['all-unavailable', { maxSurge: 0, maxUnavailable: '100%' }],
    ] as const
  ).map(
    ([name, rollingUpdate]): Scenario => ({
      name: `deployment-rolling-${name}`,
      isOrdered: true,
      calmMs: 1_500,
      async run(stage) {
        await rolledOut(stage, 4, { strategy: { rollingUpdate } });
        await stage.patch(deployments, web, image('j'));
        await finishRollout(stage, 4);
      },
    }),
  ),
  {
    name: 'deployment-rolling-on-nodes',
    async run(stage) {
      await stage.create(deployments, workload(web, 4));
      await stage.untilValue(deployments, web, 'status.availableReplicas', 4);
      await stage.patch(deployments, web, image('j'));
      await stage.untilValue(deployments, web, 'status.observedGeneration', 2);
      await stage.untilValue(deployments, web, 'status.updatedReplicas', 4);
    },
  },
  {
    name: 'deployment-recreate',
    isOrdered: true,
    calmMs: 1_500,
    async run(stage) {
      await rolledOut(stage, 2, { strategy: { type: 'Recreate' } });
      await stage.patch(deployments, web, image('j'));
      await stage.untilActivePods(2, (pod) => at(pod, 'spec.containers.0.image') === 'j');
      await stage.setAllReady();
    },
  },
  {
    name: 'deployment-recreate-with-terminating-pod',
    isOrdered: true,
    calmMs: 1_500,
    async run(stage) {
      await rolledOut(stage, 1, { strategy: { type: 'Recreate' } });
      const [pod] = stage.activePods();
      const name = pod!.metadata.name;
      await stage.patch(pods, name, { metadata: { finalizers: ['example.com/hold'] } });
      await stage.patch(deployments, web, image('j'));
      await stage.compareObjects('while the old pod is terminating');
      await stage.patch(pods, name, { metadata: { finalizers: null } });
      await stage.untilActivePods(1);
      const [replaced] = stage.activePods();
      await stage.untilEvent(replaced!.metadata.ownerReferences![0]!.name, 'SuccessfulCreate');
    },
  },
  {
    name: 'deployment-rolled-back',
    isOrdered: true,
    calmMs: 1_500,
    async run(stage) {
      await rolledOut(stage, 2);
      await stage.patch(deployments, web, image('j'));
      await finishRollout(stage, 2);
      await stage.patch(deployments, web, image('i'));
      await finishRollout(stage, 2);
    },
  },
  {
    name: 'deployment-change-cause',
    isOrdered: true,
    calmMs: 1_500,
    async run(stage) {
      await rolledOut(stage, 1);
      const annotations = { 'kubernetes.io/change-cause': 'a new image' };
      await stage.patch(deployments, web, { metadata: { annotations }, ...image('j') });
      await finishRollout(stage, 1);
    },
  },
  {
    name: 'deployment-annotations-and-labels',
    isOrdered: true,
    calmMs: 1_500,
    async run(stage) {
      await rolledOut(stage, 1);
      await stage.patch(deployments, web, { metadata: { annotations: { a: 'b' }, labels: { c: 'd' } } });
    },
  },
  {
    name: 'deployment-paused',
    isOrdered: true,
    calmMs: 1_500,
    async run(stage) {
      await rolledOut(stage, 2);
      await stage.patch(deployments, web, { spec: { paused: true } });
      await stage.calm();
      await stage.patch(deployments, web, image('j'));
      await stage.patch(deployments, web, { spec: { replicas: 3 } });
      await stage.compareObjects('paused');
      await stage.patch(deployments, web, { spec: { paused: false } });
      await finishRollout(stage, 3);
    },
  },
  {
    name: 'deployment-created-paused',
    isOrdered: true,
    calmMs: 1_500,
    async run(stage) {
      await stage.create(deployments, workload(web, 2, { paused: true }, held));
      await stage.compareObjects('paused');
      await stage.patch(deployments, web, { spec: { paused: false } });
      await stage.untilActivePods(2);
    },
  },
  {
    name: 'deployment-progress-deadline',
    isOrdered: true,
    async run(stage) {
      await stage.create(deployments, workload(web, 2, { progressDeadlineSeconds: 3 }, held));
      await stage.untilCondition(deployments, web, 'Progressing', 'False');
      await stage.compareObjects('after the deadline');
      await stage.setAllReady();
      await stage.untilCondition(deployments, web, 'Available');
    },
  },
  {
    name: 'deployment-min-ready-seconds',
    isOrdered: true,
    async run(stage) {
      await stage.create(deployments, workload(web, 2, { minReadySeconds: 4 }, held));
      await stage.untilActivePods(2);
      await stage.setAllReady();
      await stage.untilValue(deployments, web, 'status.readyReplicas', 2);
      await stage.untilValue(deployments, web, 'status.availableReplicas', 2);
    },
  },
  {
    name: 'deployment-revision-history-limit',
    isOrdered: true,
    calmMs: 1_500,
    async run(stage) {
      await rolledOut(stage, 1, { revisionHistoryLimit: 1 });
      for (const name of ['j', 'k', 'l']) {
        await stage.patch(deployments, web, image(name));
        await finishRollout(stage, 1);
      }
    },
  },
  {
    name: 'deployment-pod-lost',
    isOrdered: true,
    calmMs: 1_500,
    async run(stage) {
      await rolledOut(stage, 2);
      const [pod] = stage.activePods();
      await stage.remove(pods, pod!.metadata.name);
      await stage.untilActivePods(2);
      await stage.compareObjects('with a pending pod');
      await stage.setAllReady();
    },
  },
  {
    name: 'deployment-pod-unready',
    isOrdered: true,
    calmMs: 1_500,
    async run(stage) {
      await rolledOut(stage, 2);
      await stage.setReady(stage.activePods()[0]!, false);
      await stage.compareObjects('with an unready pod');
      await stage.setAllReady();
    },
  },
  {
    name: 'deployment-scaled-during-rollout',
    isOrdered: true,
    calmMs: 1_500,
    async run(stage) {
      await rolledOut(stage, 4, { strategy: { rollingUpdate: { maxSurge: 2, maxUnavailable: 0 } } });
      await stage.patch(deployments, web, image('j'));
      await stage.calm();
      await stage.patch(deployments, web, { spec: { replicas: 8 } });
      await stage.compareObjects('scaled proportionally');
      await stage.patch(deployments, web, { spec: { replicas: 3 } });
    },
  },
  {
    name: 'deployment-two-updates',
    isOrdered: true,
    calmMs: 1_500,
    async run(stage) {
      await rolledOut(stage, 3);
      await stage.patch(deployments, web, image('j'));
      await stage.calm();
      await stage.patch(deployments, web, image('k'));
      await finishRollout(stage, 3);
    },
  },
  {
    name: 'deployment-adopts-replicaset',
    isOrdered: true,
    calmMs: 1_500,
    async run(stage) {
      await stage.create(replicaSets, workload(web, 2, {}, held));
      await stage.untilActivePods(2);
      await stage.setAllReady();
      await stage.calm();
      await stage.create(deployments, workload(web, 2, {}, held));
    },
  },
  ...(['Background', 'Foreground', 'Orphan'] as const).map(
    (propagationPolicy): Scenario => ({
      name: `deployment-deleted-${propagationPolicy.toLowerCase()}`,
      isOrdered: true,
      calmMs: 1_500,
      async run(stage) {
        await rolledOut(stage, 2);
        await stage.remove(deployments, web, { propagationPolicy });
      },
    }),
  ),
  {
    name: 'deployment-selects-everything',
    isOrdered: true,
    calmMs: 1_500,
    async run(stage) {
      await stage.create(deployments, {
        ...workload(web, 1, {}, held),
        spec: { selector: {}, template: template(web, held) },
      });
    },
  },
  {
    name: 'deployment-invalid-pods',
    isOrdered: true,
    calmMs: 1_500,
    async run(stage) {
      await stage.create('api/v1 resourcequotas', {
        metadata: { name: 'none' },
        spec: { hard: { pods: '1' } },
      });
      await stage.calm();
      await stage.create(deployments, workload(web, 2, {}, held));
      await stage.untilCondition(deployments, web, 'ReplicaFailure');
    },
  },
];
