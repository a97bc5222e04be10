import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { kubectlSkipReason } from './kubectl.ts';
import { configMap } from './manifests.ts';
import { owners } from './owners.ts';
import { Workspace } from './workspace.ts';

describe('kubectl label and annotate', { skip: kubectlSkipReason ?? false }, () => {
  let work: Workspace;
  before(async () => {
    work = await Workspace.open('label');
  });
  after(() => work?.stop());

  /** kubectl prints in any order. */
  const listed = async (args: string) => (await work.run(`${args} --list`)).trim().split('\n').sort();
  const created = { 'kubectl-create Update': ['.data', '.data.color'] };

  test('label adds, overwrites only with --overwrite, and removes', async () => {
    await work.run('create -f -', configMap('a', { color: 'blue' }));
    assert.equal(await work.run('label configmap a tier=front zone=z1'), 'configmap/a labeled\n');
    const labelled = await work.object('configmap/a');
    assert.deepEqual(labelled.metadata.labels, { tier: 'front', zone: 'z1' });
    assert.deepEqual(owners(labelled), {
      ...created,
      'kubectl-label Update': ['.metadata.labels', '.metadata.labels.tier', '.metadata.labels.zone'],
    });

    assert.equal(await work.run('label configmap a tier=front'), 'configmap/a not labeled\n');
    assert.equal(
      await work.fail('label configmap a tier=back'),
      "error: 'tier' already has a value (front), and --overwrite is false\n",
    );
    assert.equal(await work.run('label configmap a tier=back --overwrite'), 'configmap/a labeled\n');
    assert.equal(
      await work.run('label configmap a tier- none-'),
      'label "none" not found.\nconfigmap/a unlabeled\n',
    );
    const fewer = await work.object('configmap/a');
    assert.deepEqual(fewer.metadata.labels, { zone: 'z1' });
    assert.deepEqual(owners(fewer), {
      ...created,
      'kubectl-label Update': ['.metadata.labels', '.metadata.labels.zone'],
    });

    await work.run('label configmap a zone-');
    const none = await work.object('configmap/a');
    assert.equal(none.metadata.labels, undefined);
    assert.deepEqual(owners(none), created);
  });

  test('label rejects invalid keys, old resource versions and unknown objects', async () => {
    await work.run('create -f -', configMap('b'));
    assert.match(
      await work.fail('label configmap b bad/key/x=1'),
      /^The ConfigMap "b" is invalid: metadata\.labels: Invalid value: "bad\/key\/x": a qualified name must/,
    );
    assert.equal(
      await work.fail('label configmap b x=1 --resource-version=1'),
      'Error from server (Conflict): Operation cannot be fulfilled on configmaps "b": the object has been modified; please apply your changes to the latest version and try again\n',
    );
    assert.equal(
      await work.fail('label configmap nobody x=1'),
      'Error from server (NotFound): configmaps "nobody" not found\n',
    );
    assert.equal(
      await work.run('label configmap b x=1 --dry-run=server'),
      'configmap/b labeled (server dry run)\n',
    );
    assert.equal((await work.object('configmap/b')).metadata.labels, undefined);
  });

  test('label changes many objects, by selector and with --all', async () => {
    const secret = (name: string) => JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name } });
    await work.run('create -f -', secret('s'));
    await work.run('create -f -', secret('t'));
    assert.equal(await work.run('label secrets --all set=all'), 'secret/s labeled\nsecret/t labeled\n');
    assert.equal(await work.run('label secrets -l set=all more=yes'), 'secret/s labeled\nsecret/t labeled\n');
    assert.deepEqual(await listed('label secret s'), ['more=yes', 'set=all']);
  });

  test('annotate adds, overwrites only with --overwrite, and removes', async () => {
    await work.run('create -f -', configMap('noted', { color: 'blue' }));
    assert.equal(
      await work.run(['annotate', 'configmap', 'noted', 'note=seen it', 'other=x']),
      'configmap/noted annotated\n',
    );
    const noted = await work.object('configmap/noted');
    assert.deepEqual(noted.metadata.annotations, { note: 'seen it', other: 'x' });
    assert.deepEqual(owners(noted), {
      ...created,
      'kubectl-annotate Update': [
        '.metadata.annotations',
        '.metadata.annotations.note',
        '.metadata.annotations.other',
      ],
    });
    assert.equal(
      await work.fail('annotate configmap noted note=again'),
      "error: --overwrite is false but found the following declared annotation(s): 'note' already has a value (seen it)\n",
    );
    await work.run('annotate configmap noted note=again --overwrite --field-manager=me');
    assert.deepEqual(owners(await work.object('configmap/noted')), {
      ...created,
      'kubectl-annotate Update': ['.metadata.annotations', '.metadata.annotations.other'],
      'me Update': ['.metadata.annotations.note'],
    });
    assert.deepEqual(await listed('annotate configmap noted'), ['note=again', 'other=x']);
    await work.run('annotate configmap noted note- other-');
    const bare = await work.object('configmap/noted');
    assert.equal(bare.metadata.annotations, undefined);
    assert.deepEqual(owners(bare), created);
  });
});
