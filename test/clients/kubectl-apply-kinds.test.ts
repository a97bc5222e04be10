import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { kubectlSkipReason } from './kubectl.ts';
import { deployment } from './manifests.ts';
import { owners } from './owners.ts';
import { Workspace } from './workspace.ts';

describe('kubectl apply --server-side of several kinds', { skip: kubectlSkipReason ?? false }, () => {
  let work: Workspace;
  before(async () => {
    work = await Workspace.open('apply-kinds');
  });
  after(() => work?.stop());

  const apply = (manifest: object, more = '') =>
    work.run(`apply --server-side -f -${more}`, JSON.stringify(manifest));
  const refused = async (manifest: object) => {
    const { code, stdout, stderr } = await work.try('apply --server-side -f -', JSON.stringify(manifest));
    assert.deepEqual([code, stdout], [1, '']);
    return stderr;
  };

  const service = (...ports: object[]) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'door' },
    spec: { selector: { app: 'web' }, ports },
  });

  test('ports of a Service are merged by port and protocol', async () => {
    const dns = { name: 'dns', port: 53, protocol: 'UDP' };
    await apply(service({ name: 'http', port: 80 }, dns));
    const udp = '.spec.ports[port=53,protocol=UDP]';
    const tcp = '.spec.ports[port=80,protocol=TCP]';
    const { spec } = await work.object('service/door');
    assert.deepEqual(owners(await work.object('service/door')), {
      'kubectl Apply': [
        udp,
        `${udp}.name`,
        `${udp}.port`,
        `${udp}.protocol`,
        tcp,
        `${tcp}.name`,
        `${tcp}.port`,
        '.spec.selector',
      ],
    });
    await apply(service(dns));
    const smaller = await work.object('service/door');
    assert.deepEqual(smaller.spec, { ...spec, ports: [{ ...dns, targetPort: 53 }] });

    await apply(service({ ...dns, port: 54 }));
    assert.deepEqual((await work.object('service/door')).spec.ports, [{ ...dns, port: 54, targetPort: 54 }]);
    assert.equal(
      await refused(service({ port: 80 }, { port: 80, name: 'again' })),
      `Error from server: failed to create typed patch object (${work.namespace}/door; /v1, Kind=Service): .spec.ports: duplicate entries for key [port=80,protocol="TCP"]\n`,
    );
  });

  test('an invalid manifest is rejected with the field path', async () => {
    const twice = JSON.parse(
      deployment('twice', {
        containers: [
          { name: 'web', image: 'a' },
          { name: 'web', image: 'b' },
        ],
      }),
    );
    const object = (name: string) => `${work.namespace}/${name}; apps/v1, Kind=Deployment`;
    assert.equal(
      await refused(twice),
      `Error from server: failed to create typed patch object (${object('twice')}): .spec.template.spec.containers: duplicate entries for key [name="web"]\n`,
    );
    const worded = JSON.parse(deployment('worded'));
    worded.spec.replicas = 'two';
    assert.equal(
      await refused(worded),
      `Error from server: failed to create typed patch object (${object('worded')}): .spec.replicas: expected numeric (int or float), got string\n`,
    );
    const moved = JSON.parse(deployment('worded', { replicas: -1 }));
    assert.equal(
      await refused(moved),
      'The Deployment "worded" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0\n',
    );
  });

  test('an immutable field is rejected, and --force replaces the object', async () => {
    const moved = deployment('fixed').replaceAll('"app":"fixed"', '"app":"other"');
    await work.run('apply -f -', deployment('fixed'));
    const { uid } = (await work.object('deployment/fixed')).metadata;
    const immutable =
      /^The Deployment "fixed" is invalid: spec\.selector: Invalid value: .*: field is immutable\n$/;
    assert.match(await refused(JSON.parse(moved)), immutable);
    assert.match(await work.fail('apply -f -', moved), immutable);
    assert.equal(await work.run('apply --force -f -', moved), 'deployment.apps/fixed configured\n');
    const object = await work.object('deployment/fixed');
    assert.notEqual(object.metadata.uid, uid);
    assert.deepEqual(Object.keys(owners(object)), ['kubectl-client-side-apply Update']);
  });

  test('a Secret is owned by the field in which it was applied, data or stringData', async () => {
    const secret = (fields: object) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'door' },
      ...fields,
    });
    const check = async (data: object, owned: string) => {
      const object = await work.object('secret/door');
      assert.deepEqual(object.data, data);
      assert.deepEqual(owners(object), { 'kubectl Apply': [owned] });
    };
    await apply(secret({ stringData: { key: 'b' } }));
    await check({ key: 'Yg==' }, '.stringData.key');
    await apply(secret({ data: { key: 'Yg==' } }));
    await check({ key: 'Yg==' }, '.data.key');
    await apply(secret({ stringData: { other: 'd' } }));
    await check({ other: 'ZA==' }, '.stringData.other');
  });

  test('fields applied in one version are changed and removed in another', async () => {
    const autoscaler = (version: string, spec: object) => ({
      apiVersion: `autoscaling/${version}`,
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'elastic' },
      spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, ...spec },
    });
    await apply(autoscaler('v2', { minReplicas: 2, maxReplicas: 3 }));
    const target = '.spec.scaleTargetRef';
    assert.deepEqual(owners(await work.object('hpa/elastic')), {
      'kubectl Apply': [
        '.spec.maxReplicas',
        '.spec.minReplicas',
        `${target}.apiVersion`,
        `${target}.kind`,
        `${target}.name`,
      ],
    });
    await apply(autoscaler('v1', { maxReplicas: 4, targetCPUUtilizationPercentage: 50 }));
    const object = await work.object('hpa/elastic');
    assert.deepEqual([object.spec.minReplicas, object.spec.maxReplicas], [1, 4]);
    assert.equal(object.spec.metrics[0].resource.target.averageUtilization, 50);
    assert.equal(object.metadata.managedFields[0].apiVersion, 'autoscaling/v1');
    assert.deepEqual(owners(object), {
      'kubectl Apply': ['.spec.maxReplicas', target, '.spec.targetCPUUtilizationPercentage'],
    });
  });

  test('--subresource=status applies the status, with its own managedFields entry', async () => {
    await apply(JSON.parse(deployment('observed')));
    const status = (name: string, fields: object) => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name },
      spec: { replicas: 9 },
      status: fields,
    });
    assert.equal(
      await apply(status('observed', { replicas: 3, readyReplicas: 1 }), ' --subresource=status'),
      'deployment.apps/observed serverside-applied\n',
    );
    await apply(status('observed', { replicas: 4 }), ' --subresource=status');
    const object = await work.object('deployment/observed');
    assert.equal(object.spec.replicas, 1);
    assert.deepEqual(object.status, { replicas: 4 });
    assert.deepEqual(owners(object)['kubectl Apply status'], ['.status.replicas']);

    // The last applied configuration is then the status, also if the client had applied the rest.
    await work.run('apply -f -', deployment('older'));
    await apply(status('older', { replicas: 3 }), ' --subresource=status');
    assert.deepEqual(JSON.parse(await work.run('apply view-last-applied deployment/older -o json')), {
      ...status('older', { replicas: 3 }),
      metadata: { name: 'older', namespace: work.namespace },
    });
    assert.equal(
      await work.fail(
        'apply --server-side --subresource=status -f -',
        JSON.stringify(status('nobody', { replicas: 1 })),
      ),
      'Error from server (NotFound): deployments.apps "nobody" not found\n',
    );
  });

  test('a resourceVersion in the manifest is a precondition', async () => {
    const settings = (metadata: object, data: object) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'settings', ...metadata },
      data,
    });
    await apply(settings({}, { color: 'blue' }));
    const { resourceVersion } = (await work.object('configmap/settings')).metadata;
    await apply(settings({ resourceVersion }, { color: 'red' }));
    assert.match(
      await refused(settings({ resourceVersion }, { color: 'green' })),
      /^error: Operation cannot be fulfilled on configmaps "settings": the object has been modified; please apply your changes to the latest version and try again\n/,
    );
    assert.equal(
      await refused(settings({ uid: '1' }, { color: 'green' })),
      'The ConfigMap "settings" is invalid: metadata.uid: Invalid value: "1": field is immutable\n',
    );
    assert.deepEqual((await work.object('configmap/settings')).data, { color: 'red' });
  });
});
