import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { kubectlSkipReason } from './kubectl.ts';
import { untilAllowed } from './kubectl-permissions.ts';
import { Workspace } from './workspace.ts';

const apiGroup = 'rbac.authorization.k8s.io';
const apiVersion = `${apiGroup}/v1`;

describe('kubectl auth reconcile', { skip: kubectlSkipReason ?? false }, () => {
  let work: Workspace;
  before(async () => {
    work = await Workspace.open('reconcile');
  });
  after(() => work?.stop());

  const secretsReader = [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }];
  const objects = () =>
    [
      {
        apiVersion,
        kind: 'Role',
        metadata: { name: 'reader', namespace: work.namespace, labels: { from: 'file' } },
        rules: secretsReader,
      },
      {
        apiVersion,
        kind: 'RoleBinding',
        metadata: { name: 'readers', namespace: work.namespace },
        roleRef: { apiGroup, kind: 'Role', name: 'reader' },
        subjects: [{ apiGroup, kind: 'User', name: 'carol' }],
      },
    ]
      .map((object) => JSON.stringify(object))
      .join('\n---\n');

  test('it creates missing roles, adds missing rules, and removes extra rules only on request', async () => {
    const file = work.file('rights.yaml', objects());
    const reconciled =
      'role.rbac.authorization.k8s.io/reader reconciled\nrolebinding.rbac.authorization.k8s.io/readers reconciled\n';
    const outcome = async (more = '') =>
      (await work.run(`auth reconcile -f ${file}${more}`)).replace(/^\t.*\n/gm, '');

    assert.equal(await outcome(), reconciled);
    assert.deepEqual((await work.object('role/reader')).rules, secretsReader);

    await work.run('delete role/reader rolebinding/readers');
    await work.run('create role reader --verb=list --resource=pods');
    await work.run('create rolebinding readers --role=reader --user=bob');
    assert.equal(await outcome(), reconciled);
    const role = await work.object('role/reader');
    assert.deepEqual(role.rules, [
      { apiGroups: [''], resources: ['pods'], verbs: ['list'] },
      ...secretsReader,
    ]);
    assert.equal(role.metadata.labels.from, 'file');
    const named = async () =>
      (await work.object('rolebinding/readers')).subjects.map(({ name }: { name: string }) => name);
    assert.deepEqual(await named(), ['bob', 'carol']);
    await untilAllowed(work, 'get secrets --as carol');

    assert.equal(await outcome(' --remove-extra-permissions --remove-extra-subjects'), reconciled);
    assert.deepEqual((await work.object('role/reader')).rules, secretsReader);
    assert.deepEqual(await named(), ['carol']);
    await untilAllowed(work, 'list pods --as bob', 'no');
  });

  test('it replaces a binding to another role', async () => {
    await work.run('delete rolebinding/readers');
    await work.run('create rolebinding readers --clusterrole=view --user=bob');
    await work.run(`auth reconcile -f ${work.file('again.yaml', objects())}`);
    const { roleRef, subjects } = await work.object('rolebinding/readers');
    assert.equal(roleRef.name, 'reader');
    assert.deepEqual(
      subjects.map(({ name }: { name: string }) => name),
      ['carol'],
    );
  });

  test('it needs permission to read roles', async () => {
    const complaint = await work.fail(`auth reconcile -f ${work.file('again.yaml', objects())} --as bob`);
    assert.match(
      complaint,
      /User "bob" cannot get resource "roles" in API group "rbac.authorization.k8s.io"/,
    );
  });
});
