import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { main } from '../../src/cli/main.ts';
import { kubectlSkipReason } from './kubectl.ts';
import { untilAllowed } from './kubectl-permissions.ts';
import { Workspace } from './workspace.ts';

describe('orch auth beside kubectl', { skip: kubectlSkipReason ?? false }, () => {
  let work: Workspace;
  let bob: string;
  before(async () => {
    work = await Workspace.open('orch-auth');
    bob = `bob-${work.namespace}`;
    await work.run('create role reader --verb=get,list --resource=pods,pods/log');
    await work.run(`create rolebinding readers --role=reader --user=${bob}`);
    await untilAllowed(work, `get pods --as ${bob}`);
  });
  after(() => work?.stop());

  async function auth(line: string) {
    const out: string[] = [];
    const terminal = { out: (text: string) => out.push(text), err: () => {}, inColor: false };
    const args = ['auth', ...line.split(' '), '-n', work.namespace, '--kubeconfig', work.kubeconfig];
    return { code: await main(args, terminal), out };
  }

  test('can-i agrees with kubectl auth can-i, and prints the reason', async () => {
    for (const question of [
      'get pods',
      'get po/web',
      'get pods --subresource=log',
      'delete pods',
      'list secrets',
      'get /api',
      'get /metrics',
      'create selfsubjectaccessreviews.authorization.k8s.io',
    ]) {
      const { code, stdout } = await work.try(`auth can-i ${question} --as ${bob}`);
      const response = await auth(`can-i ${question} --as ${bob}`);
      assert.deepEqual([response.code, response.out[0]?.split(':')[0]], [code, stdout.trim()], question);
    }
    assert.deepEqual((await auth(`can-i list pods --as ${bob}`)).out, [
      `yes: RBAC: allowed by RoleBinding "readers/${work.namespace}" of Role "reader" to User "${bob}"`,
    ]);
  });

  test('who-can finds the allowed subjects with their binding', async () => {
    const { out } = await auth('who-can list pods');
    const rows = out.map((line) => line.split(/ {3,}/));
    assert.ok(rows.some((row) => row.join() === `User ${bob},RoleBinding readers,Role reader`));
    assert.ok(rows.some(([who]) => who === 'Group system:masters'));
    const users = rows.flatMap(([who = '']) => /^User (.*)/.exec(who)?.[1] ?? []);
    for (const user of users) assert.equal((await auth(`can-i list pods --as ${user}`)).code, 0, user);
  });
});
