// Scenarios of pod-garbage-collector-controller.
import { PlayedNode } from '../played-node.ts';
import { held, pods, type Scenario, type Stage, template } from '../scenario.ts';

const finalizers = ['example.com/hold'];

const untilGone = (stage: Stage, name: string) =>
  stage.until(`${name} is deleted`, () => stage.get(pods, name) === undefined);
const untilFailed = (stage: Stage, name: string) => stage.untilValue(pods, name, 'status.phase', 'Failed');

const scenario = (name: string, run: Scenario['run'], more: Partial<Scenario> = {}): Scenario => ({
  ...{ name: `podgc-${name}`, calmMs: 3_000, addsNodes: true, isPlaced: true, run },
  ...more,
});

export const podGcScenarios: readonly Scenario[] = [
  scenario('orphan', async (stage) => {
    const node = await PlayedNode.ready(stage);
    await node.run('p');
    await node.run('held', {}, { finalizers });
    await node.delete();
    await untilGone(stage, 'p');
    await untilFailed(stage, 'held');
  }),
  scenario('node-never-existed', async (stage) => {
    await stage.create(pods, {
      ...template('p', { nodeName: `${stage.namespace}-none` }),
      metadata: { name: 'p', finalizers },
    });
    await untilFailed(stage, 'p');
  }),
  scenario('finished-orphan', async (stage) => {
    const node = await PlayedNode.ready(stage);
    const pod = await node.run('p', { restartPolicy: 'Never' }, { finalizers });
    await stage.finish(pod, 0);
    await node.delete();
    await stage.until('p is deleted', () => !!stage.get(pods, 'p')?.metadata.deletionTimestamp);
  }),
  scenario('unscheduled-terminating', async (stage) => {
    await stage.create(pods, { ...template('p', held), metadata: { name: 'p', finalizers } });
    await stage.remove(pods, 'p');
    await untilFailed(stage, 'p');
  }),
  scenario('out-of-service', async (stage) => {
    const node = await PlayedNode.ready(stage);
    const outOfService = {
      key: 'node.kubernetes.io/out-of-service',
      value: 'nodeshutdown',
      effect: 'NoExecute',
    };
    await node.run('p');
    await node.run('held', {}, { finalizers });
    await node.report({ Ready: 'False' });
    await node.untilTaint('not-ready', 'NoExecute');
    await node.taint({ key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' }, outOfService);
    // The round of the controller may come after the node would count as silent.
    for (let times = 0; times < 20 && stage.get(pods, 'p'); times++) {
      await node.renew();
      await stage.calm();
    }
    await untilGone(stage, 'p');
    await untilFailed(stage, 'held');
  }),
  scenario('out-of-service-but-ready', async (stage) => {
    const node = await PlayedNode.ready(stage);
    await node.run('p');
    await stage.calm();
    await node.taint({ key: 'node.kubernetes.io/out-of-service', effect: 'NoExecute' });
    for (let times = 0; times < 8; times++) {
      await stage.calm();
      await node.renew();
    }
  }),
];
