import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { kubectlSkipReason } from './kubectl.ts';
import { deployment } from './manifests.ts';
import { owners } from './owners.ts';
import { Workspace } from './workspace.ts';

describe('kubectl patch', { skip: kubectlSkipReason ?? false }, () => {
  let work: Workspace;
  before(async () => {
    work = await Workspace.open('patch');
  });
  after(() => work?.stop());

  const patch = (name: string, flags: string, body: unknown) =>
    work.run(`patch deployment ${name}${flags} -p ${JSON.stringify(body)}`);
  const refused = async (name: string, flags: string, body: unknown) => {
    const { code, stdout, stderr } = await work.try(
      `patch deployment ${name}${flags} -p ${JSON.stringify(body)}`,
    );
    assert.deepEqual([code, stdout], [1, '']);
    return stderr;
  };
  const images = ({ spec }: { spec: { template: { spec: { containers: { image: string }[] } } } }) =>
    spec.template.spec.containers.map(({ image }) => image);
  const containers = (...list: object[]) => ({ spec: { template: { spec: { containers: list } } } });

  test('strategic: merges containers by name, reports no change, and deletes one', async () => {
    await work.run('create -f -', deployment('strategic'));
    const image = containers({ name: 'side', image: 'side:2' });
    assert.equal(await patch('strategic', '', image), 'deployment.apps/strategic patched\n');
    const patched = await work.object('deployment/strategic');
    assert.deepEqual(images(patched), ['web:1', 'side:2']);
    assert.deepEqual(owners(patched)['kubectl-patch Update'], [
      '.spec.template.spec.containers[name=side].image',
    ]);

    assert.equal(
      await patch('strategic', ' --type=strategic', image),
      'deployment.apps/strategic patched (no change)\n',
    );
    assert.deepEqual(await work.object('deployment/strategic'), patched);

    await patch('strategic', ' --type=strategic', containers({ $patch: 'delete', name: 'side' }));
    const smaller = await work.object('deployment/strategic');
    assert.deepEqual(images(smaller), ['web:1']);
    assert.deepEqual(Object.keys(owners(smaller)), ['kubectl-create Update']);
  });

  test('merge: sets fields, resets them with null, and replaces lists', async () => {
    await work.run('create -f -', deployment('merge'));
    assert.equal(
      await patch('merge', ' --type=merge', {
        spec: { minReadySeconds: 7, revisionHistoryLimit: null, replicas: 3 },
      }),
      'deployment.apps/merge patched\n',
    );
    const { spec } = await work.object('deployment/merge');
    assert.deepEqual([spec.minReadySeconds, spec.revisionHistoryLimit, spec.replicas], [7, 10, 3]);
    await patch('merge', ' --type=merge', containers({ name: 'new', image: 'new:1' }));
    const object = await work.object('deployment/merge');
    assert.deepEqual(images(object), ['new:1']);
    const container = '.spec.template.spec.containers[name=new]';
    assert.deepEqual(owners(object)['kubectl-patch Update'], [
      '.spec.minReadySeconds',
      '.spec.replicas',
      container,
      `${container}.image`,
      `${container}.imagePullPolicy`,
      `${container}.name`,
      `${container}.resources`,
      `${container}.terminationMessagePath`,
      `${container}.terminationMessagePolicy`,
    ]);
  });

  test('json: tests, replaces, adds and removes', async () => {
    await work.run('create -f -', deployment('json'));
    assert.equal(
      await patch('json', ' --type=json', [
        { op: 'test', path: '/spec/replicas', value: 1 },
        { op: 'replace', path: '/spec/replicas', value: 3 },
        { op: 'add', path: '/metadata/labels', value: { tier: 'front' } },
        { op: 'remove', path: '/spec/template/spec/containers/1' },
      ]),
      'deployment.apps/json patched\n',
    );
    const object = await work.object('deployment/json');
    assert.equal(object.spec.replicas, 3);
    assert.deepEqual(images(object), ['web:1']);
    assert.deepEqual(owners(object)['kubectl-patch Update'], [
      '.metadata.labels',
      '.metadata.labels.tier',
      '.spec.replicas',
    ]);
    assert.equal(
      await refused('json', ' --type=json', [{ op: 'test', path: '/spec/replicas', value: 1 }]),
      'The request is invalid: the server rejected our request due to an error in our request\n',
    );
    assert.equal(
      await refused('json', ' --type=json', { a: 1 }),
      'Error from server (BadRequest): error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp\n',
    );
  });

  test('rejects values of the wrong type, old resource versions and unknown names', async () => {
    await work.run('create -f -', deployment('refused'));
    assert.equal(
      await refused('refused', '', { spec: { replicas: 'x' } }),
      'The request is invalid: patch: Invalid value: "map[spec:map[replicas:x]]": unrecognized type: int32\n',
    );
    assert.equal(
      await refused('refused', '', { spec: { replicas: -1 } }),
      'The Deployment "refused" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0\n',
    );
    assert.equal(
      await refused('refused', '', { metadata: { resourceVersion: '1' }, spec: { replicas: 1 } }),
      'Error from server (Conflict): Operation cannot be fulfilled on deployments.apps "refused": the object has been modified; please apply your changes to the latest version and try again\n',
    );
    assert.equal(
      await refused('nobody', '', { spec: { replicas: 1 } }),
      'Error from server (NotFound): deployments.apps "nobody" not found\n',
    );
    const { code, stdout, stderr } = await work.try('patch deployment refused -p {"spec":{"replicass":1}}');
    assert.deepEqual(
      [code, stdout, stderr],
      [0, 'deployment.apps/refused patched (no change)\n', 'Warning: unknown field "spec.replicass"\n'],
    );
  });

  test('--subresource=status and scale change only their part, with their own managedFields', async () => {
    await work.run('create -f -', deployment('parts'));
    const status = { replicas: 3, readyReplicas: 2 };
    assert.equal(
      await patch('parts', ' --subresource=status --type=merge', { spec: { replicas: 7 }, status }),
      'deployment.apps/parts patched\n',
    );
    const observed = await work.object('deployment/parts');
    assert.equal(observed.spec.replicas, 1);
    assert.equal(observed.metadata.generation, 1);
    assert.deepEqual(observed.status, status);

    assert.equal(
      await patch('parts', ' --subresource=scale --type=merge', { spec: { replicas: 8 } }),
      'scale.autoscaling/parts patched\n',
    );
    await patch('parts', ' --subresource=scale --type=json', [
      { op: 'replace', path: '/spec/replicas', value: 9 },
    ]);
    assert.equal(
      await patch('parts', ' --subresource=scale', { spec: { replicas: 9 } }),
      'scale.autoscaling/parts patched (no change)\n',
    );
    const scaled = await work.object('deployment/parts');
    assert.equal(scaled.spec.replicas, 9);
    const { 'kubectl-create Update': _, ...parts } = owners(scaled);
    assert.deepEqual(parts, {
      'kubectl-patch Update scale': ['.spec.replicas'],
      'kubectl-patch Update status': ['.status.readyReplicas', '.status.replicas'],
    });
    assert.equal(
      await refused('parts', ' --subresource=nothing --type=merge', {}),
      'Error from server (NotFound): the server could not find the requested resource\n',
    );
  });

  test('--dry-run=server, --field-manager, -f and --patch-file', async () => {
    await work.run('create -f -', deployment('flags'));
    assert.equal(
      await patch('flags', ' --dry-run=server -o jsonpath={.spec.replicas}', { spec: { replicas: 77 } }),
      '77',
    );
    assert.equal((await work.object('deployment/flags')).spec.replicas, 1);
    await patch('flags', ' --field-manager=me', { spec: { paused: true } });
    assert.deepEqual(owners(await work.object('deployment/flags'))['me Update'], ['.spec.paused']);
    assert.equal(
      await work.run('patch -f - -p {"spec":{"minReadySeconds":3}}', deployment('flags')),
      'deployment.apps/flags patched\n',
    );
    const file = work.file('patch.yaml', 'spec:\n  minReadySeconds: 4\n');
    await work.run(`patch deployment flags --patch-file ${file}`);
    assert.equal((await work.object('deployment/flags')).spec.minReadySeconds, 4);
  });
});
