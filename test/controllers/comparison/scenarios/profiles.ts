// Scenarios of scheduler profiles: pods choose one by their schedulerName (see scheduler-config.ts).
import { at } from '../../kube-controller-manager/api.ts';
import {
  deviceClasses,
  pods,
  replicaSets,
  resourceClaims,
  type Scenario,
  type Stage,
  workload,
} from '../scenario.ts';

const scheduled = (stage: Stage, name: string) => stage.untilCondition(pods, name, 'PodScheduled');
const unschedulable = (stage: Stage, name: string) =>
  stage.untilCondition(pods, name, 'PodScheduled', 'False');

const requests = (amounts: Record<string, string>) => ({
  containers: [{ name: 'c', image: 'i', resources: { requests: amounts, limits: amounts } }],
});
const createPod = (stage: Stage, name: string, schedulerName: string, spec: object = {}) =>
  stage.create(pods, {
    metadata: { name },
    spec: { containers: [{ name: 'c', image: 'i' }], schedulerName, ...spec },
  });
const onNode = (name: string) => ({ nodeSelector: { 'kubernetes.io/hostname': name } });

const scenario = (name: string, run: Scenario['run'], more: Partial<Scenario> = {}): Scenario => ({
  ...{ name: `profile-${name}`, isPlaced: true, needsDevices: true, calmMs: 1_500, run },
  ...more,
});

export const profileScenarios: readonly Scenario[] = [
  scenario('unknown', async (stage) => {
    await createPod(stage, 'p', 'nobody');
  }),
  scenario(
    'most-allocated',
    async (stage) => {
      await createPod(stage, 'first', 'default-scheduler', {
        ...requests({ cpu: '4' }),
        ...onNode('node-2'),
      });
      await scheduled(stage, 'first');
      for (const name of ['p-1', 'p-2', 'p-3']) {
        await createPod(stage, name, 'most-allocated', requests({ cpu: '1' }));
        await scheduled(stage, name);
      }
    },
    { runsAlone: true },
  ),
  scenario('no-preemption', async (stage) => {
    await stage.api.create('apis/scheduling.k8s.io/v1 priorityclasses', '', {
      metadata: { name: stage.own('high') },
      value: 1000,
    });
    const high = { priorityClassName: stage.own('high') };
    await createPod(stage, 'p', 'no-preemption', { ...requests({ cpu: '64' }), ...high });
    await unschedulable(stage, 'p');
  }),
  scenario('no-preemption-with-a-claim', async (stage) => {
    await stage.create(deviceClasses, { metadata: { name: stage.own('none') }, spec: {} });
    const devices = {
      requests: [
        {
          name: 'r',
          deviceClassName: stage.own('none'),
          selectors: [{ cel: { expression: 'device.driver == "none"' } }],
        },
      ],
    };
    await stage.create(resourceClaims, { metadata: { name: 'c' }, spec: { devices } });
    const claimed = { resourceClaims: [{ name: 'dev', resourceClaimName: 'c' }] };
    await createPod(stage, 'p', 'no-preemption', claimed);
    await unschedulable(stage, 'p');
    await createPod(stage, 'q', 'no-devices', { ...claimed, ...onNode('node-1') });
    await scheduled(stage, 'q');
  }),
  scenario('enforced-zone', async (stage) => {
    await createPod(stage, 'p', 'enforced-zone');
    await scheduled(stage, 'p');
    await createPod(stage, 'q', 'enforced-zone', onNode('node-0'));
    await unschedulable(stage, 'q');
  }),
  scenario('ignores-gpus', async (stage) => {
    await createPod(stage, 'p', 'ignores-gpus', {
      ...requests({ 'example.com/gpu': '1' }),
      ...onNode('node-0'),
    });
    await scheduled(stage, 'p');
    await createPod(stage, 'q', 'ignores-gpus', requests({ 'example.org/gpu': '1' }));
    await unschedulable(stage, 'q');
  }),
  scenario(
    'no-resources',
    async (stage) => {
      await createPod(stage, 'p', 'no-resources', requests({ 'example.org/none': '1' }));
      await scheduled(stage, 'p');
    },
    { isPlaced: false },
  ),
  scenario(
    'one-per-zone',
    async (stage) => {
      await stage.create(replicaSets, workload('web', 5, {}, { schedulerName: 'one-per-zone' }));
      await stage.until(
        'five pods on nodes',
        () => stage.list(pods).filter((pod) => at(pod, 'spec.nodeName') !== undefined).length === 5,
      );
    },
    { isPlaced: false },
  ),
  scenario(
    'no-taints',
    async (stage) => {
      const taints = [{ key: 'example.com/t', effect: 'NoSchedule' }];
      await stage.api.patch('api/v1 nodes', '', 'node-1', { spec: { taints } });
      await createPod(stage, 'p', 'no-taints', onNode('node-1'));
      await scheduled(stage, 'p');
      await createPod(stage, 'q', 'default-scheduler', onNode('node-1'));
      await unschedulable(stage, 'q');
      await stage.api.patch('api/v1 nodes', '', 'node-1', { spec: { taints: null } });
      await scheduled(stage, 'q');
    },
    { runsAlone: true },
  ),
];
