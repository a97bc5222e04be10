// Scenarios of the daemonset controller. Its pods are pending until the scenario makes them ready, or run on the nodes.
import { type AnyObject, at } from '../../kube-controller-manager/api.ts';
import { daemonSets, held, pods, type Scenario, type Stage, selector, template } from '../scenario.ts';

const agent = 'agent';
const nodeCount = 3;
const image = (name: string) => ({
  spec: { template: { spec: { containers: [{ name: 'c', image: name }] } } },
});
const set = (spec: object = {}, podSpec: object = held) => ({
  metadata: { name: agent },
  spec: { selector: selector(agent), template: template(agent, podSpec), ...spec },
});
const isPending = (pod: AnyObject) => at(pod, 'status.phase') === 'Pending';

async function complete(stage: Stage, spec: object = {}): Promise<void> {
  await stage.create(daemonSets, set(spec));
  await stage.untilActivePods(nodeCount);
  await stage.setAllReady();
  await stage.untilValue(daemonSets, agent, 'status.numberReady', nodeCount);
  await stage.calm();
}

/** Makes one pending pod ready after the other. */
async function readyInTurn(stage: Stage): Promise<void> {
  for (let round = 0; round < 30; round++) {
    await stage.calm();
    const [pending] = stage.activePods(isPending);
    if (!pending) return;
    await stage.setReady(pending);
  }
}

const scenario = (name: string, run: Scenario['run'], more: Partial<Scenario> = {}): Scenario => ({
  ...{ name: `daemonset-${name}`, isOrdered: true, calmMs: 1_000, run },
  ...more,
});

const onNode = (name: string, effect?: object) => ({
  ...held,
  nodeSelector: { 'kubernetes.io/hostname': name },
  ...effect,
});

export const daemonSetScenarios: readonly Scenario[] = [
  scenario('created', (stage) => complete(stage)),
  scenario('pending', async (stage) => void (await stage.create(daemonSets, set()))),
  scenario(
    'on-nodes',
    async (stage) => {
      await stage.create(daemonSets, set({}, {}));
      await stage.untilValue(daemonSets, agent, 'status.numberAvailable', nodeCount);
    },
    { isOrdered: false },
  ),
  scenario(
    'node-selector',
    async (stage) => {
      await stage.create(daemonSets, set({}, onNode('node-1')));
      await stage.untilActivePods(1);
    },
    { isPlaced: true },
  ),
  scenario(
    'node-selector-changed',
    async (stage) => {
      await stage.create(daemonSets, set({}, onNode('node-1')));
      await stage.untilActivePods(1);
      await stage.setAllReady();
      await stage.calm();
      await stage.patch(daemonSets, agent, { spec: { template: { spec: onNode('node-2') } } });
      await readyInTurn(stage);
    },
    { isPlaced: true },
  ),
  scenario('no-node', async (stage) => {
    await stage.create(daemonSets, set({}, onNode('nowhere')));
  }),
  scenario(
    'node-affinity',
    async (stage) => {
      const matchExpressions = [
        { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['zone-a', 'zone-b'] },
      ];
      const nodeSelectorTerms = [{ matchExpressions }];
      const affinity = {
        nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
      };
      await stage.create(daemonSets, set({}, { ...held, affinity }));
      await stage.untilActivePods(2);
    },
    { isPlaced: true },
  ),
  scenario(
    'node-name',
    async (stage) => {
      await stage.create(daemonSets, set({}, { nodeName: 'node-1' }));
      await stage.untilValue(daemonSets, agent, 'status.numberAvailable', 1);
    },
    { isOrdered: false, isPlaced: true },
  ),
  ...(
    [
      ['default', {}],
      ['two-unavailable', { maxUnavailable: 2 }],
      ['percent', { maxUnavailable: '50%' }],
      ['surge', { maxSurge: 1, maxUnavailable: 0 }],
      ['surge-all', { maxSurge: '100%', maxUnavailable: 0 }],
    ] as const
  ).map(([name, rollingUpdate]) =>
    scenario(`rolling-${name}`, async (stage) => {
      await complete(stage, { updateStrategy: { rollingUpdate } });
      await stage.patch(daemonSets, agent, image('j'));
      await readyInTurn(stage);
    }),
  ),
  scenario('rolling-unready-pods-first', async (stage) => {
    await complete(stage);
    await stage.setReady(stage.activePods()[1]!, false);
    await stage.calm();
    await stage.patch(daemonSets, agent, image('j'));
    await readyInTurn(stage);
  }),
  scenario('rolling-twice', async (stage) => {
    await complete(stage);
    await stage.patch(daemonSets, agent, image('j'));
    await stage.calm();
    await stage.patch(daemonSets, agent, image('k'));
    await readyInTurn(stage);
  }),
  scenario('rolled-back', async (stage) => {
    await complete(stage);
    await stage.patch(daemonSets, agent, image('j'));
    await readyInTurn(stage);
    await stage.patch(daemonSets, agent, image('i'));
    await readyInTurn(stage);
  }),
  scenario('on-delete', async (stage) => {
    await complete(stage, { updateStrategy: { type: 'OnDelete' } });
    await stage.patch(daemonSets, agent, image('j'));
    await stage.compareObjects('before the deletion');
    await stage.remove(pods, stage.activePods()[0]!.metadata.name);
    await readyInTurn(stage);
  }),
  scenario('revision-history-limit', async (stage) => {
    await complete(stage, { revisionHistoryLimit: 1 });
    for (const name of ['j', 'k', 'l']) {
      await stage.patch(daemonSets, agent, image(name));
      await readyInTurn(stage);
    }
  }),
  scenario('min-ready-seconds', async (stage) => {
    await stage.create(daemonSets, set({ minReadySeconds: 3 }));
    await stage.untilActivePods(nodeCount);
    await stage.setAllReady();
    await stage.untilValue(daemonSets, agent, 'status.numberAvailable', nodeCount);
  }),
  scenario('failed-pod', async (stage) => {
    await complete(stage);
    await stage.finish(stage.activePods()[0]!, 1);
    await stage.until('the failed pod is gone', () => stage.list(pods).length === nodeCount);
    await readyInTurn(stage);
  }),
  scenario('pod-deleted', async (stage) => {
    await complete(stage);
    await stage.remove(pods, stage.activePods()[0]!.metadata.name);
    await readyInTurn(stage);
  }),
  scenario('adopts', async (stage) => {
    await complete(stage);
    await stage.remove(daemonSets, agent, { propagationPolicy: 'Orphan' });
    await stage.calm();
    await stage.create(daemonSets, set());
    await readyInTurn(stage);
  }),
  scenario('releases', async (stage) => {
    await complete(stage);
    await stage.patch(pods, stage.activePods()[0]!.metadata.name, { metadata: { labels: { app: 'other' } } });
    await stage.calm();
  }),
  ...(['Background', 'Foreground', 'Orphan'] as const).map((propagationPolicy) =>
    scenario(
      `deleted-${propagationPolicy.toLowerCase()}`,
      async (stage) => {
        await complete(stage);
        await stage.remove(daemonSets, agent, { propagationPolicy });
      },
      { isOrdered: false },
    ),
  ),
];
