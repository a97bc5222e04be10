import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { kubectlSkipReason } from './kubectl.ts';
import { Workspace } from './workspace.ts';

describe('kubectl drain', { skip: kubectlSkipReason ?? false }, () => {
  let work: Workspace;
  before(async () => {
    work = await Workspace.open('drain', ['disruption-controller', 'serviceaccount-controller']);
  });
  after(() => work?.stop());

  const made = (apiVersion: string, kind: string, name: string, rest: object) =>
    JSON.stringify({ apiVersion, kind, metadata: { name, labels: { app: 'web' } }, ...rest });

  async function pod(name: string, nodeName: string): Promise<void> {
    const spec = { nodeName, containers: [{ name: 'c', image: 'i' }] };
    await work.run('create -f -', made('v1', 'Pod', name, { spec }));
    const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
    const change = JSON.stringify({ status });
    await work.run(['patch', 'pod', name, '--subresource=status', '--type=merge', '-p', change]);
  }

  test('drain evicts pods as their PodDisruptionBudget allows', async () => {
    const [node, other] = ['leaving', 'staying'].map((name) => `${work.namespace}-${name}`);
    for (const name of [node!, other!]) await work.run('create -f -', made('v1', 'Node', name, {}));
    const spec = { minAvailable: 1, selector: { matchLabels: { app: 'web' } } };
    await work.run('create -f -', made('policy/v1', 'PodDisruptionBudget', 'web', { spec }));
    await pod('one', node!);
    await pod('two', node!);
    await work.run('wait --for=jsonpath={.status.disruptionsAllowed}=1 pdb/web --timeout=3m');
    const refused = await work.fail(`drain ${node} --force --grace-period=0 --timeout=4s`);
    assert.match(refused, /Cannot evict pod as it would violate the pod's disruption budget/);
    assert.equal((await work.run('get pods -o name')).split('\n').length, 2);
    await pod('three', other!);
    await work.run('wait --for=jsonpath={.status.disruptionsAllowed}=1 pdb/web --timeout=3m');
    assert.match(await work.run(`drain ${node} --force --grace-period=0 --timeout=3m`), / drained\n$/);
    assert.equal(await work.run('get pods -o name'), 'pod/three\n');
    await work.run(`delete node ${node} ${other}`);
  });
});
