// Scenarios of the horizontal pod autoscaler.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kind } from '../../kube-controller-manager/api.ts';
import {
  deployments,
  held,
  replicaSets,
  replicationControllers,
  type Scenario,
  type Stage,
  selector,
  statefulSets,
  template,
} from '../scenario.ts';

const autoscalers: Kind = 'apis/autoscaling/v2 horizontalpodautoscalers';
const autoscalersV1: Kind = 'apis/autoscaling/v1 horizontalpodautoscalers';
const definitions: Kind = 'apis/apiextensions.k8s.io/v1 customresourcedefinitions';
const web = 'web';

/** Longer than the window of a sample: until then the CPU of new pods does not count. */
const warmUpMs = 13_000;
/** Longer than the sync period of 15 seconds. */
const calmMs = 20_000;

/** kube-controller-manager discovers new kinds every 30 seconds. */
const discoveryMs = 35_000;

const resources = { requests: { cpu: '100m', memory: '100Mi' } };
const target = (kind = 'Deployment', apiVersion = 'apps/v1', name = web) => ({ apiVersion, kind, name });

const workload = (replicas: number, cpu: string, podSpec: object = {}, more: object = {}) => {
  const { metadata, spec } = template(web, {
    containers: [{ name: 'c', image: 'i', resources }],
    ...podSpec,
  });
  const annotations = { 'simulation.orch.io/cpu-usage': cpu, 'simulation.orch.io/memory-usage': '60Mi' };
  return {
    metadata: { name: web },
    spec: {
      replicas,
      selector: selector(web),
      template: { metadata: { ...metadata, annotations }, spec },
      ...more,
    },
  };
};

const utilization = (averageUtilization: number, name = 'cpu') => ({
  type: 'Resource',
  resource: { name, target: { type: 'Utilization', averageUtilization } },
});
const averageValue = (averageValue: string, name = 'memory') => ({
  type: 'Resource',
  resource: { name, target: { type: 'AverageValue', averageValue } },
});
const external = {
  type: 'External',
  external: {
    metric: { name: 'queue', selector: { matchLabels: { topic: 'a' } } },
    target: { type: 'AverageValue', averageValue: '10' },
  },
};

const autoscaler = (spec: object = {}, name = web) => ({
  metadata: { name },
  spec: { scaleTargetRef: target(), maxReplicas: 10, metrics: [utilization(50)], ...spec },
});

/** A workload whose pods are ready and measured. */
async function running(
  stage: Stage,
  replicas: number,
  cpu: string,
  podSpec: object = {},
  kind = deployments,
) {
  await stage.create(kind, workload(replicas, cpu, podSpec));
  if (replicas > 0) await stage.untilValue(kind, web, 'status.readyReplicas', replicas);
  await sleep(warmUpMs);
}

const untilReason = (stage: Stage, reason: string, name = web) =>
  stage.until(`${name} ${reason}`, () =>
    JSON.stringify(stage.get(autoscalers, name) ?? {}).includes(`"${reason}"`),
  );

/** A scenario that waits for the reason of a condition. */
const scenario = (
  name: string,
  reason: string,
  run: Scenario['run'],
  more: Partial<Scenario> = {},
): Scenario => ({
  name: `hpa-${name}`,
  calmMs,
  async run(stage) {
    await run(stage);
    await untilReason(stage, reason);
  },
  ...more,
});

const scales = (
  name: string,
  reason: string,
  {
    replicas,
    cpu,
    spec = {},
    podSpec = {},
  }: { replicas: number; cpu: string; spec?: object; podSpec?: object },
): Scenario =>
  scenario(name, reason, async (stage) => {
    await running(stage, replicas, cpu, podSpec);
    await stage.create(autoscalers, autoscaler(spec));
  });

const scaleDownAtOnce = { scaleDown: { stabilizationWindowSeconds: 0 } };

/** A custom kind with the scale subresource, without a selector. */
async function createFleet(stage: Stage, group: string): Promise<void> {
  const fields = { type: 'object', properties: { size: { type: 'integer' } } };
  await stage.api.create(definitions, '', {
    metadata: { name: `fleets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'fleets', kind: 'Fleet' },
      versions: [
        {
          ...{ name: 'v1', served: true, storage: true },
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: fields, status: fields } } },
          subresources: {
            status: {},
            scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' },
          },
        },
      ],
    },
  });
  await sleep(discoveryMs);
  await stage.create(`apis/${group}/v1 fleets`, {
    ...{ apiVersion: `${group}/v1`, kind: 'Fleet', metadata: { name: web }, spec: { size: 2 } },
  });
}

export const autoscalerScenarios: readonly Scenario[] = [
  scenario('no-target', 'FailedGetScale', async (stage) => {
    await stage.create(autoscalers, autoscaler());
  }),
  scenario('unknown-kind', 'FailedGetScale', async (stage) => {
    await stage.create(autoscalers, autoscaler({ scaleTargetRef: target('Nothing', 'example.com/v1') }));
  }),
  scenario('no-scale-subresource', 'FailedGetScale', async (stage) => {
    await stage.create(autoscalers, autoscaler({ scaleTargetRef: target('Pod', 'v1') }));
  }),
  scenario('wrong-version', 'ValidMetricFound', async (stage) => {
    await running(stage, 2, '50m');
    await stage.create(autoscalers, autoscaler({ scaleTargetRef: target('Deployment', 'apps/v9') }));
  }),
  scenario('target-deleted', 'FailedGetScale', async (stage) => {
    await running(stage, 2, '50m');
    await stage.create(autoscalers, autoscaler());
    await untilReason(stage, 'ValidMetricFound');
    await stage.remove(deployments, web, { propagationPolicy: 'Background' });
  }),
  scales('zero', 'ScalingDisabled', { replicas: 0, cpu: '50m', spec: { minReplicas: 2 } }),
  scales('above-maximum', 'DesiredWithinRange', { replicas: 5, cpu: '50m', spec: { maxReplicas: 3 } }),
  scales('below-minimum', 'DesiredWithinRange', { replicas: 1, cpu: '50m', spec: { minReplicas: 3 } }),
  scales('up', 'TooManyReplicas', { replicas: 2, cpu: '100m', spec: { maxReplicas: 4 } }),
  scales('within-tolerance', 'ReadyForNewScale', { replicas: 3, cpu: '54m' }),
  scales('down-stabilized', 'ScaleDownStabilized', { replicas: 4, cpu: '10m' }),
  scales('down-at-once', 'TooFewReplicas', {
    replicas: 4,
    cpu: '10m',
    spec: { minReplicas: 2, behavior: scaleDownAtOnce },
  }),
  scales('up-by-policy', 'ScaleUpLimit', {
    replicas: 2,
    cpu: '100m',
    spec: { behavior: { scaleUp: { policies: [{ type: 'Pods', value: 1, periodSeconds: 1800 }] } } },
  }),
  scales('down-by-policy', 'ScaleDownLimit', {
    replicas: 4,
    cpu: '1m',
    spec: {
      behavior: {
        scaleDown: {
          stabilizationWindowSeconds: 0,
          policies: [{ type: 'Percent', value: 30, periodSeconds: 1800 }],
        },
      },
    },
  }),
  scales('up-disabled', 'ScaleUpLimit', {
    replicas: 2,
    cpu: '100m',
    spec: { behavior: { scaleUp: { selectPolicy: 'Disabled' } } },
  }),
  scales('up-stabilized', 'ScaleUpStabilized', {
    replicas: 2,
    cpu: '100m',
    spec: { behavior: { scaleUp: { stabilizationWindowSeconds: 600 } } },
  }),
  scales('memory-value', 'DesiredWithinRange', {
    replicas: 2,
    cpu: '50m',
    spec: { metrics: [averageValue('40Mi')], maxReplicas: 3 },
  }),
  scales('memory-utilization', 'TooManyReplicas', {
    replicas: 2,
    cpu: '50m',
    spec: { metrics: [utilization(30, 'memory')], maxReplicas: 3 },
  }),
  scales('two-metrics', 'TooManyReplicas', {
    replicas: 2,
    cpu: '50m',
    spec: { metrics: [utilization(50), averageValue('20Mi')], maxReplicas: 3 },
  }),
  scales('container', 'TooManyReplicas', {
    replicas: 2,
    cpu: '100m',
    spec: {
      maxReplicas: 4,
      metrics: [
        {
          type: 'ContainerResource',
          containerResource: {
            name: 'cpu',
            container: 'c',
            target: { type: 'Utilization', averageUtilization: 50 },
          },
        },
      ],
    },
  }),
  scales('container-unknown', 'FailedGetContainerResourceMetric', {
    replicas: 1,
    cpu: '100m',
    spec: {
      metrics: [
        {
          type: 'ContainerResource',
          containerResource: {
            name: 'cpu',
            container: 'x',
            target: { type: 'AverageValue', averageValue: '10m' },
          },
        },
      ],
    },
  }),
  scales('no-requests', 'FailedGetResourceMetric', {
    replicas: 2,
    cpu: '50m',
    podSpec: { containers: [{ name: 'c', image: 'i' }] },
  }),
  scenario('no-metrics', 'FailedGetResourceMetric', async (stage) => {
    await stage.create(deployments, workload(2, '50m', held));
    await stage.untilActivePods(2);
    await stage.create(autoscalers, autoscaler());
  }),
  scales('external-unregistered', 'FailedGetExternalMetric', {
    replicas: 1,
    cpu: '50m',
    spec: { metrics: [external] },
  }),
  scales('external-value-unregistered', 'FailedGetExternalMetric', {
    replicas: 1,
    cpu: '50m',
    spec: {
      metrics: [
        { type: 'External', external: { metric: { name: 'q' }, target: { type: 'Value', value: '1' } } },
      ],
    },
  }),
  scales('pods-unregistered', 'FailedGetPodsMetric', {
    replicas: 1,
    cpu: '50m',
    spec: {
      metrics: [
        {
          type: 'Pods',
          pods: { metric: { name: 'q' }, target: { type: 'AverageValue', averageValue: '1' } },
        },
      ],
    },
  }),
  scales('object-unregistered', 'FailedGetObjectMetric', {
    replicas: 1,
    cpu: '50m',
    spec: {
      metrics: [
        {
          type: 'Object',
          object: {
            describedObject: { apiVersion: 'v1', kind: 'Service', name: 's' },
            metric: { name: 'q' },
            target: { type: 'Value', value: '1' },
          },
        },
        {
          type: 'Object',
          object: {
            describedObject: { apiVersion: 'v1', kind: 'Service', name: 's' },
            metric: { name: 'q' },
            target: { type: 'AverageValue', averageValue: '1' },
          },
        },
      ],
    },
  }),
  scales('partly-invalid-up', 'TooManyReplicas', {
    replicas: 2,
    cpu: '100m',
    spec: { metrics: [external, utilization(50)], maxReplicas: 4 },
  }),
  scales('partly-invalid-down', 'FailedGetExternalMetric', {
    replicas: 3,
    cpu: '1m',
    spec: { metrics: [external, utilization(50)], behavior: scaleDownAtOnce },
  }),
  scenario('replicaset', 'TooManyReplicas', async (stage) => {
    await running(stage, 2, '100m', {}, replicaSets);
    await stage.create(autoscalers, autoscaler({ scaleTargetRef: target('ReplicaSet'), maxReplicas: 4 }));
  }),
  scenario('replicationcontroller', 'TooManyReplicas', async (stage) => {
    await stage.create(replicationControllers, workload(2, '100m', {}, { selector: { app: web } }));
    await stage.untilValue(replicationControllers, web, 'status.readyReplicas', 2);
    await sleep(warmUpMs);
    const scaleTargetRef = target('ReplicationController', 'v1');
    await stage.create(autoscalers, autoscaler({ scaleTargetRef, maxReplicas: 4 }));
  }),
  scenario('statefulset', 'TooManyReplicas', async (stage) => {
    await running(stage, 1, '100m', {}, statefulSets);
    await stage.create(autoscalers, autoscaler({ scaleTargetRef: target('StatefulSet'), maxReplicas: 2 }));
  }),
  scenario('version-1', 'TooManyReplicas', async (stage) => {
    await running(stage, 2, '100m');
    await stage.create(autoscalersV1, {
      metadata: { name: web },
      spec: { scaleTargetRef: target(), maxReplicas: 4, targetCPUUtilizationPercentage: 50 },
    });
  }),
  scenario('maximum-lowered', 'DesiredWithinRange', async (stage) => {
    await running(stage, 4, '50m');
    await stage.create(autoscalers, autoscaler());
    await untilReason(stage, 'ValidMetricFound');
    await stage.compareObjects('before');
    await stage.patch(autoscalers, web, { spec: { maxReplicas: 2 } });
    await stage.untilValue(deployments, web, 'spec.replicas', 2);
  }),
  scenario('scaled-to-zero', 'ScalingDisabled', async (stage) => {
    await running(stage, 2, '50m');
    await stage.create(autoscalers, autoscaler());
    await untilReason(stage, 'ValidMetricFound');
    await stage.patch(deployments, web, { spec: { replicas: 0 } });
  }),
  scenario('ambiguous', 'AmbiguousSelector', async (stage) => {
    await running(stage, 1, '50m');
    await stage.create(autoscalers, autoscaler());
    await untilReason(stage, 'ValidMetricFound');
    await stage.create(autoscalers, autoscaler({}, 'again'));
  }),
  scenario('no-selector', 'InvalidSelector', async (stage) => {
    const group = 'noselector.example.com';
    await createFleet(stage, group);
    await stage.create(autoscalers, autoscaler({ scaleTargetRef: target('Fleet', `${group}/v1`) }));
  }),
  scenario('custom-below-minimum', 'SucceededRescale', async (stage) => {
    const group = 'minimum.example.com';
    await createFleet(stage, group);
    const scaleTargetRef = target('Fleet', `${group}/v1`);
    await stage.create(autoscalers, autoscaler({ scaleTargetRef, minReplicas: 3 }));
  }),
];
