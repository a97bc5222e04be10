import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { kubectlSkipReason } from './kubectl.ts';
import { configMap, documents } from './manifests.ts';
import { owners } from './owners.ts';
import { Workspace } from './workspace.ts';

describe('kubectl apply --prune', { skip: kubectlSkipReason ?? false }, () => {
  let work: Workspace;
  before(async () => {
    work = await Workspace.open('apply-prune');
  });
  after(() => work?.stop());

  const secret = (name: string, labels?: object) =>
    JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name, labels } });
  const names = async (selector: string) =>
    (await work.run(`get configmaps,secrets -o name -l ${selector}`)).trim().split('\n');

  test('-l prunes labelled objects that are no longer applied', async () => {
    const set = `one-${process.pid}`;
    const labels = { set };
    await work.run(
      'apply -f -',
      documents(configMap('a', undefined, labels), configMap('b', undefined, labels)),
    );
    await work.run('apply -f -', secret('s', labels));
    await work.run('create -f -', configMap('made', undefined, labels));
    await work.run('apply -f -', configMap('other', undefined, { set: `two-${process.pid}` }));
    assert.match(
      await work.fail('apply --prune -f -', configMap('a', undefined, labels)),
      /^error: all resources selected for prune without explicitly passing --all/,
    );

    const prune = (more: string) =>
      work.run(`apply --prune -l set=${set} -f -${more}`, configMap('a', undefined, labels));
    assert.equal(
      await prune(' --dry-run=server'),
      'configmap/a unchanged (server dry run)\nconfigmap/b pruned (server dry run)\nsecret/s pruned (server dry run)\n',
    );
    assert.equal(
      await prune(' --prune-allowlist=core/v1/ConfigMap'),
      'configmap/a unchanged\nconfigmap/b pruned\n',
    );
    assert.equal(await prune(''), 'configmap/a unchanged\nsecret/s pruned\n');
    // Objects that were created without apply stay, whatever their labels.
    assert.deepEqual(await names(`set=${set}`), ['configmap/a', 'configmap/made']);
    assert.deepEqual(await names(`set=two-${process.pid}`), ['configmap/other']);
    assert.equal(
      await work.fail(`apply --prune -l set=${set} --prune-allowlist=core/v1/Unicorn -f -`, configMap('a')),
      'error: no matches for kind "Unicorn" in version "v1"\n',
    );
  });

  /** The sorted output: the members of a set are pruned in any order. */
  const lines = (printed: string) => printed.trim().split('\n').sort();
  const applySets = { KUBECTL_APPLYSET: 'true' };
  const group = 'applyset.kubernetes.io';
  const parentOwner = {
    'kubectl-applyset Apply': [
      `.metadata.annotations.${group}/additional-namespaces`,
      `.metadata.annotations.${group}/contains-group-kinds`,
      `.metadata.annotations.${group}/tooling`,
      `.metadata.labels.${group}/id`,
    ],
  };

  test('--applyset, server-side, records its members in a ConfigMap and prunes the others', async () => {
    const apply = (manifest: string, more = '') =>
      work.run(`apply --server-side --prune --applyset=configmap/parent -f -${more}`, manifest, applySets);
    assert.equal(
      await apply(documents(configMap('one', { a: 'b' }), configMap('two'), secret('three'))),
      'configmap/one serverside-applied\nconfigmap/two serverside-applied\nsecret/three serverside-applied\n',
    );
    const parent = await work.object('configmap/parent');
    assert.deepEqual(owners(parent), parentOwner);
    assert.equal(parent.metadata.annotations[`${group}/contains-group-kinds`], 'ConfigMap,Secret');
    const id = parent.metadata.labels[`${group}/id`];
    assert.match(id, /^applyset-.*-v1$/);
    const one = await work.object('configmap/one');
    assert.equal(one.metadata.labels[`${group}/part-of`], id);
    assert.deepEqual(owners(one), { 'kubectl Apply': ['.data.a', `.metadata.labels.${group}/part-of`] });

    assert.deepEqual(lines(await apply(configMap('one', { a: 'b' }), ' --dry-run=server')), [
      'configmap/one serverside-applied (server dry run)',
      'configmap/two pruned (server dry run)',
      'secret/three pruned (server dry run)',
    ]);
    assert.deepEqual(lines(await apply(configMap('one', { a: 'b' }))), [
      'configmap/one serverside-applied',
      'configmap/two pruned',
      'secret/three pruned',
    ]);
    assert.deepEqual(await names(`${group}/part-of=${id}`), ['configmap/one']);
    const { metadata } = await work.object('configmap/parent');
    assert.equal(metadata.annotations[`${group}/contains-group-kinds`], 'ConfigMap');
  });

  test('--applyset, client-side, records its members in a Secret', async () => {
    const apply = (manifest: string) =>
      work.run('apply --prune --applyset=secret/members -f -', manifest, applySets);
    assert.equal(
      await apply(documents(configMap('four'), configMap('five'))),
      'configmap/four created\nconfigmap/five created\n',
    );
    assert.deepEqual(owners(await work.object('secret/members')), parentOwner);
    assert.equal(await apply(configMap('four')), 'configmap/four unchanged\nconfigmap/five pruned\n');
    assert.equal(await apply(configMap('six')), 'configmap/six created\nconfigmap/four pruned\n');
  });
});
