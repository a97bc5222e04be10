import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { kubectlSkipReason } from './kubectl.ts';
import { configMap, deployment } from './manifests.ts';
import { owners } from './owners.ts';
import { Workspace } from './workspace.ts';

describe('kubectl set', { skip: kubectlSkipReason ?? false }, () => {
  let work: Workspace;
  before(async () => {
    work = await Workspace.open('set');
  });
  after(() => work?.stop());

  const container = (name: string) => `.spec.template.spec.containers[name=${name}]`;
  const setBy = async (name: string) => owners(await work.object(`deployment/${name}`))['kubectl-set Update'];
  const podSpec = async (name: string) => (await work.object(`deployment/${name}`)).spec.template.spec;

  test('image changes one container, several, or all', async () => {
    await work.run('create -f -', deployment('image'));
    assert.equal(
      await work.run('set image deployment/image web=web:2'),
      'deployment.apps/image image updated\n',
    );
    assert.deepEqual(await setBy('image'), [`${container('web')}.image`]);
    assert.equal((await work.object('deployment/image')).metadata.generation, 2);
    assert.equal(await work.run('set image deployment/image web=web:2'), '');

    await work.run('set image deployment/image *=all:1');
    const { containers } = await podSpec('image');
    assert.deepEqual([containers[0].image, containers[1].image], ['all:1', 'all:1']);
    assert.deepEqual(await setBy('image'), [`${container('side')}.image`, `${container('web')}.image`]);
    assert.equal(
      await work.fail('set image deployment/image nothing=x:1'),
      'error: unable to find container named "nothing"\n',
    );
    const dry = await work.run('set image deployment/image web=web:3 --dry-run=server -o json');
    assert.equal(JSON.parse(dry).spec.template.spec.containers[0].image, 'web:3');
    assert.equal((await podSpec('image')).containers[0].image, 'all:1');
  });

  test('env adds, lists, imports from a ConfigMap and removes variables', async () => {
    await work.run('create -f -', deployment('env'));
    assert.equal(
      await work.run('set env deployment/env A=1 B=2 -c web'),
      'deployment.apps/env env updated\n',
    );
    const variable = (name: string, of = 'web') => `${container(of)}.env[name=${name}]`;
    const owned = (name: string) => [variable(name), `${variable(name)}.name`, `${variable(name)}.value`];
    assert.deepEqual(await setBy('env'), [`${container('web')}.env`, ...owned('A'), ...owned('B')]);
    assert.equal(
      await work.run('set env deployment/env --list'),
      '# Deployment env, container web\nA=1\nB=2\n# Deployment env, container side\n',
    );

    await work.run('set env deployment/env -c web A- B=3');
    assert.deepEqual((await podSpec('env')).containers[0].env, [{ name: 'B', value: '3' }]);
    assert.deepEqual(await setBy('env'), [`${container('web')}.env`, ...owned('B')]);

    await work.run('create -f -', configMap('settings', { color: 'blue' }));
    await work.run('set env deployment/env -c side --from=configmap/settings --prefix=CM_');
    const { containers } = await podSpec('env');
    assert.deepEqual(containers[1].env, [
      { name: 'CM_COLOR', valueFrom: { configMapKeyRef: { name: 'settings', key: 'color' } } },
    ]);
    assert.deepEqual((await setBy('env'))?.slice(0, 5), [
      `${container('side')}.env`,
      variable('CM_COLOR', 'side'),
      `${variable('CM_COLOR', 'side')}.name`,
      `${variable('CM_COLOR', 'side')}.valueFrom`,
      `${variable('CM_COLOR', 'side')}.valueFrom.configMapKeyRef`,
    ]);
  });

  test('resources sets limits and requests, and reports invalid ones', async () => {
    await work.run('create -f -', deployment('resources'));
    assert.equal(
      await work.run(
        'set resources deployment/resources -c=web --limits=cpu=200m,memory=512Mi --requests=cpu=100m',
      ),
      'deployment.apps/resources resource requirements updated\n',
    );
    assert.deepEqual((await podSpec('resources')).containers[0].resources, {
      limits: { cpu: '200m', memory: '512Mi' },
      requests: { cpu: '100m' },
    });
    const resources = `${container('web')}.resources`;
    assert.deepEqual(await setBy('resources'), [
      `${resources}.limits`,
      `${resources}.limits.cpu`,
      `${resources}.limits.memory`,
      `${resources}.requests`,
      `${resources}.requests.cpu`,
    ]);
    assert.equal(
      await work.fail('set resources deployment/resources -c=web --limits=cpu=50m'),
      'error: failed to patch resources update to pod template Deployment.apps "resources" is invalid: spec.template.spec.containers[0].resources.requests: Invalid value: "100m": must be less than or equal to cpu limit of 50m\n',
    );
  });

  test('serviceaccount, selector and subject change their fields', async () => {
    await work.run('create -f -', deployment('account'));
    assert.equal(
      await work.run('set serviceaccount deployment account robot'),
      'deployment.apps/account serviceaccount updated\n',
    );
    const { serviceAccountName, serviceAccount } = await podSpec('account');
    assert.deepEqual([serviceAccountName, serviceAccount], ['robot', 'robot']);
    assert.deepEqual(await setBy('account'), [
      '.spec.template.spec.serviceAccount',
      '.spec.template.spec.serviceAccountName',
    ]);

    await work.run('create service clusterip door --tcp=80');
    assert.equal(await work.run('set selector service door app=other'), 'service/door selector updated\n');
    const service = await work.object('service/door');
    assert.deepEqual(service.spec.selector, { app: 'other' });
    assert.deepEqual(owners(service)['kubectl-set Update'], ['.spec.selector']);

    await work.run('create rolebinding readers --clusterrole=view --user=first');
    await work.run('set subject rolebinding readers --user=second');
    const binding = await work.object('rolebinding/readers');
    assert.deepEqual(
      binding.subjects.map(({ name }: { name: string }) => name),
      ['first', 'second'],
    );
    assert.deepEqual(owners(binding), {
      'kubectl-create Update': ['.roleRef'],
      'kubectl-set Update': ['.subjects'],
    });
  });
});
