// Walks: editing with dry run, a conflict between two managers, force, a refused write, undo, creation.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertAccessible, TestBrowser } from '../browser.ts';
import { ConsoleServer, tokens } from '../console-server.ts';

const server = new ConsoleServer();
const browser = new TestBrowser();
const path = '/api/v1/namespaces/default/configmaps/settings';

interface ConfigMap {
  readonly data: Record<string, string>;
  readonly metadata: {
    readonly managedFields: readonly { readonly manager: string; readonly operation: string }[];
  };
}

async function setText(page: Page, text: string): Promise<void> {
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+a');
  // CodeMirror deletes the selection itself; if text replaced it, Chromium would style the text inline, which the policy reports.
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(text);
}

const yaml = (color: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n  namespace: default\ndata:\n  color: ${color}\n`;

test('a dry run shows a diff, a conflict names the other manager, force takes the field, and undo brings it back', async () => {
  await server.request(
    `${path}?fieldManager=alice`,
    'PATCH',
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'settings' },
      data: { color: 'red', size: 'large' },
    },
    'application/apply-patch+yaml',
  );
  const page = await browser.open(`${server.url}/console/#/object/configmaps/default/settings?tab=edit`);
  await page.locator('.cm-content').getByText('large').waitFor();
  await assertAccessible(page);
  await setText(page, yaml('blue'));
  await page.getByRole('button', { name: 'Dry run' }).click();
  await page.getByText('conflict with "alice"').waitFor();
  assert.equal(await page.locator('.conflicts code').textContent(), '.data.color');
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Dry run with force' }).click();
  await page.locator('.diff .added', { hasText: 'color: blue' }).waitFor();
  await page.locator('.diff .removed', { hasText: 'color: red' }).waitFor();
  await assertAccessible(page);
  assert.equal((await server.request<ConfigMap>(path)).data.color, 'red');

  await page.getByRole('button', { name: 'Apply', exact: true }).click();
  await page.getByRole('button', { name: 'Take the fields (force)' }).click();
  await page.getByText('Saved').waitFor();
  const taken = await server.request<ConfigMap>(path);
  assert.deepEqual(taken.data, { color: 'blue', size: 'large' });
  assert.ok(taken.metadata.managedFields.some(({ manager }) => manager === 'orch-console'));

  await page.getByRole('button', { name: 'Undo (1)' }).click();
  await page.getByText('Undone').waitFor();
  assert.deepEqual((await server.request<ConfigMap>(path)).data, { color: 'red', size: 'large' });
  await page.context().close();
});

test('text that is typed fast stays as it was typed', async () => {
  const page = await browser.open(`${server.url}/console/#/object/configmaps/default/settings?tab=edit`);
  await page.locator('.cm-content').getByText('large').click();
  await page.keyboard.press('End');
  await page.keyboard.type('-jk-and-other-keys-of-the-console-?g');
  await page.locator('.cm-content').getByText('large-jk-and-other-keys-of-the-console-?g').waitFor();
  await page.context().close();
});

test('a write that the server refuses keeps the text and says why', async () => {
  const page = await browser.open(`${server.url}/console/#/object/configmaps/default/settings?tab=edit`);
  await page.locator('.cm-content').getByText('large').waitFor();
  await setText(page, yaml('red').replace('data:', 'date:'));
  await page.getByRole('button', { name: 'Apply', exact: true }).click();
  await page.getByRole('alert').waitFor();
  assert.match((await page.getByRole('alert').textContent()) ?? '', /date/);
  assert.match((await page.locator('.cm-content').textContent()) ?? '', /date:/);
  await page.context().close();
});

test('a user without the permission to write is refused', async () => {
  await server.request('/apis/rbac.authorization.orch.io/v1/clusterrolebindings', 'POST', {
    metadata: { name: 'jane-views' },
    roleRef: { apiGroup: 'rbac.authorization.orch.io', kind: 'ClusterRole', name: 'view' },
    subjects: [{ apiGroup: 'rbac.authorization.orch.io', kind: 'User', name: 'jane' }],
  });
  const page = await browser.open(
    `${server.secureUrl}/console/#/object/configmaps/default/settings?tab=edit`,
  );
  await page.getByLabel('Token').fill(tokens.jane);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('.cm-content').getByText('large').waitFor();
  await page.getByRole('button', { name: 'Apply', exact: true }).click();
  await page.getByText('User "jane" cannot patch resource "configmaps"').waitFor();
  await page.context().close();
});

test('an object is created from YAML', async () => {
  const page = await browser.open(`${server.url}/console/#/kind/configmaps?ns=default`);
  await page.getByRole('link', { name: 'Create' }).click();
  await page.locator('.cm-content').waitFor();
  await setText(page, yaml('green').replace('name: settings', 'name: created'));
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('link', { name: 'created' }).waitFor();
  await page.context().close();
});
