import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { kubectlSkipReason } from './kubectl.ts';
import { owners } from './owners.ts';
import { Workspace } from './workspace.ts';

describe('kubectl with pods', { skip: kubectlSkipReason ?? false }, () => {
  let work: Workspace;
  before(async () => {
    work = await Workspace.open('pods');
    await work.run('create serviceaccount default');
  });
  after(() => work?.stop());

  /** A pod to which every server adds the same fields. */
  const pod = (name: string, image = 'web:1', more: object = {}) =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name },
      spec: {
        automountServiceAccountToken: false,
        serviceAccountName: 'default',
        tolerations: ['not-ready', 'unreachable'].map((state) => ({
          key: `node.kubernetes.io/${state}`,
          operator: 'Exists',
          effect: 'NoExecute',
          tolerationSeconds: 300,
        })),
        priority: 0,
        preemptionPolicy: 'PreemptLowerPriority',
        containers: [{ name: 'web', image, resources: { limits: { cpu: '100m' } } }],
        ...more,
      },
    });
  const container = '.spec.containers[name=web]';

  test('apply, client-side and server-side, changes only the image', async () => {
    assert.equal(await work.run('apply -f -', pod('a')), 'pod/a created\n');
    assert.equal(await work.run('apply -f -', pod('a', 'web:2')), 'pod/a configured\n');
    assert.equal(await work.run('apply --server-side -f -', pod('a', 'web:3')), 'pod/a serverside-applied\n');
    const object = await work.object('pod/a');
    assert.equal(object.spec.containers[0].image, 'web:3');
    assert.deepEqual(owners(object)['kubectl Apply'], [
      '.spec.automountServiceAccountToken',
      container,
      `${container}.image`,
      `${container}.name`,
      `${container}.resources.limits.cpu`,
      '.spec.preemptionPolicy',
      '.spec.priority',
      '.spec.serviceAccountName',
      '.spec.tolerations',
    ]);
    assert.match(
      await work.fail('apply --server-side -f -', pod('a', 'web:3', { hostname: 'other' })),
      /^The Pod "a" is invalid: spec: Forbidden: pod updates may not change fields other than `spec\.containers\[\*\]\.image`/,
    );
    assert.deepEqual(await work.object('pod/a'), object);
  });

  test('set image, resize and debug each own the fields that they changed', async () => {
    await work.run('apply --server-side -f -', pod('shared'));
    await work.run('set image pod/shared web=web:2');
    const cpu = { spec: { containers: [{ name: 'web', resources: { limits: { cpu: '200m' } } }] } };
    await work.run(`patch pod shared --subresource=resize -p ${JSON.stringify(cpu)}`);
    await work.run('debug shared --image=busybox --target=web -c helper --profile=general');
    const object = await work.object('pod/shared');
    assert.equal(object.spec.containers[0].image, 'web:2');
    assert.equal(object.spec.containers[0].resources.limits.cpu, '200m');
    assert.equal(object.spec.ephemeralContainers[0].name, 'helper');
    const { 'kubectl Update ephemeralcontainers': debugged, ...others } = owners(object);
    assert.deepEqual(debugged?.slice(0, 2), [
      '.spec.ephemeralContainers',
      '.spec.ephemeralContainers[name=helper]',
    ]);
    assert.deepEqual(others, {
      'kubectl Apply': [
        '.spec.automountServiceAccountToken',
        container,
        `${container}.name`,
        '.spec.preemptionPolicy',
        '.spec.priority',
        '.spec.serviceAccountName',
        '.spec.tolerations',
      ],
      'kubectl-patch Update resize': [`${container}.resources.limits.cpu`],
      'kubectl-set Update': [`${container}.image`],
    });
  });

  test('conditions are merged by type, and wait observes them', async () => {
    await work.run('create -f -', pod('seen'));
    const condition = (...conditions: object[]) =>
      work.run(
        `patch pod seen --subresource=status -p ${JSON.stringify({ status: { phase: 'Running', conditions } })}`,
      );
    await condition({ type: 'Ready', status: 'False' });
    const waiting = work.run('wait pod/seen --for=condition=Ready --timeout=3m');
    await condition({ type: 'Ready', status: 'True' }, { type: 'Warm', status: 'True' });
    assert.equal(await waiting, 'pod/seen condition met\n');
    const object = await work.object('pod/seen');
    const conditions = object.status.conditions.map(({ type, status }: Record<string, string>) => [
      type,
      status,
    ]);
    assert.deepEqual(conditions, [
      ['Ready', 'True'],
      ['Warm', 'True'],
    ]);
    const owned = owners(object)['kubectl-patch Update status'];
    assert.ok(owned?.includes('.status.conditions[type=Warm].status'), owned?.join('\n'));
  });

  test('replace --force deletes and recreates a pod', async () => {
    await work.run('create -f -', pod('old'));
    const { uid } = (await work.object('pod/old')).metadata;
    const printed = await work.run('replace --force -f -', pod('old', 'web:2', { hostname: 'other' }));
    assert.equal(printed, 'pod "old" deleted\npod/old replaced\n');
    const object = await work.object('pod/old');
    assert.notEqual(object.metadata.uid, uid);
    assert.equal(object.spec.hostname, 'other');
  });
});
