// Walks: who may do what on an object, by which binding, and the console as another user.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible, TestBrowser } from '../browser.ts';
import { ConsoleServer } from '../console-server.ts';

const server = new ConsoleServer();
const browser = new TestBrowser();

test('the subjects of bindings are listed with their verbs, and the console shows what one of them may see', async () => {
  await server.createConfigMap('plan');
  await server.request('/apis/rbac.authorization.orch.io/v1/namespaces/default/rolebindings', 'POST', {
    metadata: { name: 'jane-reads' },
    roleRef: { apiGroup: 'rbac.authorization.orch.io', kind: 'ClusterRole', name: 'view' },
    subjects: [{ apiGroup: 'rbac.authorization.orch.io', kind: 'User', name: 'jane' }],
  });
  const page = await browser.open(`${server.url}/console/#/object/configmaps/default/plan?tab=access`);
  const row = page.getByRole('row', { name: /jane User/ });
  await row.waitFor();
  assert.match((await row.textContent()) ?? '', /✓–––.*jane-reads/);
  await assertAccessible(page);
  await row.getByRole('button', { name: 'See as jane' }).click();
  await page.getByText('You see what jane may see').waitFor();
  await page.goto(`${server.url}/console/#/kind/secrets`);
  await page.getByText('User "jane" cannot list resource "secrets"').waitFor();
  await page.goto(`${server.url}/console/#/kind/configmaps?ns=default`);
  await page.getByRole('link', { name: 'plan' }).waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('You see what jane may see').waitFor({ state: 'detached' });
  await page.context().close();
});
