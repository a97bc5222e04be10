// Scenarios of node-lifecycle-controller and taint-eviction-controller.
import { at } from '../../kube-controller-manager/api.ts';
import { PlayedNode } from '../played-node.ts';
import { pods, type Scenario, type Stage } from '../scenario.ts';

const key = 'example.com/broken';
const noExecute = { key, effect: 'NoExecute' };
const toleration = (tolerationSeconds?: number, toleratedKey = key) => ({
  ...{ key: toleratedKey, operator: 'Exists', effect: 'NoExecute' },
  ...(tolerationSeconds !== undefined && { tolerationSeconds }),
});
const unreachable = 'node.kubernetes.io/unreachable';

const untilEvicted = (stage: Stage, name: string) =>
  stage.until(`${name} is evicted`, () => stage.get(pods, name)?.metadata.deletionTimestamp !== undefined);

const untilNotReady = (stage: Stage, name: string) => stage.untilCondition(pods, name, 'Ready', 'False');

const scenario = (name: string, run: Scenario['run'], more: Partial<Scenario> = {}): Scenario => ({
  // Longer than the period of node-lifecycle-controller.
  ...{ name: `node-${name}`, calmMs: 7_000, addsNodes: true, isPlaced: true, run },
  ...more,
});

export const nodeScenarios: readonly Scenario[] = [
  scenario('registered', async (stage) => void (await PlayedNode.ready(stage))),
  scenario('without-status', async (stage) => {
    const node = await PlayedNode.create(stage);
    await stage.compareObjects('created');
    await node.untilReady('Unknown');
    await node.untilTaint('unreachable', 'NoExecute');
  }),
  scenario('becomes-ready', async (stage) => {
    const node = await PlayedNode.create(stage);
    await stage.calm();
    await node.report({ Ready: 'False' });
    await node.untilTaint('not-ready', 'NoExecute');
    await stage.compareObjects('not ready');
    await node.report({ Ready: 'True' });
  }),
  scenario('silent', async (stage) => {
    const node = await PlayedNode.ready(stage);
    await node.run('p');
    await node.untilReady('Unknown');
    await node.untilTaint('unreachable', 'NoExecute');
    await untilNotReady(stage, 'p');
  }),
  scenario('silent-with-all-conditions', async (stage) => {
    const node = await PlayedNode.ready(stage);
    await node.report({
      ...{ MemoryPressure: 'True', DiskPressure: 'False', PIDPressure: 'False' },
      ...{ NetworkUnavailable: 'False', 'example.com/Own': 'True' },
    });
    await node.untilTaint('memory-pressure', 'NoSchedule');
    await node.untilReady('Unknown');
    await node.untilTaint('unreachable', 'NoExecute');
  }),
  scenario('silent-evicts', async (stage) => {
    const node = await PlayedNode.ready(stage);
    await node.run('soon', { tolerations: [toleration(3, unreachable)] });
    await node.run('late');
    await node.run('never', { tolerations: [toleration(undefined, unreachable)] });
    await node.untilReady('Unknown');
    await untilEvicted(stage, 'soon');
  }),
  scenario('recovers', async (stage) => {
    const node = await PlayedNode.ready(stage);
    await node.run('p', { tolerations: [toleration(30, unreachable)] });
    await node.untilReady('Unknown');
    await node.untilTaint('unreachable', 'NoExecute');
    await stage.compareObjects('silent');
    await node.report({ Ready: 'True' });
    await node.renew();
  }),
  scenario('lease-without-status', async (stage) => {
    const node = await PlayedNode.ready(stage);
    for (let times = 0; times < 5; times++) {
      await stage.calm();
      await node.renew();
    }
  }),
  scenario('not-ready', async (stage) => {
    const node = await PlayedNode.ready(stage);
    await node.run('p', { tolerations: [toleration(2, 'node.kubernetes.io/not-ready')] });
    await stage.calm();
    await node.report({ Ready: 'False' });
    await node.untilTaint('not-ready', 'NoExecute');
    await untilEvicted(stage, 'p');
  }),
  scenario('not-ready-then-unknown', async (stage) => {
    const node = await PlayedNode.ready(stage);
    await node.report({ Ready: 'False' });
    await node.untilTaint('not-ready', 'NoExecute');
    await stage.compareObjects('not ready');
    await node.report({ Ready: 'Unknown' });
    await node.untilTaint('unreachable', 'NoExecute');
  }),
  scenario('pod-on-node-that-is-not-ready', async (stage) => {
    const node = await PlayedNode.ready(stage);
    await node.report({ Ready: 'False' });
    await node.untilTaint('not-ready', 'NoExecute');
    await stage.calm();
    await node.run('p');
  }),
  scenario('pressures', async (stage) => {
    const node = await PlayedNode.ready(stage);
    await node.report({ MemoryPressure: 'True', DiskPressure: 'True', PIDPressure: 'True' });
    await node.untilTaint('pid-pressure', 'NoSchedule');
    await stage.compareObjects('under pressure');
    await node.report({ MemoryPressure: 'False', DiskPressure: 'Unknown', PIDPressure: 'False' });
  }),
  scenario('network-unavailable', async (stage) => {
    const node = await PlayedNode.ready(stage);
    await node.report({ NetworkUnavailable: 'True' });
    await node.untilTaint('network-unavailable', 'NoSchedule');
  }),
  scenario('cordoned', async (stage) => {
    const node = await PlayedNode.ready(stage);
    await node.run('p');
    await node.patch({ spec: { unschedulable: true } });
    await node.untilTaint('unschedulable', 'NoSchedule');
    await stage.compareObjects('cordoned');
    await node.patch({ spec: { unschedulable: null } });
  }),
  scenario('taint-of-condition-removed', async (stage) => {
    const node = await PlayedNode.ready(stage);
    await node.report({ DiskPressure: 'True' });
    await node.untilTaint('disk-pressure', 'NoSchedule');
    await stage.calm();
    await node.taint();
    await node.untilTaint('disk-pressure', 'NoSchedule');
  }),
  scenario('taint-of-condition-added', async (stage) => {
    const node = await PlayedNode.ready(stage);
    await stage.calm();
    await node.taint(
      { key: 'node.kubernetes.io/disk-pressure', effect: 'NoSchedule' },
      { key: 'node.kubernetes.io/memory-pressure', effect: 'NoExecute' },
      { key: unreachable, effect: 'NoExecute' },
    );
  }),
  scenario('labels', async (stage) => {
    const labels = {
      ...{ 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'arm64' },
      'beta.kubernetes.io/arch': 'amd64',
    };
    await PlayedNode.ready(stage, { labels });
  }),
  scenario('deleted', async (stage) => {
    const node = await PlayedNode.ready(stage);
    await stage.calm();
    await node.delete();
  }),
  scenario('evicts', async (stage) => {
    const node = await PlayedNode.ready(stage);
    await node.run('p');
    await stage.calm();
    await node.taint(noExecute);
    await untilEvicted(stage, 'p');
  }),
  scenario('evicts-after-toleration', async (stage) => {
    const node = await PlayedNode.ready(stage);
    await node.run('soon', { tolerations: [toleration(2)] });
    await node.run('later', { tolerations: [toleration(600)] });
    await node.run('never', { tolerations: [toleration()] });
    await node.run('at-once', { tolerations: [toleration(0)] });
    await node.taint(noExecute);
    await untilEvicted(stage, 'soon');
  }),
  scenario('eviction-cancelled', async (stage) => {
    const node = await PlayedNode.ready(stage);
    await node.run('p', { tolerations: [toleration(600)] });
    await node.taint(noExecute);
    await stage.calm();
    await node.taint();
  }),
  scenario('eviction-by-second-taint', async (stage) => {
    const node = await PlayedNode.ready(stage);
    const other = { key: 'example.com/other', effect: 'NoExecute' };
    await node.run('p', { tolerations: [toleration(600)] });
    await node.run('q', { tolerations: [toleration(600), toleration(600, other.key)] });
    await node.taint(noExecute);
    await stage.calm();
    await node.taint(noExecute, other);
    await untilEvicted(stage, 'p');
  }),
  scenario('pod-on-tainted-node', async (stage) => {
    const node = await PlayedNode.ready(stage);
    await node.taint(noExecute);
    await stage.calm();
    await stage.create(pods, {
      metadata: { name: 'p' },
      spec: { nodeName: node.name, containers: [{ name: 'c', image: 'i' }] },
    });
    await untilEvicted(stage, 'p');
  }),
  scenario('pod-deleted-before-eviction', async (stage) => {
    const node = await PlayedNode.ready(stage);
    await node.run('p', { tolerations: [toleration(600)] });
    await node.taint(noExecute);
    await stage.calm();
    await stage.remove(pods, 'p', { gracePeriodSeconds: 0 });
  }),
  scenario('toleration-added', async (stage) => {
    const node = await PlayedNode.ready(stage);
    const first = toleration(600);
    const pod = await node.run('p', { tolerations: [first] });
    await node.taint(noExecute);
    await stage.calm();
    const tolerations = (at(pod, 'spec.tolerations') ?? []) as object[];
    await stage.patch(pods, 'p', { spec: { tolerations: [...tolerations, toleration(undefined)] } });
  }),
  scenario('no-schedule-evicts-nobody', async (stage) => {
    const node = await PlayedNode.ready(stage);
    await node.run('p');
    await node.taint({ key, effect: 'NoSchedule' }, { key, effect: 'PreferNoSchedule' });
  }),
];
