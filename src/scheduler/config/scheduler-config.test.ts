// Tests of the file of --scheduler-config: which plugins a profile has, the scores of configured plugins, and the errors of invalid files.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeYaml } from '../../codec/yaml/decode.ts';
import { orch } from '../../dialect/index.ts';
import { TestCluster, type TestNode, type TestPod } from '../cluster.fixture.ts';
import { defaultProfile } from '../profile.ts';
import { parseSchedulerConfig } from './scheduler-config.ts';

const parse = (fields: string) =>
  parseSchedulerConfig(
    decodeYaml(
      Buffer.from(`apiVersion: kubescheduler.config.orch.io/v1\nkind: KubeSchedulerConfiguration\n${fields}`),
    ).value,
    orch,
  );
const profile = (fields: string) => parse(`profiles: [{ schedulerName: s, ${fields} }]`).profiles[0]!;
const filterNames = (fields: string) => profile(fields).filters.map(({ name }) => name);
const weights = (fields: string) => profile(fields).scores.map(({ weight }) => weight);

test('a profile without plugins has the default ones', () => {
  const [own] = parse('profiles: [{ schedulerName: s }]').profiles;
  assert.deepEqual(
    own!.filters.map(({ name }) => name),
    defaultProfile.filters.map(({ name }) => name),
  );
  assert.deepEqual(
    defaultProfile.scores.map(({ weight }) => weight),
    [3, 2, 1, 2, 2, 1, 1],
  );
  assert.deepEqual(parse('').profiles, [defaultProfile]);
  assert.deepEqual(parse('podInitialBackoffSeconds: 2').podBackoff, { initialMs: 2000, maxMs: 10_000 });
});

test('plugins are disabled and enabled at all extension points, or at one', () => {
  assert.equal(
    filterNames('plugins: { multiPoint: { disabled: [{ name: NodePorts }] } }').includes('NodePorts'),
    false,
  );
  assert.deepEqual(
    filterNames(
      'plugins: { filter: { disabled: [{ name: "*" }], enabled: [{ name: NodePorts }, { name: NodeName }] } }',
    ),
    ['NodePorts', 'NodeName'],
  );
  // Enabled again: first, and without a weight it is 1.
  assert.deepEqual(
    weights('plugins: { score: { enabled: [{ name: TaintToleration }] } }'),
    [1, 2, 1, 2, 2, 1, 1],
  );
  assert.deepEqual(
    weights('plugins: { multiPoint: { enabled: [{ name: NodeAffinity, weight: 9 }] } }'),
    [3, 9, 1, 2, 2, 1, 1],
  );
  const without = profile('plugins: { postFilter: { disabled: [{ name: DefaultPreemption }] } }');
  assert.equal(without.preemption, undefined);
  assert.equal(without.deallocatesClaims, true);
});

/** The score of each node by the only score plugin of a profile. */
function scores(
  plugin: string,
  args: string,
  nodes: Record<string, TestNode>,
  pod: TestPod,
  run = (c: TestCluster) => c,
) {
  const { scores: plugins } = profile(
    `plugins: { score: { disabled: [{ name: "*" }], enabled: [{ name: ${plugin} }] } }, pluginConfig: [{ name: ${plugin}, args: ${args} }]`,
  );
  return run(new TestCluster(nodes)).score(plugins[0]!.score, pod);
}
const sized = { a: { cpu: '10', memory: '10Gi' }, b: { cpu: '20', memory: '10Gi' } };

test('NodeResourcesFit scores by its strategy', () => {
  const strategy = (fields: string) => `{ scoringStrategy: { ${fields} } }`;
  const pod = { cpu: '5', memory: '5Gi' };
  const cpu = 'resources: [{ name: cpu, weight: 3 }, { name: memory, weight: 1 }]';
  assert.deepEqual(scores('NodeResourcesFit', strategy('type: LeastAllocated'), sized, pod), {
    a: 50,
    b: 62,
  });
  assert.deepEqual(scores('NodeResourcesFit', strategy(`type: MostAllocated, ${cpu}`), sized, pod), {
    a: 50,
    b: 31,
  });
  const shape = 'shape: [{ utilization: 0, score: 0 }, { utilization: 100, score: 10 }]';
  const ratio = `type: RequestedToCapacityRatio, requestedToCapacityRatio: { ${shape} }, resources: [{ name: cpu }]`;
  assert.deepEqual(scores('NodeResourcesFit', strategy(ratio), sized, pod), { a: 50, b: 25 });
});

test('other plugins take their arguments', () => {
  const gpus = { a: { allocatable: { 'x.com/gpu': '4' } }, b: { allocatable: { 'x.com/gpu': '2' } } };
  const pod = { cpu: '2', memory: '4Gi', requests: { 'x.com/gpu': '2' } };
  const resources = '{ resources: [{ name: cpu }, { name: memory }, { name: x.com/gpu }] }';
  assert.deepEqual(scores('NodeResourcesBalancedAllocation', resources, gpus, pod), { a: 100, b: 76 });
  const added =
    '{ addedAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: { matchExpressions: [{ key: x, operator: Exists }] } }] } }';
  assert.deepEqual(scores('NodeAffinity', added, { a: {}, b: { labels: { x: '1' } } }, {}), { a: 0, b: 100 });
  const ignoring = profile(
    'pluginConfig: [{ name: NodeResourcesFit, args: { ignoredResourceGroups: [x.com] } }]',
  );
  const fit = ignoring.filters.find(({ name }) => name === 'NodeResourcesFit')!;
  assert.equal(new TestCluster({ a: {} }).check(fit, pod, 'a'), 'feasible');
  const enforced = profile(
    'pluginConfig: [{ name: NodeAffinity, args: { addedAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: x, operator: Exists }] }] } } } }]',
  ).filters.find(({ name }) => name === 'NodeAffinity')!;
  assert.equal(
    new TestCluster({ a: {} }).check(enforced, {}, 'a'),
    "node(s) didn't match scheduler-enforced node affinity",
  );
  const affinity = (key: string) => ({
    podAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: key, labelSelector: { matchLabels: { app: 'w' } } },
      ],
    },
  });
  const run = (cluster: TestCluster) => cluster.run('p', 'a', { spec: { affinity: affinity('hostname') } });
  const web = { labels: { app: 'w' } };
  const nodes = { a: {}, b: {} };
  assert.deepEqual(scores('InterPodAffinity', '{ hardPodAffinityWeight: 5 }', nodes, web, run), {
    a: 100,
    b: 0,
  });
  assert.equal(scores('InterPodAffinity', '{ hardPodAffinityWeight: 0 }', nodes, web, run), undefined);
  const limits = profile(
    'pluginConfig: [{ name: DefaultPreemption, args: { minCandidateNodesAbsolute: 7 } }, { name: VolumeBinding, args: { bindTimeoutSeconds: 9 } }]',
  );
  assert.deepEqual(limits.preemption, { minCandidateNodesPercentage: 10, minCandidateNodesAbsolute: 7 });
  assert.equal(limits.bindTimeoutMs, 9000);
});

test('PodTopologySpread has constraints for pods of workloads', () => {
  const args =
    '{ defaultingType: List, defaultConstraints: [{ maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule }] }';
  const spread = profile(`pluginConfig: [{ name: PodTopologySpread, args: ${args} }]`).filters.find(
    ({ name }) => name === 'PodTopologySpread',
  )!;
  const cluster = new TestCluster({ a: { labels: { zone: '1' } }, b: { labels: { zone: '2' } } });
  cluster.workload = [{ key: 'app', operator: 'in', values: ['w'] }];
  cluster.run('p', 'a', { labels: { app: 'w' } });
  const pod = { labels: { app: 'w' } };
  assert.equal(cluster.check(spread, pod, 'a'), "node(s) didn't match pod topology spread constraints");
  assert.equal(cluster.check(spread, pod, 'b'), 'feasible');
});

const problems: readonly [fields: string, problem: string][] = [
  ['profile: []', 'profile: unknown field (did you mean profiles?)'],
  ['extenders: [{ urlPrefix: x }]', 'extenders: are not supported'],
  ['profiles: [{ schedulerName: s }, { schedulerName: s }]', 'profiles[1].schedulerName: s is used twice'],
  [
    'profiles: [{ plugins: { filter: { enabled: [{ name: NodePort }] } } }]',
    'profiles[0].plugins.filter.enabled[0].name: unknown plugin NodePort (did you mean NodePorts?)',
  ],
  [
    'profiles: [{ plugins: { score: { enabled: [{ name: NodePorts }] } } }]',
    'profiles[0].plugins.score.enabled[0].name: NodePorts is no score plugin',
  ],
  [
    'profiles: [{ plugins: { bind: { disabled: [{ name: "*" }] } } }]',
    'profiles[0].plugins.bind: cannot be configured',
  ],
  [
    'profiles: [{ plugins: { multiPoint: { disabled: [{ name: "*" }] } } }]',
    'profiles[0].plugins.multiPoint: SchedulingGates cannot be disabled',
  ],
  [
    'profiles: [{ pluginConfig: [{ name: NodeName }] }]',
    'profiles[0].pluginConfig[0].name: NodeName has no arguments; plugins with arguments are NodeResourcesFit, NodeResourcesBalancedAllocation, InterPodAffinity, PodTopologySpread, NodeAffinity, VolumeBinding, DefaultPreemption',
  ],
  [
    'profiles: [{ pluginConfig: [{ name: InterPodAffinity, args: { hardPodAffinityWeight: 101 } }] }]',
    'profiles[0].pluginConfig[0].args.hardPodAffinityWeight: must be a number from 0 to 100',
  ],
  [
    'profiles: [{ pluginConfig: [{ name: PodTopologySpread, args: { defaultConstraints: [{ maxSkew: 1, topologyKey: z, whenUnsatisfiable: ScheduleAnyway }] } }] }]',
    'profiles[0].pluginConfig[0].args.defaultConstraints: needs defaultingType List',
  ],
  [
    'podMaxBackoffSeconds: 1\npodInitialBackoffSeconds: 2',
    'podMaxBackoffSeconds: must not be lower than podInitialBackoffSeconds',
  ],
];

test('errors of a file name the field', () => {
  for (const [fields, message] of problems) assert.throws(() => parse(fields), { message });
  assert.throws(() => parseSchedulerConfig({}, orch), {
    message: 'apiVersion: must be kubescheduler.config.orch.io/v1',
  });
});
