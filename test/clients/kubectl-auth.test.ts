import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { kubectlSkipReason } from './kubectl.ts';
import { untilAllowed } from './kubectl-permissions.ts';
import { Workspace } from './workspace.ts';

describe('kubectl auth', { skip: kubectlSkipReason ?? false }, () => {
  let work: Workspace;
  let bob: string;
  let readers: string;
  before(async () => {
    work = await Workspace.open('auth');
    bob = `bob-${work.namespace}`;
    readers = `readers-${work.namespace}`;
    await work.run(`create role reader --verb=get,list --resource=pods,pods/log --resource=deployments.apps`);
    await work.run(`create role one --verb=get --resource=configmaps --resource-name=one`);
    await work.run(`create rolebinding readers --role=reader --user=${bob} --group=${readers}`);
    await work.run(`create rolebinding one --role=one --user=${bob}`);
    await work.run(`create clusterrole ${bob} --verb=get --non-resource-url=/${bob}/*`);
    await work.run(`create clusterrolebinding ${bob} --clusterrole=${bob} --user=${bob}`);
    await untilAllowed(work, `get /${bob}/x --as ${bob}`);
  });
  after(async () => {
    await work?.try(`delete clusterrole,clusterrolebinding ${bob}`);
    await work?.stop();
  });

  test('create role and rolebinding create what the flags specify', async () => {
    assert.deepEqual((await work.object('role/reader')).rules, [
      { apiGroups: [''], resources: ['pods', 'pods/log'], verbs: ['get', 'list'] },
      { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'list'] },
    ]);
    const binding = await work.object('rolebinding/readers');
    const apiGroup = 'rbac.authorization.k8s.io';
    assert.deepEqual(binding.roleRef, { apiGroup, kind: 'Role', name: 'reader' });
    assert.deepEqual(binding.subjects, [
      { apiGroup, kind: 'User', name: bob },
      { apiGroup, kind: 'Group', name: readers },
    ]);
  });

  test('create clusterrole and clusterrolebinding create what the flags specify', async () => {
    assert.deepEqual((await work.object(`clusterrole/${bob}`)).rules, [
      { nonResourceURLs: [`/${bob}/*`], verbs: ['get'] },
    ]);
    const { roleRef } = await work.object(`clusterrolebinding/${bob}`);
    assert.deepEqual([roleRef.kind, roleRef.name], ['ClusterRole', bob]);
    assert.match(
      await work.run(`create clusterrole ${bob}-all --aggregation-rule=a=b --dry-run=server -o yaml`),
      /clusterRoleSelectors:\n {2}- matchLabels:\n {6}a: b\n/,
    );
  });

  const answers: Readonly<Record<string, string>> = {
    'get pods': 'yes',
    'get pods --subresource=log': 'yes',
    'get pods/web': 'yes',
    'list deployments.apps': 'yes',
    'delete pods': 'no',
    'get pods -A': 'no',
    'get configmaps': 'no',
    'get configmaps/one': 'yes',
    'get configmap/two': 'no',
    'get /BOB/x': 'yes',
    'get /other': 'no',
    'create selfsubjectaccessreviews.authorization.k8s.io': 'yes',
  };
  for (const [question, answer] of Object.entries(answers)) {
    test(`can-i ${question} prints ${answer}`, async () => {
      const { code, stdout } = await work.try(`auth can-i ${question.replace('BOB', bob)} --as ${bob}`);
      assert.deepEqual([stdout, code], [`${answer}\n`, answer === 'yes' ? 0 : 1]);
    });
  }

  test('can-i warns of an unknown resource, and still checks it', async () => {
    const { code, stdout, stderr } = await work.try(`auth can-i frob widgets --as ${bob}`);
    assert.deepEqual([code, stdout], [1, 'no\n']);
    assert.match(stderr, /the server doesn't have a resource type 'widgets'/);
    assert.equal(await work.run('auth can-i frob widgets'), 'yes\n');
  });

  test('can-i --list prints every rule of the namespace', async () => {
    const listed = await work.run(`auth can-i --list --as ${bob} --no-headers`);
    const lines = listed.split('\n').map((line) => line.replace(/ +/g, ' ').trim());
    for (const line of [
      'pods [] [] [get list]',
      'pods/log [] [] [get list]',
      'deployments.apps [] [] [get list]',
      'configmaps [] [one] [get]',
      'selfsubjectreviews.authentication.k8s.io [] [] [create]',
      `[/${bob}/*] [] [get]`,
      '[/api/*] [] [get]',
    ]) {
      assert.ok(lines.includes(line), `${line} in\n${listed}`);
    }
    assert.match(await work.run('auth can-i --list --no-headers'), /^\*\.\* +\[\] +\[\] +\[\*\]$/m);
  });

  test('whoami prints the authenticated user', async () => {
    assert.match(await work.run('auth whoami'), /^ATTRIBUTE +VALUE\nUsername +\S+\n/);
    const command = `auth whoami -o json --as ${bob} --as-group a --as-group b --as-uid 7`;
    const { kind, status } = JSON.parse(await work.run(command));
    assert.equal(kind, 'SelfSubjectReview');
    assert.deepEqual(status.userInfo, {
      username: bob,
      uid: '7',
      groups: ['a', 'b', 'system:authenticated'],
    });
  });

  test('--as and --as-group impersonate', async () => {
    const { stderr } = await work.try(`get pods --as ${bob}`);
    assert.match(stderr, /^No resources found/);
    assert.equal(
      await work.fail(`get secrets --as ${bob}`),
      `Error from server (Forbidden): secrets is forbidden: User "${bob}" cannot list resource "secrets" in API group "" in the namespace "${work.namespace}"\n`,
    );
    assert.match(
      (await work.try(`get pods --as somebody --as-group ${readers}`)).stderr,
      /^No resources found/,
    );
    assert.match(await work.fail('get pods --as somebody'), /User "somebody" cannot list resource "pods"/);
  });
});
