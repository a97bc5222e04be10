// Scenarios of the scheduler: where pods go, and what conditions and Events say about pods that fit nowhere.
import { at } from '../../kube-controller-manager/api.ts';
import { pods, type Scenario, type Stage } from '../scenario.ts';

const pod = (name: string, spec: object = {}, labels: object = {}) => ({
  metadata: { name, labels },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});
const hostname = 'kubernetes.io/hostname';
const zone = 'topology.kubernetes.io/zone';
const onNode = (name: string) => ({ nodeSelector: { [hostname]: name } });
const requests = (cpu: string, memory = '1Mi') => ({
  containers: [{ name: 'c', image: 'i', resources: { requests: { cpu, memory } } }],
});
const required = (key: string, operator: string, ...values: string[]) => ({
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchExpressions: [{ key, operator, ...(values.length > 0 && { values }) }] }],
    },
  },
});
const together = (kind: 'podAffinity' | 'podAntiAffinity', app: string, topologyKey: string) => ({
  [kind]: {
    requiredDuringSchedulingIgnoredDuringExecution: [
      { labelSelector: { matchLabels: { app } }, topologyKey },
    ],
  },
});

const scheduled = (stage: Stage, name: string) => stage.untilCondition(pods, name, 'PodScheduled');
const unschedulable = (stage: Stage, name: string) =>
  stage.untilCondition(pods, name, 'PodScheduled', 'False');

const scenario = (name: string, run: Scenario['run'], more: Partial<Scenario> = {}): Scenario => ({
  ...{ name: `scheduling-${name}`, isPlaced: true, calmMs: 1_500, run },
  ...more,
});

/** A pod that fits nowhere. */
const nowhere = (name: string, spec: object) =>
  scenario(name, async (stage) => {
    await stage.create(pods, pod('p', spec));
    await unschedulable(stage, 'p');
  });

/** A pod that fits on exactly one node. */
const somewhere = (name: string, spec: object) =>
  scenario(name, async (stage) => {
    await stage.create(pods, pod('p', spec));
    await scheduled(stage, 'p');
  });

export const schedulingScenarios: readonly Scenario[] = [
  somewhere('node-selector', onNode('node-1')),
  somewhere('affinity-in', { affinity: required(zone, 'In', 'zone-b') }),
  somewhere('affinity-not-in', { affinity: required(hostname, 'NotIn', 'node-0', 'node-1') }),
  nowhere('no-node-selected', { nodeSelector: { disk: 'none' } }),
  nowhere('affinity-nowhere', { affinity: required('disk', 'Exists') }),
  nowhere('too-much-cpu', requests('64')),
  nowhere('too-much-memory', requests('1', '1Ti')),
  nowhere('too-much-of-both', requests('64', '1Ti')),
  nowhere('unknown-resource', {
    containers: [
      {
        name: 'c',
        image: 'i',
        resources: { requests: { 'example.com/gpu': '1' }, limits: { 'example.com/gpu': '1' } },
      },
    ],
  }),
  nowhere('pod-affinity-to-nobody', { affinity: together('podAffinity', 'nobody', hostname) }),
  nowhere('missing-claim', { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'missing' } }] }),
  nowhere('topology-spread-unknown-key', {
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'rack',
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: { matchLabels: { app: 'a' } },
      },
    ],
  }),
  scenario('node-name', async (stage) => {
    await stage.create(pods, pod('p', { nodeName: 'node-2' }));
    await stage.untilValue(pods, 'p', 'status.phase', 'Running');
  }),
  scenario('other-scheduler', async (stage) => {
    await stage.create(pods, pod('p', { schedulerName: 'other' }));
  }),
  scenario('gated', async (stage) => {
    await stage.create(
      pods,
      pod('p', { ...onNode('node-1'), schedulingGates: [{ name: 'example.com/wait' }] }),
    );
    await stage.compareObjects('gated');
    await stage.patch(pods, 'p', {
      spec: { schedulingGates: [{ $patch: 'delete', name: 'example.com/wait' }] },
    });
    await scheduled(stage, 'p');
  }),
  scenario('pod-affinity', async (stage) => {
    await stage.create(pods, pod('first', onNode('node-2'), { app: 'a' }));
    await scheduled(stage, 'first');
    await stage.create(pods, pod('second', { affinity: together('podAffinity', 'a', hostname) }));
    await scheduled(stage, 'second');
  }),
  scenario('pod-affinity-to-itself', async (stage) => {
    const affinity = together('podAffinity', 'self', hostname);
    await stage.create(pods, pod('p', { ...onNode('node-0'), affinity }, { app: 'self' }));
    await scheduled(stage, 'p');
  }),
  scenario(
    'pod-anti-affinity',
    async (stage) => {
      const spec = { affinity: together('podAntiAffinity', 'a', hostname) };
      for (const name of ['one', 'two', 'three']) {
        await stage.create(pods, pod(name, spec, { app: 'a' }));
        await scheduled(stage, name);
      }
      await stage.create(pods, pod('four', spec, { app: 'a' }));
      await unschedulable(stage, 'four');
    },
    { isPlaced: false },
  ),
  scenario('pod-anti-affinity-of-others', async (stage) => {
    const affinity = together('podAntiAffinity', 'b', zone);
    await stage.create(pods, pod('first', { ...onNode('node-0'), affinity }, { app: 'a' }));
    await scheduled(stage, 'first');
    await stage.create(pods, pod('second', onNode('node-0'), { app: 'b' }));
    await unschedulable(stage, 'second');
  }),
  scenario('host-ports', async (stage) => {
    const spec = {
      ...onNode('node-1'),
      containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 80, hostPort: 8099 }] }],
    };
    await stage.create(pods, pod('first', spec));
    await scheduled(stage, 'first');
    await stage.create(pods, pod('second', spec));
    await unschedulable(stage, 'second');
    await stage.compareObjects('without a free port');
    await stage.remove(pods, 'first');
    await scheduled(stage, 'second');
  }),
  scenario(
    'topology-spread',
    async (stage) => {
      const spec = {
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: zone,
            whenUnsatisfiable: 'DoNotSchedule',
            labelSelector: { matchLabels: { app: 's' } },
          },
        ],
      };
      for (const name of ['a', 'b', 'c']) {
        await stage.create(pods, pod(name, spec, { app: 's' }));
        await scheduled(stage, name);
      }
    },
    { isPlaced: false },
  ),
  scenario('topology-spread-full', async (stage) => {
    const constraints = (node: string) => ({
      ...onNode(node),
      topologySpreadConstraints: [
        {
          ...{
            maxSkew: 1,
            topologyKey: hostname,
            whenUnsatisfiable: 'DoNotSchedule',
            nodeAffinityPolicy: 'Ignore',
          },
          labelSelector: { matchLabels: { app: 'f' } },
        },
      ],
    });
    await stage.create(pods, pod('first', constraints('node-0'), { app: 'f' }));
    await scheduled(stage, 'first');
    await stage.create(pods, pod('second', constraints('node-0'), { app: 'f' }));
    await unschedulable(stage, 'second');
  }),
  scenario('never-preempts', async (stage) => {
    const big = requests('20');
    await stage.create(pods, pod('low', { ...big, ...onNode('node-2') }));
    await scheduled(stage, 'low');
    await stage
      .create(
        pods,
        pod('high', {
          ...big,
          ...onNode('node-2'),
          priorityClassName: 'system-cluster-critical',
          preemptionPolicy: 'Never',
        }),
      )
      .catch(() => {});
    await stage.calm();
  }),
  scenario('deleted-while-pending', async (stage) => {
    await stage.create(pods, pod('p', { nodeSelector: { disk: 'none' } }));
    await unschedulable(stage, 'p');
    await stage.remove(pods, 'p');
  }),
  scenario('becomes-schedulable', async (stage) => {
    await stage.create(pods, pod('blocker', { ...requests('25'), ...onNode('node-1') }));
    await scheduled(stage, 'blocker');
    await stage.create(pods, pod('waiting', { ...requests('25'), ...onNode('node-1') }));
    await unschedulable(stage, 'waiting');
    await stage.remove(pods, 'blocker');
    await stage.until(
      'waiting is scheduled',
      () => at(stage.get(pods, 'waiting'), 'spec.nodeName') !== undefined,
    );
  }),
];
