import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { kubectlSkipReason } from './kubectl.ts';
import { configMap, deployment } from './manifests.ts';
import { owners } from './owners.ts';
import { Workspace } from './workspace.ts';

describe('kubectl scale and autoscale', { skip: kubectlSkipReason ?? false }, () => {
  let work: Workspace;
  before(async () => {
    work = await Workspace.open('scale');
  });
  after(() => work?.stop());

  const replicas = async (name: string) => (await work.object(name)).spec.replicas;

  test('scale changes a Deployment and owns spec.replicas', async () => {
    await work.run('create -f -', deployment('web'));
    assert.equal(await work.run('scale deployment web --replicas=2'), 'deployment.apps/web scaled\n');
    const scaled = await work.object('deployment/web');
    assert.equal(scaled.spec.replicas, 2);
    assert.equal(scaled.metadata.generation, 2);
    assert.deepEqual(owners(scaled)['kubectl Update scale'], ['.spec.replicas']);
    assert.ok(!owners(scaled)['kubectl-create Update']?.includes('.spec.replicas'));

    assert.equal(await work.run('scale deployment web --replicas=2'), 'deployment.apps/web scaled\n');
    assert.deepEqual(await work.object('deployment/web'), scaled);
    assert.equal(
      await work.run('scale deployment web --replicas=6 --dry-run=server'),
      'deployment.apps/web scaled (server dry run)\n',
    );
    assert.deepEqual(await work.object('deployment/web'), scaled);
  });

  test('--current-replicas and --resource-version are preconditions', async () => {
    await work.run('create -f -', deployment('guarded'));
    assert.equal(
      await work.fail('scale deployment guarded --current-replicas=3 --replicas=4'),
      'error: Expected replicas to be 3, was 1\n',
    );
    await work.run('scale deployment guarded --current-replicas=1 --replicas=4');
    const { resourceVersion } = (await work.object('deployment/guarded')).metadata;
    assert.equal(
      await work.fail('scale deployment guarded --resource-version=1 --replicas=5'),
      `error: Expected resource version to be 1, was ${resourceVersion}\n`,
    );
    await work.run(`scale deployment guarded --resource-version=${resourceVersion} --replicas=5`);
    assert.equal(await replicas('deployment/guarded'), 5);
  });

  test('scale works on every scalable kind, and rejects others', async () => {
    const template = {
      metadata: { labels: { app: 'db' } },
      spec: { containers: [{ name: 'db', image: 'db' }] },
    };
    const selector = { matchLabels: { app: 'db' } };
    const metadata = { name: 'db' };
    const many = [
      {
        apiVersion: 'apps/v1',
        kind: 'StatefulSet',
        metadata,
        spec: { serviceName: 'db', selector, template },
      },
      { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata, spec: { selector, template } },
      {
        apiVersion: 'v1',
        kind: 'ReplicationController',
        metadata,
        spec: { selector: { app: 'db' }, template },
      },
    ];
    for (const manifest of many) await work.run('create -f -', JSON.stringify(manifest));
    assert.equal(
      await work.run('scale statefulset/db replicaset/db replicationcontroller/db --replicas=3'),
      'statefulset.apps/db scaled\nreplicaset.apps/db scaled\nreplicationcontroller/db scaled\n',
    );
    for (const kind of ['statefulset', 'replicaset', 'replicationcontroller']) {
      const object = await work.object(`${kind}/db`);
      assert.equal(object.spec.replicas, 3);
      assert.deepEqual(owners(object)['kubectl Update scale'], ['.spec.replicas']);
    }

    await work.run('create -f -', configMap('settings'));
    assert.equal(
      await work.fail('scale configmap settings --replicas=1'),
      'Error from server (NotFound): the server could not find the requested resource\n',
    );
    assert.equal(
      await work.fail('scale deployment nobody --replicas=1'),
      'error: no objects passed to scale deployments.apps "nobody" not found\n',
    );
  });

  test('autoscale creates a HorizontalPodAutoscaler', async () => {
    await work.run('create -f -', deployment('elastic'));
    assert.equal(
      await work.run('autoscale deployment elastic --min=2 --max=5 --cpu-percent=80'),
      'horizontalpodautoscaler.autoscaling/elastic autoscaled\n',
    );
    const object = await work.object('hpa/elastic');
    assert.deepEqual(object.spec, {
      minReplicas: 2,
      maxReplicas: 5,
      metrics: [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
        },
      ],
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'elastic' },
    });
    assert.deepEqual(owners(object), {
      'kubectl-autoscale Update': [
        '.spec.maxReplicas',
        '.spec.metrics',
        '.spec.minReplicas',
        '.spec.scaleTargetRef.apiVersion',
        '.spec.scaleTargetRef.kind',
        '.spec.scaleTargetRef.name',
      ],
    });
    assert.match(
      await work.run('get hpa elastic'),
      /elastic +Deployment\/elastic +cpu: <unknown>\/80% +2 +5 +0/,
    );
  });
});
