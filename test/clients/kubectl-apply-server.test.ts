import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { kubectlSkipReason } from './kubectl.ts';
import { configMap, deployment, documents, side, web } from './manifests.ts';
import { owners } from './owners.ts';
import { Workspace } from './workspace.ts';

/** kubectl's error message for conflicts: the message of the server, then advice. */
const refusal = (conflicts: string) => `error: ${conflicts}
Please review the fields above--they currently have other managers. Here
are the ways you can resolve this warning:
* If you intend to manage all of these fields, please re-run the apply
  command with the \`--force-conflicts\` flag.
* If you do not intend to manage all of the fields, please edit your
  manifest to remove references to the fields that should keep their
  current managers.
* You may co-own fields by updating your manifest to match the existing
  value; in this case, you'll become the manager if the other manager(s)
  stop managing the field (remove it from their configuration).
See https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts
`;

describe('kubectl apply --server-side', { skip: kubectlSkipReason ?? false }, () => {
  let work: Workspace;
  before(async () => {
    work = await Workspace.open('apply-server');
  });
  after(() => work?.stop());

  const apply = (manifest: string, more = '') => work.run(`apply --server-side -f -${more}`, manifest);
  const refused = async (manifest: string, more = '') => {
    const { code, stdout, stderr } = await work.try(`apply --server-side -f -${more}`, manifest);
    assert.equal(code, 1);
    assert.equal(stdout, '');
    return stderr;
  };

  test('creates, leaves unchanged, configures, and removes fields that are no longer applied', async () => {
    assert.equal(
      await apply(configMap('a', { color: 'blue', size: 'big' })),
      'configmap/a serverside-applied\n',
    );
    const created = await work.object('configmap/a');
    assert.deepEqual(owners(created), { 'kubectl Apply': ['.data.color', '.data.size'] });
    assert.equal(created.metadata.annotations, undefined);

    assert.equal(
      await apply(configMap('a', { color: 'blue', size: 'big' })),
      'configmap/a serverside-applied\n',
    );
    assert.deepEqual(await work.object('configmap/a'), created);

    await apply(configMap('a', { color: 'red', size: 'big' }));
    assert.deepEqual((await work.object('configmap/a')).data, { color: 'red', size: 'big' });

    await apply(configMap('a', { color: 'red' }));
    const smaller = await work.object('configmap/a');
    assert.deepEqual(smaller.data, { color: 'red' });
    assert.deepEqual(owners(smaller), { 'kubectl Apply': ['.data.color'] });

    await apply(configMap('a'));
    const empty = await work.object('configmap/a');
    assert.equal(empty.data, undefined);
    assert.equal(empty.metadata.managedFields, undefined);
  });

  test('reports a conflict for fields of another manager, unless forced', async () => {
    await apply(configMap('shared', { color: 'red' }));
    const painted = configMap('shared', { color: 'green' });
    assert.equal(
      await refused(painted, ' --field-manager=painter'),
      refusal('Apply failed with 1 conflict: conflict with "kubectl": .data.color'),
    );
    assert.deepEqual((await work.object('configmap/shared')).data, { color: 'red' });

    await apply(painted, ' --field-manager=painter --force-conflicts');
    const object = await work.object('configmap/shared');
    assert.deepEqual(object.data, { color: 'green' });
    assert.deepEqual(owners(object), { 'painter Apply': ['.data.color'] });
  });

  test('managers with equal values share a field, which stays until the last removes it', async () => {
    const both = configMap('agreed', { color: 'red' });
    await apply(both);
    await apply(both, ' --field-manager=painter');
    assert.deepEqual(owners(await work.object('configmap/agreed')), {
      'kubectl Apply': ['.data.color'],
      'painter Apply': ['.data.color'],
    });

    await apply(configMap('agreed', { size: 'big' }));
    const kept = await work.object('configmap/agreed');
    assert.deepEqual(kept.data, { color: 'red', size: 'big' });
    assert.deepEqual(owners(kept), { 'kubectl Apply': ['.data.size'], 'painter Apply': ['.data.color'] });

    await apply(configMap('agreed', { shape: 'round' }), ' --field-manager=painter');
    assert.deepEqual((await work.object('configmap/agreed')).data, { shape: 'round', size: 'big' });
  });

  test('owns the fields of the manifest, and no defaults', async () => {
    assert.equal(await apply(deployment('web', { replicas: 2 })), 'deployment.apps/web serverside-applied\n');
    const container = (name: string) => `.spec.template.spec.containers[name=${name}]`;
    const port = `${container('web')}.ports[containerPort=80,protocol=TCP]`;
    const object = await work.object('deployment/web');
    assert.equal(object.spec.template.spec.containers[0].ports[0].protocol, 'TCP');
    assert.deepEqual(owners(object), {
      'kubectl Apply': [
        '.spec.replicas',
        '.spec.selector',
        '.spec.template.metadata.labels.app',
        container('side'),
        `${container('side')}.image`,
        `${container('side')}.name`,
        container('web'),
        `${container('web')}.image`,
        `${container('web')}.name`,
        port,
        `${port}.containerPort`,
      ],
    });

    const other = JSON.stringify({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: {
        template: { spec: { containers: [{ name: 'web', env: [{ name: 'MODE', value: 'fast' }] }] } },
      },
    });
    await apply(other, ' --field-manager=tuner');
    await apply(deployment('web', { replicas: 2, containers: [{ name: 'web', image: 'web:1' }] }));
    const smaller = await work.object('deployment/web');
    const { containers } = smaller.spec.template.spec;
    assert.equal(containers.length, 1);
    assert.equal(containers[0].ports, undefined);
    assert.deepEqual(containers[0].env, [{ name: 'MODE', value: 'fast' }]);
    const variable = `${container('web')}.env[name=MODE]`;
    assert.deepEqual(owners(smaller), {
      'kubectl Apply': [
        '.spec.replicas',
        '.spec.selector',
        '.spec.template.metadata.labels.app',
        container('web'),
        `${container('web')}.image`,
        `${container('web')}.name`,
      ],
      'tuner Apply': [
        container('web'),
        variable,
        `${variable}.name`,
        `${variable}.value`,
        `${container('web')}.name`,
      ],
    });
  });

  test('conflicts with fields of scale and set image, and names each', async () => {
    await apply(deployment('busy', { replicas: 2 }));
    await work.run('scale deployment busy --replicas=5');
    assert.equal(
      await refused(deployment('busy', { replicas: 2 })),
      refusal(
        'Apply failed with 1 conflict: conflict with "kubectl" with subresource "scale" using apps/v1: .spec.replicas',
      ),
    );
    await work.run('set image deployment/busy web=web:9');
    assert.equal(
      await refused(deployment('busy', { replicas: 2 })),
      refusal(
        'Apply failed with 2 conflicts: conflicts with "kubectl" with subresource "scale" using apps/v1:\n' +
          '- .spec.replicas\n' +
          'conflicts with "kubectl-set" using apps/v1:\n' +
          '- .spec.template.spec.containers[name="web"].image',
      ),
    );

    // A manifest that omits the one field and agrees on the other is accepted.
    await apply(deployment('busy', { containers: [{ ...web, image: 'web:9' }, side] }));
    const agreed = await work.object('deployment/busy');
    assert.equal(agreed.spec.replicas, 5);
    assert.deepEqual(owners(agreed)['kubectl Update scale'], ['.spec.replicas']);
    assert.deepEqual(owners(agreed)['kubectl-set Update'], [
      '.spec.template.spec.containers[name=web].image',
    ]);

    await apply(deployment('busy', { replicas: 2 }), ' --force-conflicts');
    const forced = await work.object('deployment/busy');
    assert.equal(forced.spec.replicas, 2);
    assert.equal(forced.spec.template.spec.containers[0].image, 'web:1');
    assert.deepEqual(Object.keys(owners(forced)), ['kubectl Apply']);
  });

  test('--dry-run=server checks for conflicts and changes nothing', async () => {
    const dry = (manifest: string, more = '') => apply(manifest, ` --dry-run=server${more}`);
    assert.equal(
      await dry(configMap('dry', { color: 'red' })),
      'configmap/dry serverside-applied (server dry run)\n',
    );
    assert.match(await work.fail('get configmap dry'), /NotFound/);
    await apply(configMap('dry', { color: 'red' }));
    const before = await work.object('configmap/dry');
    const shown = JSON.parse(await dry(configMap('dry', { size: 'big' }), ' -o json --show-managed-fields'));
    assert.deepEqual(shown.data, { size: 'big' });
    assert.deepEqual(owners(shown), { 'kubectl Apply': ['.data.size'] });
    assert.equal(
      await refused(configMap('dry', { color: 'blue' }), ' --dry-run=server --field-manager=painter'),
      refusal('Apply failed with 1 conflict: conflict with "kubectl": .data.color'),
    );
    assert.deepEqual(await work.object('configmap/dry'), before);
  });

  test('continues after a rejected document', async () => {
    const { code, stdout, stderr } = await work.try(
      'apply --server-side -f -',
      documents(configMap('good'), configMap('Bad_Name'), configMap('fine')),
    );
    assert.equal(code, 1);
    assert.equal(stdout, 'configmap/good serverside-applied\nconfigmap/fine serverside-applied\n');
    assert.match(stderr, /^The ConfigMap "Bad_Name" is invalid: metadata\.name: Invalid value: "Bad_Name"/);
  });

  test('rejects a manifest with unknown fields or managedFields', async () => {
    const misspelt = JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'misspelt' },
      datta: { a: 'b' },
    });
    assert.equal(
      await refused(misspelt),
      `Error from server: failed to create typed patch object (${work.namespace}/misspelt; /v1, Kind=ConfigMap): .datta: field not declared in schema\n`,
    );
    const owned = JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'owned', managedFields: [] },
    });
    assert.equal(
      await refused(owned),
      'Error from server (BadRequest): metadata.managedFields must be nil\n',
    );
  });
});
