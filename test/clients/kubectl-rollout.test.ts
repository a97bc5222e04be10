import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { kubectlSkipReason } from './kubectl.ts';
import { deployment } from './manifests.ts';
import { owners } from './owners.ts';
import { Workspace } from './workspace.ts';

const restartedAt = 'kubectl.kubernetes.io/restartedAt';

describe('kubectl rollout', { skip: kubectlSkipReason ?? false }, () => {
  let work: Workspace;
  before(async () => {
    work = await Workspace.open('rollout');
  });
  after(() => work?.stop());

  const restarted = [
    '.spec.template.metadata.annotations',
    `.spec.template.metadata.annotations.${restartedAt}`,
  ];

  test('restart annotates the template of a Deployment, DaemonSet and StatefulSet', async () => {
    await work.run('create -f -', deployment('web'));
    assert.equal(await work.run('rollout restart deployment web'), 'deployment.apps/web restarted\n');

    const template = {
      metadata: { labels: { app: 'db' } },
      spec: { containers: [{ name: 'db', image: 'db' }] },
    };
    const set = (kind: string, more: object) =>
      JSON.stringify({
        apiVersion: 'apps/v1',
        kind,
        metadata: { name: 'db' },
        spec: { selector: { matchLabels: { app: 'db' } }, template, ...more },
      });
    await work.run('create -f -', set('DaemonSet', {}));
    await work.run('create -f -', set('StatefulSet', { serviceName: 'db' }));
    assert.equal(
      await work.run('rollout restart daemonset/db statefulset/db'),
      'daemonset.apps/db restarted\nstatefulset.apps/db restarted\n',
    );
    for (const name of ['deployment/web', 'daemonset/db', 'statefulset/db']) {
      const object = await work.object(name);
      assert.match(object.spec.template.metadata.annotations[restartedAt], /^\d{4}-.*T/);
      assert.equal(object.metadata.generation, 2);
      assert.deepEqual(owners(object)['kubectl-rollout Update'], restarted);
    }
    // The server increments the annotation with the template generation of a DaemonSet, which the creator owns.
    const { metadata } = await work.object('daemonset/db');
    const counter = 'deprecated.daemonset.template.generation';
    assert.equal(metadata.annotations[counter], '2');
    assert.ok(owners({ metadata })['kubectl-create Update']?.includes(`.metadata.annotations.${counter}`));
  });

  test('pause and resume work once, and are rejected the second time', async () => {
    await work.run('create -f -', deployment('held'));
    assert.equal(await work.run('rollout pause deployment held'), 'deployment.apps/held paused\n');
    const paused = await work.object('deployment/held');
    assert.equal(paused.spec.paused, true);
    assert.deepEqual(owners(paused)['kubectl-rollout Update'], ['.spec.paused']);
    assert.equal(
      await work.fail('rollout pause deployment held'),
      'error: deployments.apps "held" is already paused\n',
    );
    assert.equal(
      await work.fail('rollout restart deployment held'),
      'error: deployments.apps "held" can\'t restart paused deployment (run rollout resume first)\n',
    );
    assert.equal(await work.run('rollout resume deployment held'), 'deployment.apps/held resumed\n');
    const resumed = await work.object('deployment/held');
    assert.equal(resumed.spec.paused, undefined);
    assert.deepEqual(Object.keys(owners(resumed)), ['kubectl-create Update']);
    assert.equal(
      await work.fail('rollout resume deployment held'),
      'error: deployments.apps "held" is not paused\n',
    );
  });

  test('status reports the progress of a rollout, and waits for its end', async () => {
    await work.run('create -f -', deployment('slow', { replicas: 2 }));
    const status = (more: object) =>
      work.run(
        `patch deployment slow --subresource=status --type=merge -p ${JSON.stringify({ status: more })}`,
      );
    assert.equal(
      await work.run('rollout status deployment slow --watch=false'),
      'Waiting for deployment spec update to be observed...\n',
    );
    await status({ observedGeneration: 1, replicas: 2, updatedReplicas: 1 });
    assert.equal(
      await work.run('rollout status deployment slow --watch=false'),
      'Waiting for deployment "slow" rollout to finish: 1 out of 2 new replicas have been updated...\n',
    );
    const waiting = work.run('rollout status deployment slow --timeout=3m');
    await status({ updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 });
    assert.match(await waiting, /deployment "slow" successfully rolled out\n$/);
  });

  test('history lists the revisions of a Deployment, and undo rolls back', async () => {
    await work.run('create -f -', deployment('past'));
    assert.equal(
      await work.run('rollout history deployment past'),
      'deployment.apps/past \nNo rollout history found.\n',
    );
    assert.equal(
      await work.fail('rollout undo deployment past'),
      'error: no rollout history found for deployment "past"\n',
    );

    const { uid } = (await work.object('deployment/past')).metadata;
    for (const revision of ['1', '2']) {
      const labels = { app: 'past', 'pod-template-hash': revision };
      const replicaSet = {
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        metadata: {
          name: `past-${revision}`,
          labels,
          annotations: {
            'deployment.kubernetes.io/revision': revision,
            'kubernetes.io/change-cause': `cause ${revision}`,
          },
          ownerReferences: [
            { apiVersion: 'apps/v1', kind: 'Deployment', name: 'past', uid, controller: true },
          ],
        },
        spec: {
          selector: { matchLabels: labels },
          template: {
            metadata: { labels },
            spec: { containers: [{ name: 'web', image: `past:${revision}` }] },
          },
        },
      };
      await work.run('create -f -', JSON.stringify(replicaSet));
    }
    assert.equal(
      await work.run('rollout history deployment past'),
      'deployment.apps/past \nREVISION  CHANGE-CAUSE\n1         cause 1\n2         cause 2\n\n',
    );
    assert.match(await work.run('rollout history deployment past --revision=1'), /Image:\tpast:1\n/);
    assert.equal(
      await work.run('rollout undo deployment past --to-revision=1'),
      'deployment.apps/past rolled back\n',
    );
    const object = await work.object('deployment/past');
    assert.equal(object.spec.template.spec.containers.length, 1);
    assert.equal(object.spec.template.spec.containers[0].image, 'past:1');
    assert.deepEqual(object.spec.template.metadata.labels, { app: 'past' });
    assert.deepEqual(owners(object)['kubectl Update'], [
      '.metadata.annotations',
      '.metadata.annotations.kubernetes.io/change-cause',
      '.spec.template.spec.containers[name=web].image',
    ]);
  });
});
