import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parse } from 'yaml';
import { kubectlSkipReason } from './kubectl.ts';
import { configMap, deployment } from './manifests.ts';
import { owners } from './owners.ts';
import { Workspace } from './workspace.ts';

const annotation = '.metadata.annotations.kubectl.kubernetes.io/last-applied-configuration';

describe('kubectl replace and create --save-config', { skip: kubectlSkipReason ?? false }, () => {
  let work: Workspace;
  before(async () => {
    work = await Workspace.open('replace');
  });
  after(() => work?.stop());

  const replace = (manifest: string, more = '') => work.run(`replace -f -${more}`, manifest);

  test('replace replaces the whole object', async () => {
    await work.run('create -f -', configMap('a', { color: 'blue', size: 'big' }));
    assert.equal(await replace(configMap('a', { color: 'red' })), 'configmap/a replaced\n');
    const replaced = await work.object('configmap/a');
    assert.deepEqual(replaced.data, { color: 'red' });
    assert.deepEqual(owners(replaced), {
      'kubectl-create Update': ['.data'],
      'kubectl-replace Update': ['.data.color'],
    });
    await replace(configMap('a', { color: 'red' }));
    assert.deepEqual(await work.object('configmap/a'), replaced);
    assert.equal(
      await replace(configMap('a', { color: 'white' }), ' --dry-run=server'),
      'configmap/a replaced (server dry run)\n',
    );
    assert.deepEqual(await work.object('configmap/a'), replaced);

    await replace(configMap('a', { color: 'grey' }), ' --save-config');
    assert.deepEqual(owners(await work.object('configmap/a')), {
      'kubectl-create Update': ['.data'],
      'kubectl-replace Update': ['.data.color', '.metadata.annotations', annotation],
    });
    assert.equal(
      await work.fail('replace -f -', configMap('nobody')),
      'Error from server (NotFound): error when replacing "STDIN": configmaps "nobody" not found\n',
    );
  });

  test('replace --force recreates the object, also where replace is rejected', async () => {
    const moved = (name: string) => deployment(name).replaceAll(`"app":"${name}"`, '"app":"other"');
    await work.run('create -f -', deployment('web'));
    const before = await work.object('deployment/web');
    assert.match(
      await work.fail('replace -f -', moved('web')),
      /^The Deployment "web" is invalid: spec\.selector: Invalid value: .*: field is immutable\n$/,
    );
    assert.equal(
      await replace(moved('web'), ' --force'),
      'deployment.apps "web" deleted\ndeployment.apps/web replaced\n',
    );
    const after = await work.object('deployment/web');
    assert.notEqual(after.metadata.uid, before.metadata.uid);
    assert.deepEqual(after.spec.selector, { matchLabels: { app: 'other' } });
    assert.deepEqual(Object.keys(owners(after)), ['kubectl-replace Update']);
    assert.equal(await replace(configMap('new'), ' --force'), 'configmap/new replaced\n');
  });

  test('replace --subresource=status writes only the status', async () => {
    await work.run('create -f -', deployment('observed'));
    const manifest = { ...JSON.parse(deployment('observed', { replicas: 7 })), status: { replicas: 9 } };
    await replace(JSON.stringify(manifest), ' --subresource=status');
    const object = await work.object('deployment/observed');
    assert.equal(object.spec.replicas, 1);
    assert.deepEqual(object.status, { replicas: 9 });
    assert.deepEqual(owners(object)['kubectl-replace Update status'], ['.status.replicas']);
  });

  test('apply continues from create --save-config', async () => {
    assert.equal(
      await work.run('create --save-config -f -', configMap('saved', { color: 'blue' })),
      'configmap/saved created\n',
    );
    const object = await work.object('configmap/saved');
    assert.deepEqual(owners(object), {
      'kubectl-create Update': ['.data', '.data.color', '.metadata.annotations', annotation],
    });
    const { stdout, stderr } = await work.try('apply -f -', configMap('saved', { color: 'blue' }));
    assert.deepEqual([stdout, stderr], ['configmap/saved unchanged\n', '']);
    assert.deepEqual(await work.object('configmap/saved'), object);
    assert.equal(
      await work.run('apply -f -', configMap('saved', { size: 'big' })),
      'configmap/saved configured\n',
    );
    assert.deepEqual((await work.object('configmap/saved')).data, { size: 'big' });
  });

  test('get prints managedFields only with --show-managed-fields', async () => {
    await work.run('create -f -', configMap('shown', { color: 'blue' }));
    const get = async (more: string) => parse(await work.run(`get configmap shown -o yaml${more}`)).metadata;
    assert.equal((await get('')).managedFields, undefined);
    const { managedFields, creationTimestamp } = await get(' --show-managed-fields');
    assert.deepEqual(managedFields, [
      {
        apiVersion: 'v1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { '.': {}, 'f:color': {} } },
        manager: 'kubectl-create',
        operation: 'Update',
        time: creationTimestamp,
      },
    ]);
  });
});
