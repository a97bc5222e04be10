import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { kubectlSkipReason } from './kubectl.ts';
import { Workspace } from './workspace.ts';

describe('kubectl delete, with dependents', { skip: kubectlSkipReason ?? false }, () => {
  let work: Workspace;
  before(async () => {
    work = await Workspace.open('delete', ['garbage-collector-controller', 'namespace-controller']);
  });
  after(() => work?.stop());

  const configMap = (name: string, more: object = {}) =>
    JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...more } });

  /** An owner, and its dependent. */
  async function family(name: string): Promise<void> {
    await work.run('create -f -', configMap(name));
    const { uid } = (await work.object(`configmap/${name}`)).metadata;
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name, uid, blockOwnerDeletion: true };
    await work.run('create -f -', configMap(`${name}-child`, { ownerReferences: [owner] }));
  }

  test('--cascade=background deletes the owner, then its dependents', async () => {
    await family('background');
    assert.equal(
      await work.run('delete configmap background --cascade=background'),
      'configmap "background" deleted\n',
    );
    await work.run('wait --for=delete configmap/background-child --timeout=3m');
    assert.match(await work.fail('get configmap background-child'), /not found/);
  });

  test('--cascade=foreground waits until the dependents are deleted', async () => {
    await family('foreground');
    assert.equal(
      await work.run('delete configmap foreground --cascade=foreground --timeout=3m'),
      'configmap "foreground" deleted\n',
    );
    assert.match(await work.fail('get configmap foreground-child'), /not found/);
  });

  test('--cascade=orphan keeps the dependents without the owner reference', async () => {
    await family('orphan');
    await work.run('delete configmap orphan --cascade=orphan --timeout=3m');
    const { metadata } = await work.object('configmap/orphan-child');
    assert.equal(metadata.ownerReferences, undefined);
  });

  test('wait --for=delete waits for a finalizer', async () => {
    await work.run('create -f -', configMap('held', { finalizers: ['example.com/hold'] }));
    await work.run('delete configmap held --wait=false');
    assert.match(await work.fail('wait --for=delete configmap/held --timeout=1s'), /timed out/);
    const waiting = work.run('wait --for=delete configmap/held --timeout=3m');
    await work.run(['patch', 'configmap', 'held', '--type=merge', '-p', '{"metadata":{"finalizers":null}}']);
    // It prints nothing if there is nothing left to wait for.
    assert.match(await waiting, /^(configmap\/held condition met\n)?$/);
  });

  test('delete namespace waits until the namespace and its content are deleted', async () => {
    const name = `${work.namespace}-doomed`;
    await work.run(`create namespace ${name}`);
    for (const what of [
      'configmap a',
      'secret generic b',
      'deployment c --image=c',
      'role d --verb=get --resource=pods',
    ]) {
      await work.run(`create ${what} --namespace=${name}`);
    }
    assert.equal(await work.run(`delete namespace ${name} --timeout=3m`), `namespace "${name}" deleted\n`);
    assert.match(await work.fail(`get namespace ${name}`), /not found/);
    await work.run(`create namespace ${name}`);
    assert.equal(await work.run(`get secrets,deployments,roles --namespace=${name}`), '');
    await work.run(`delete namespace ${name} --wait=false`);
  });
});
