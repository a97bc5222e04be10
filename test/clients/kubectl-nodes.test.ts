import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { kubectlSkipReason } from './kubectl.ts';
import { owners } from './owners.ts';
import { Workspace } from './workspace.ts';

describe('kubectl with nodes', { skip: kubectlSkipReason ?? false }, () => {
  let work: Workspace;
  const node = `machine-${process.pid}`;
  before(async () => {
    work = await Workspace.open('nodes');
    const labels = { disk: 'slow' };
    await work.run(
      'create -f -',
      JSON.stringify({ apiVersion: 'v1', kind: 'Node', metadata: { name: node, labels } }),
    );
  });
  after(async () => {
    await work?.run(`delete node ${node}`);
    await work?.stop();
  });

  const created = { 'kubectl-create Update': ['.metadata.labels', '.metadata.labels.disk'] };
  interface Taint {
    readonly key: string;
    readonly value?: string;
    readonly effect: string;
  }
  /** The taints of the tests, without those that a server adds to new nodes. */
  const taints = async () =>
    ((await work.object(`node/${node}`)).spec.taints ?? [])
      .filter(({ key }: Taint) => !key.includes('/'))
      .map(({ key, value, effect }: Taint) => `${key}=${value ?? ''}:${effect}`);

  test('cordon and uncordon report when nothing changes', async () => {
    assert.equal(await work.run(`cordon ${node}`), `node/${node} cordoned\n`);
    const cordoned = await work.object(`node/${node}`);
    assert.equal(cordoned.spec.unschedulable, true);
    assert.deepEqual(owners(cordoned), { ...created, 'kubectl Update': ['.spec.unschedulable'] });
    assert.equal(await work.run(`cordon ${node}`), `node/${node} already cordoned\n`);
    assert.equal(await work.run(`uncordon ${node}`), `node/${node} uncordoned\n`);
    const uncordoned = await work.object(`node/${node}`);
    assert.equal(uncordoned.spec.unschedulable, undefined);
    assert.deepEqual(owners(uncordoned), created);
    assert.equal(await work.run(`uncordon ${node}`), `node/${node} already uncordoned\n`);
  });

  test('taint adds, overwrites only with --overwrite, and removes', async () => {
    assert.equal(
      await work.run(`taint node ${node} key=value:NoSchedule other:NoExecute`),
      `node/${node} tainted\n`,
    );
    assert.deepEqual(await taints(), ['key=value:NoSchedule', 'other=:NoExecute']);
    assert.deepEqual(owners(await work.object(`node/${node}`)), {
      ...created,
      'kubectl-taint Update': ['.spec.taints'],
    });
    assert.equal(
      await work.fail(`taint node ${node} key=value2:NoSchedule`),
      `error: node ${node} already has key taint(s) with same effect(s) and --overwrite is false\n`,
    );
    assert.equal(
      await work.run(`taint node ${node} key=value2:NoSchedule --overwrite`),
      `node/${node} modified\n`,
    );
    assert.deepEqual(await taints(), ['key=value2:NoSchedule', 'other=:NoExecute']);
    assert.equal(await work.run(`taint node ${node} key:NoSchedule-`), `node/${node} untainted\n`);
    assert.equal(await work.run(`taint node ${node} other-`), `node/${node} untainted\n`);
    assert.deepEqual(await taints(), []);
    assert.equal(await work.fail(`taint node ${node} other-`), 'error: taint "other" not found\n');
  });

  test('drain cordons a node', async () => {
    assert.equal(await work.run(`drain ${node}`), `node/${node} cordoned\nnode/${node} drained\n`);
    const drained = await work.object(`node/${node}`);
    assert.equal(drained.spec.unschedulable, true);
    assert.deepEqual(owners(drained)['kubectl Update'], ['.spec.unschedulable']);
  });
});
