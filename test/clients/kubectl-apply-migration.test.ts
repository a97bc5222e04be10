import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { kubectlSkipReason } from './kubectl.ts';
import { configMap, deployment, web } from './manifests.ts';
import { owners } from './owners.ts';
import { Workspace } from './workspace.ts';

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
const annotation = `.metadata.annotations.${lastApplied}`;

describe('kubectl apply migrates between client-side and server-side', {
  skip: kubectlSkipReason ?? false,
}, () => {
  let work: Workspace;
  before(async () => {
    work = await Workspace.open('apply-migration');
  });
  after(() => work?.stop());

  const client = (manifest: string) => work.try('apply -f -', manifest);
  const server = (manifest: string, more = '') => work.try(`apply --server-side -f -${more}`, manifest);

  test('the first server-side apply takes over all fields of client-side apply', async () => {
    await client(configMap('a', { color: 'blue', size: 'big' }));
    const { code, stdout, stderr } = await server(configMap('a', { color: 'blue', size: 'big' }));
    assert.deepEqual([code, stdout, stderr], [0, 'configmap/a serverside-applied\n', '']);
    const moved = await work.object('configmap/a');
    assert.deepEqual(owners(moved), {
      'kubectl Apply': ['.data.color', '.data.size'],
      'kubectl-last-applied Apply': [annotation],
    });
    assert.equal(
      moved.metadata.annotations[lastApplied],
      `{"apiVersion":"v1","data":{"color":"blue","size":"big"},"kind":"ConfigMap","metadata":{"name":"a","namespace":"${work.namespace}"}}\n`,
    );

    // From now on the server removes fields, and the annotation has the applied configuration.
    await server(configMap('a', { color: 'red' }));
    const changed = await work.object('configmap/a');
    assert.deepEqual(changed.data, { color: 'red' });
    assert.deepEqual(owners(changed), {
      'kubectl Apply': ['.data.color'],
      'kubectl-last-applied Apply': [annotation],
    });
    assert.equal(
      changed.metadata.annotations[lastApplied],
      `{"apiVersion":"v1","data":{"color":"red"},"kind":"ConfigMap","metadata":{"name":"a","namespace":"${work.namespace}"}}\n`,
    );
  });

  test('the migration can change and remove fields without a conflict', async () => {
    await client(deployment('web', { replicas: 2 }));
    await server(deployment('web', { containers: [{ name: 'web', image: 'web:2' }] }));
    const object = await work.object('deployment/web');
    assert.equal(object.spec.replicas, 1);
    assert.equal(object.spec.template.spec.containers.length, 1);
    assert.equal(object.spec.template.spec.containers[0].image, 'web:2');
    assert.equal(object.spec.template.spec.containers[0].ports, undefined);
    assert.deepEqual(owners(object), {
      'kubectl Apply': [
        '.spec.selector',
        '.spec.template.metadata.labels.app',
        '.spec.template.spec.containers[name=web]',
        '.spec.template.spec.containers[name=web].image',
        '.spec.template.spec.containers[name=web].name',
      ],
      'kubectl-last-applied Apply': [annotation],
    });
  });

  test('an object from create --save-config migrates too', async () => {
    await work.run('create --save-config -f -', configMap('saved', { color: 'blue', size: 'big' }));
    assert.deepEqual(owners(await work.object('configmap/saved')), {
      'kubectl-create Update': ['.data', '.data.color', '.data.size', '.metadata.annotations', annotation],
    });
    const { code, stderr } = await server(configMap('saved', { color: 'red' }));
    assert.deepEqual([code, stderr], [0, '']);
    const object = await work.object('configmap/saved');
    assert.deepEqual(object.data, { color: 'red' });
    assert.deepEqual(owners(object), {
      'kubectl Apply': ['.data.color'],
      'kubectl-last-applied Apply': [annotation],
    });
  });

  test('an object from create keeps fields that the manifest lacks', async () => {
    await work.run('create -f -', configMap('made', { color: 'blue', size: 'big' }));
    const { code, stderr } = await server(configMap('made', { color: 'red' }));
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^error: Apply failed with 1 conflict: conflict with "kubectl-create" using v1: \.data\.color\n/,
    );
    await server(configMap('made', { color: 'red' }), ' --force-conflicts');
    const object = await work.object('configmap/made');
    assert.deepEqual(object.data, { color: 'red', size: 'big' });
    assert.deepEqual(owners(object), {
      'kubectl Apply': ['.data.color'],
      'kubectl-create Update': ['.data', '.data.size'],
    });
  });

  test('another field manager gets a conflict, and --force-conflicts removes the annotation', async () => {
    await client(configMap('theirs', { color: 'blue', size: 'big' }));
    const { code, stderr } = await server(configMap('theirs', { color: 'red' }), ' --field-manager=mine');
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^error: Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using v1: \.data\.color\n/,
    );
    await server(configMap('theirs', { color: 'red' }), ' --field-manager=mine --force-conflicts');
    const object = await work.object('configmap/theirs');
    assert.deepEqual(object.data, { color: 'red' });
    assert.equal(object.metadata.annotations, undefined);
    assert.deepEqual(owners(object), { 'mine Apply': ['.data.color'] });
  });

  test('back to client-side: it takes over changed fields, and server-side apply can migrate again', async () => {
    await client(configMap('back', { color: 'blue', size: 'big' }));
    await server(configMap('back', { color: 'red', size: 'big' }));
    const same = await client(configMap('back', { color: 'red', size: 'big' }));
    assert.deepEqual([same.stdout, same.stderr], ['configmap/back configured\n', '']);
    assert.deepEqual(owners(await work.object('configmap/back')), {
      'kubectl Apply': ['.data.color', '.data.size'],
      'kubectl-client-side-apply Update': [annotation],
    });

    await client(configMap('back', { color: 'green', shape: 'round' }));
    const changed = await work.object('configmap/back');
    assert.deepEqual(changed.data, { color: 'green', shape: 'round' });
    assert.deepEqual(owners(changed), {
      'kubectl-client-side-apply Update': ['.data.color', '.data.shape', annotation],
    });

    const again = await server(configMap('back', { color: 'white' }));
    assert.deepEqual([again.code, again.stderr], [0, '']);
    const object = await work.object('configmap/back');
    assert.deepEqual(object.data, { color: 'white' });
    assert.deepEqual(owners(object), {
      'kubectl Apply': ['.data.color'],
      'kubectl-last-applied Apply': [annotation],
    });
  });

  test('from server-side to client-side without the annotation: nothing is removed at first', async () => {
    await server(deployment('late', { replicas: 2 }));
    const first = await client(deployment('late', { replicas: 3, containers: [{ ...web, image: 'web:2' }] }));
    assert.equal(first.stdout, 'deployment.apps/late configured\n');
    assert.match(first.stderr, /^Warning: resource deployments\/late is missing the kubectl\.kubernetes\.io/);
    const object = await work.object('deployment/late');
    assert.equal(object.spec.replicas, 3);
    assert.deepEqual(
      object.spec.template.spec.containers.map(({ name, image }: { name: string; image: string }) => [
        name,
        image,
      ]),
      [
        ['web', 'web:2'],
        ['side', 'side:1'],
      ],
    );
    assert.deepEqual(owners(object)['kubectl-client-side-apply Update'], [
      '.metadata.annotations',
      annotation,
      '.spec.replicas',
      '.spec.template.spec.containers[name=web].image',
    ]);
    // kubectl sends the order of the containers each time, which changes nothing.
    await client(deployment('late', { replicas: 3, containers: [{ ...web, image: 'web:2' }] }));
    assert.deepEqual(await work.object('deployment/late'), object);
  });
});
