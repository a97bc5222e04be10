// Scenarios of dynamic resource allocation: claims, templates, selectors, and pods whose claims cannot be allocated.
import { at } from '../../kube-controller-manager/api.ts';
import {
  claimTemplates,
  deviceClasses,
  jobs,
  pods,
  resourceClaims,
  resourceSlices,
  type Scenario,
  type Stage,
  template,
} from '../scenario.ts';

const driverOf = ({ namespace }: Stage) => `${namespace}.example.com`;

interface TestDevice {
  readonly name: string;
  readonly attributes?: object;
  readonly capacity?: object;
}

/** Publishes devices of the scenario's driver: on a node, or as `spec` says. */
const publish = (
  stage: Stage,
  node: string,
  devices: readonly TestDevice[],
  { spec = { nodeName: node }, pool = {} }: { spec?: object; pool?: object } = {},
) =>
  stage.create(resourceSlices, {
    metadata: { name: stage.own(node) },
    spec: {
      driver: driverOf(stage),
      pool: { name: node, generation: 1, resourceSliceCount: 1, ...pool },
      ...spec,
      devices: devices.map(({ name, ...basic }) => ({ name, basic })),
    },
  });

const numbered = (count: number, more: Omit<TestDevice, 'name'> = {}): TestDevice[] =>
  Array.from({ length: count }, (_, i) => ({ name: `d-${i}`, ...more }));

const selectors = (...expressions: string[]) => expressions.map((expression) => ({ cel: { expression } }));

/** A class with the devices of the scenario. */
const createClass = (stage: Stage, { name = 'gpu', more = [] as string[], spec = {} } = {}) =>
  stage.create(deviceClasses, {
    metadata: { name: stage.own(name) },
    spec: { selectors: selectors(`device.driver == "${driverOf(stage)}"`, ...more), ...spec },
  });

const request = (stage: Stage, more: object = {}) => ({
  name: 'r',
  deviceClassName: stage.own('gpu'),
  ...more,
});

const claimSpec = (stage: Stage, requests: object[] = [{}], more: object = {}) => ({
  devices: { requests: requests.map((each) => request(stage, each)), ...more },
});

const createClaim = (stage: Stage, name = 'c', requests?: object[], more?: object) =>
  stage.create(resourceClaims, { metadata: { name }, spec: claimSpec(stage, requests, more) });

const createTemplate = (stage: Stage, name = 't') =>
  stage.create(claimTemplates, {
    metadata: { name },
    spec: {
      metadata: { labels: { l: '1' }, annotations: { 'example.com/a': '2' } },
      spec: claimSpec(stage),
    },
  });

const podSpec = (references: Record<string, object>, more: object = {}) => ({
  containers: [
    { name: 'c', image: 'i', resources: { claims: Object.keys(references).map((name) => ({ name })) } },
  ],
  resourceClaims: Object.entries(references).map(([name, reference]) => ({ name, ...reference })),
  ...more,
});
const named = (resourceClaimName = 'c') => ({ resourceClaimName });
const templated = (resourceClaimTemplateName = 't') => ({ resourceClaimTemplateName });
const createPod = (stage: Stage, name: string, reference: object = named(), more: object = {}) =>
  stage.create(pods, { metadata: { name }, spec: podSpec({ dev: reference }, more) });

const scheduled = (stage: Stage, name: string) => stage.untilCondition(pods, name, 'PodScheduled');
const unschedulable = (stage: Stage, name: string) =>
  stage.untilCondition(pods, name, 'PodScheduled', 'False');
const onNode = (name: string) => ({ nodeSelector: { 'kubernetes.io/hostname': name } });

const scenario = (name: string, run: Scenario['run'], more: Partial<Scenario> = {}): Scenario => ({
  ...{ name: `device-${name}`, isPlaced: true, needsDevices: true, calmMs: 2_000, run },
  ...more,
});

/** A pod with a claim, where `node-1` has four devices of two models. */
const allocation = (
  name: string,
  requests: object[],
  more: object = {},
  { classSpec = {}, nodeSpec = {} }: { classSpec?: object; nodeSpec?: object } = {},
) =>
  scenario(name, async (stage) => {
    await createClass(stage, { spec: classSpec });
    const model = (value: string, index: number, int: number) => ({
      name: `${value}-${index}`,
      attributes: { model: { string: value }, cores: { int }, [`${driverOf(stage)}/slot`]: { int: index } },
      capacity: { memory: { value: `${int}Gi` } },
    });
    await publish(stage, 'node-1', [
      model('a', 0, 8),
      model('a', 1, 16),
      model('b', 0, 8),
      model('b', 1, 16),
    ]);
    const text = (value: object) => JSON.parse(JSON.stringify(value).replaceAll('DRIVER', driverOf(stage)));
    await createClaim(stage, 'c', text(requests), text(more));
    await createPod(stage, 'p', named(), nodeSpec);
    await stage.until('a decision', () =>
      JSON.stringify(at(stage.get(pods, 'p'), 'status.conditions') ?? '').includes('PodScheduled'),
    );
  });

const models = 'device.attributes["DRIVER"]';

export const deviceScenarios: readonly Scenario[] = [
  scenario('claim', async (stage) => {
    await createClass(stage);
    await publish(stage, 'node-1', numbered(1));
    await createClaim(stage);
    await createPod(stage, 'p');
    await scheduled(stage, 'p');
    await stage.compareObjects('with the pod');
    await stage.remove(pods, 'p');
    await stage.untilValue(resourceClaims, 'c', 'status.allocation', undefined);
  }),
  scenario('template', async (stage) => {
    await createClass(stage);
    await publish(stage, 'node-1', numbered(1));
    await createTemplate(stage);
    await createPod(stage, 'p', templated());
    await scheduled(stage, 'p');
    await stage.compareObjects('with the pod');
    await stage.remove(pods, 'p');
    await stage.until('no claim', () => stage.list(resourceClaims).length === 0);
  }),
  scenario('template-of-a-finished-pod', async (stage) => {
    await createClass(stage);
    await publish(stage, 'node-1', numbered(1));
    await createTemplate(stage);
    await stage.create(jobs, {
      metadata: { name: 'j' },
      spec: { template: { spec: podSpec({ dev: templated() }, { restartPolicy: 'Never' }) } },
    });
    await stage.untilCondition(jobs, 'j', 'Complete');
    await stage.until('no claim', () => stage.list(resourceClaims).length === 0);
  }),
  scenario('template-missing', async (stage) => {
    await createClass(stage);
    await publish(stage, 'node-1', numbered(1));
    await createPod(stage, 'p', templated());
    await stage.untilEvent('p', 'FailedResourceClaimCreation');
    await stage.compareObjects('without a template');
    await createTemplate(stage);
    await scheduled(stage, 'p');
  }),
  scenario('template-long-names', async (stage) => {
    await createTemplate(stage);
    for (const [podLength, entryLength] of [
      [54, 36],
      [50, 6],
      [50, 5],
    ] as const) {
      await stage.create(pods, {
        metadata: { name: `${podLength}-${'x'.repeat(podLength - 3)}` },
        spec: podSpec({ ['y'.repeat(entryLength)]: templated() }),
      });
    }
    await stage.until('claims', () => stage.list(resourceClaims).length === 3);
  }),
  scenario('generated-claim-deleted', async (stage) => {
    await createTemplate(stage);
    await createPod(stage, 'p', templated());
    await stage.until('a claim', () => stage.list(resourceClaims).length === 1);
    await stage.calm();
    await stage.remove(resourceClaims, stage.list(resourceClaims)[0]!.metadata.name);
  }),
  scenario('claim-of-another-pod', async (stage) => {
    await createTemplate(stage);
    await createClaim(stage);
    await createPod(stage, 'p', templated(), { schedulingGates: [{ name: 'example.com/g' }] });
    await stage.until('a claim', () => stage.list(resourceClaims).length === 2);
    await stage.calm();
    const status = { resourceClaimStatuses: [{ name: 'dev', resourceClaimName: 'c' }] };
    await stage.patch(pods, 'p', { status }, 'status');
    await stage.patch(pods, 'p', { spec: { schedulingGates: null } });
  }),
  scenario('quota', async (stage) => {
    const hard = { 'count/resourceclaims.resource.k8s.io': '0' };
    await stage.create('api/v1 resourcequotas', { metadata: { name: 'q' }, spec: { hard } });
    await createTemplate(stage);
    await stage.calm();
    await createPod(stage, 'p', templated());
    await stage.untilEvent('p', 'FailedResourceClaimCreation');
  }),
  scenario('no-volume', async (stage) => {
    await createClass(stage);
    await createClaim(stage);
    const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'missing' } }];
    await createPod(stage, 'p', named(), { volumes });
    await unschedulable(stage, 'p');
  }),
  scenario('preemption', async (stage) => {
    await createClass(stage);
    await publish(stage, 'node-1', numbered(1));
    await createClaim(stage);
    await stage.api.create('apis/scheduling.k8s.io/v1 priorityclasses', '', {
      metadata: { name: stage.own('high') },
      value: 1000,
    });
    await createPod(stage, 'p-1');
    await scheduled(stage, 'p-1');
    await createClaim(stage, 'c-2');
    await createPod(stage, 'p-2', named('c-2'), { priorityClassName: stage.own('high') });
    await unschedulable(stage, 'p-2');
  }),
  scenario('claim-missing', async (stage) => {
    await createClass(stage);
    await publish(stage, 'node-1', numbered(1));
    await createPod(stage, 'p');
    await stage.compareObjects('without a claim');
    await createClaim(stage);
    await scheduled(stage, 'p');
  }),
  scenario('claim-being-deleted', async (stage) => {
    await createClass(stage);
    await publish(stage, 'node-1', numbered(1));
    await stage.create(resourceClaims, {
      metadata: { name: 'c', finalizers: ['example.com/hold'] },
      spec: claimSpec(stage),
    });
    await stage.remove(resourceClaims, 'c');
    await createPod(stage, 'p');
  }),
  scenario('allocated-claim-deleted', async (stage) => {
    await createClass(stage);
    await publish(stage, 'node-1', numbered(1));
    await createClaim(stage);
    await createPod(stage, 'p');
    await scheduled(stage, 'p');
    await stage.calm();
    await stage.remove(resourceClaims, 'c');
    await stage.compareObjects('with the pod');
    await stage.remove(pods, 'p');
    await stage.until('no claim', () => stage.list(resourceClaims).length === 0);
  }),
  scenario('class-missing', async (stage) => {
    await publish(stage, 'node-1', numbered(1));
    await createClaim(stage);
    await createPod(stage, 'p');
    await unschedulable(stage, 'p');
    await stage.compareObjects('without a class');
    await createClass(stage);
    await scheduled(stage, 'p');
  }),
  scenario('no-device', async (stage) => {
    await createClass(stage);
    await createClaim(stage);
    await createPod(stage, 'p');
    await unschedulable(stage, 'p');
    await stage.compareObjects('without a device');
    await publish(stage, 'node-2', numbered(1));
    await scheduled(stage, 'p');
  }),
  scenario('device-in-use', async (stage) => {
    await createClass(stage);
    await publish(stage, 'node-1', numbered(1));
    await createTemplate(stage);
    await createPod(stage, 'p-1', templated());
    await scheduled(stage, 'p-1');
    await createPod(stage, 'p-2', templated());
    await unschedulable(stage, 'p-2');
    await stage.compareObjects('with both');
    await stage.remove(pods, 'p-1');
    await scheduled(stage, 'p-2');
  }),
  scenario('no-device-and-no-cpu', async (stage) => {
    await createClass(stage);
    await publish(stage, 'node-1', numbered(1));
    await createClaim(stage);
    await stage.create(pods, {
      metadata: { name: 'p' },
      spec: {
        ...podSpec({ dev: named() }),
        containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '64' } } }],
      },
    });
    await unschedulable(stage, 'p');
  }),
  scenario('pod-without-claims', async (stage) => {
    await stage.create(pods, {
      metadata: { name: 'p' },
      spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '64' } } }] },
    });
    await unschedulable(stage, 'p');
    await stage.create(pods, { metadata: { name: 'q' }, spec: { ...template('q').spec, ...onNode('none') } });
    await unschedulable(stage, 'q');
  }),
  scenario('shared-claim', async (stage) => {
    await createClass(stage);
    await publish(stage, 'node-1', numbered(2));
    await createClaim(stage);
    await createPod(stage, 'p-1');
    await scheduled(stage, 'p-1');
    await createPod(stage, 'p-2');
    await scheduled(stage, 'p-2');
    await stage.compareObjects('with both');
    await stage.remove(pods, 'p-1');
    await stage.compareObjects('with the second');
    await stage.remove(pods, 'p-2');
    await stage.untilValue(resourceClaims, 'c', 'status.allocation', undefined);
  }),
  scenario('claim-on-another-node', async (stage) => {
    await createClass(stage);
    await publish(stage, 'node-1', numbered(1));
    await createClaim(stage);
    await createPod(stage, 'p-1');
    await scheduled(stage, 'p-1');
    await createPod(stage, 'p-2', named(), onNode('node-2'));
    await unschedulable(stage, 'p-2');
  }),
  scenario('unused-claim-on-another-node', async (stage) => {
    await createClass(stage);
    await publish(stage, 'node-1', numbered(1));
    await publish(stage, 'node-2', numbered(1));
    await createClaim(stage);
    const result = {
      request: 'r',
      driver: driverOf(stage),
      pool: 'node-1',
      device: 'd-0',
      adminAccess: null,
    };
    const node = { key: 'metadata.name', operator: 'In', values: ['node-1'] };
    const nodeSelector = { nodeSelectorTerms: [{ matchFields: [node] }] };
    const status = { allocation: { devices: { results: [result] }, nodeSelector } };
    await stage.patch(resourceClaims, 'c', { status }, 'status');
    await createPod(stage, 'p', named(), onNode('node-2'));
    await scheduled(stage, 'p');
  }),
  scenario('claim-of-a-pod-with-node-name', async (stage) => {
    await createClass(stage);
    await publish(stage, 'node-1', numbered(1));
    await createClaim(stage);
    await createPod(stage, 'p-1');
    await scheduled(stage, 'p-1');
    await createPod(stage, 'p-2', named(), { nodeName: 'node-1' });
    await stage.until(
      'two reservations',
      () => (at(stage.get(resourceClaims, 'c'), 'status.reservedFor') as object[] | undefined)?.length === 2,
    );
  }),
  scenario('all-nodes', async (stage) => {
    await createClass(stage);
    await publish(stage, 'network', numbered(1), { spec: { allNodes: true } });
    await createClaim(stage);
    await createPod(stage, 'p', named(), onNode('node-2'));
    await scheduled(stage, 'p');
  }),
  scenario('node-selector', async (stage) => {
    await createClass(stage);
    const expression = { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['zone-c'] };
    const nodeSelector = { nodeSelectorTerms: [{ matchExpressions: [expression] }] };
    await publish(stage, 'zone', numbered(2), { spec: { nodeSelector } });
    await createClaim(stage, 'c', [{ count: 2 }]);
    await createPod(stage, 'p');
    await scheduled(stage, 'p');
  }),
  scenario('outdated-slice', async (stage) => {
    await createClass(stage);
    await publish(stage, 'node-1', numbered(1), { pool: { generation: 2 } });
    await publish(stage, 'old', [{ name: 'old' }], {
      spec: { nodeName: 'node-1' },
      pool: { name: 'node-1', generation: 1 },
    });
    await createClaim(stage, 'c', [{ allocationMode: 'All' }]);
    await createPod(stage, 'p');
    await scheduled(stage, 'p');
  }),
  scenario(
    'incomplete-pool',
    async (stage) => {
      await createClass(stage);
      await publish(stage, 'node-1', numbered(1), { pool: { resourceSliceCount: 2 } });
      await createClaim(stage, 'c', [{ allocationMode: 'All' }]);
      await createPod(stage, 'p');
      await unschedulable(stage, 'p');
    },
    { runsAlone: true },
  ),
  scenario(
    'incomplete-pool-one-device',
    async (stage) => {
      await createClass(stage);
      await publish(stage, 'node-1', numbered(1), { pool: { resourceSliceCount: 2 } });
      await createClaim(stage);
      await createPod(stage, 'p');
      await stage.until('a decision', () =>
        JSON.stringify(at(stage.get(pods, 'p'), 'status.conditions') ?? '').includes('PodScheduled'),
      );
    },
    { runsAlone: true },
  ),
  scenario('two-claims', async (stage) => {
    await createClass(stage);
    await publish(stage, 'node-1', numbered(2));
    await publish(stage, 'node-2', numbered(1));
    await createClaim(stage, 'c-1');
    await createClaim(stage, 'c-2');
    await stage.create(pods, {
      metadata: { name: 'p' },
      spec: podSpec({ one: named('c-1'), two: named('c-2') }),
    });
    await scheduled(stage, 'p');
  }),
  allocation('count', [{ count: 3 }]),
  allocation('count-too-high', [{ count: 5 }]),
  allocation('more-than-a-claim-may-have', [
    { name: 'x', count: 32 },
    { name: 'y', count: 1 },
  ]),
  allocation('all', [{ allocationMode: 'All' }]),
  allocation('all-of-none', [{ allocationMode: 'All', selectors: selectors(`${models}.model == "z"`) }]),
  allocation('selector', [{ selectors: selectors(`${models}.model == "b"`, `${models}.cores > 8`) }]),
  allocation('capacity', [
    { selectors: selectors('device.capacity["DRIVER"].memory.compareTo(quantity("10Gi")) > 0') },
  ]),
  allocation('selector-nothing', [{ selectors: selectors(`${models}.model == "z"`) }]),
  allocation('selector-error', [{ selectors: selectors(`${models}.unknown == "z"`) }]),
  allocation(
    'class-selector-error',
    [{}],
    {},
    { classSpec: { selectors: selectors('device.attributes["x"].unknown == 1') } },
  ),
  allocation(
    'match-attribute',
    [{ name: 'x', selectors: selectors(`${models}.model == "b"`) }, { name: 'y' }],
    {
      constraints: [{ requests: ['x', 'y'], matchAttribute: 'DRIVER/model' }],
    },
  ),
  allocation(
    'match-attribute-backtracks',
    [{ name: 'x' }, { name: 'y', selectors: selectors(`${models}.model == "b"`) }],
    {
      constraints: [{ matchAttribute: 'DRIVER/model' }],
    },
  ),
  allocation('match-qualified-attribute', [{ name: 'x' }, { name: 'y' }], {
    constraints: [{ matchAttribute: 'DRIVER/slot' }],
  }),
  allocation('match-attribute-impossible', [{ count: 3 }], {
    constraints: [{ matchAttribute: 'DRIVER/model' }],
  }),
  allocation('match-unknown-attribute', [{}], { constraints: [{ matchAttribute: 'DRIVER/none' }] }),
  allocation(
    'configuration',
    [{ name: 'x' }, { name: 'y' }],
    {
      config: [
        { requests: ['x'], opaque: { driver: 'DRIVER', parameters: { of: 'x' } } },
        { opaque: { driver: 'DRIVER', parameters: { of: 'all' } } },
      ],
    },
    { classSpec: { config: [{ opaque: { driver: 'other.example.com', parameters: { of: 'class' } } }] } },
  ),
  allocation('no-requests', [], {}, { nodeSpec: onNode('node-0') }),
];
