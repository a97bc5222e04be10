// Walks: the history of an object, what a revision changed, and an object that comes back after its deletion.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible, TestBrowser } from '../browser.ts';
import { ConsoleServer } from '../console-server.ts';

const server = new ConsoleServer();
const browser = new TestBrowser();
const path = '/api/v1/namespaces/default/configmaps/plan';
const read = () => server.request<{ data: Record<string, string> }>(path);

test('a slider shows what each revision changed, a state is restored, and a deleted object is created again', async () => {
  await server.createConfigMap('plan', { step: 'one' });
  for (const step of ['two', 'three']) {
    await server.request(path, 'PATCH', { data: { step } }, 'application/merge-patch+json');
  }
  const page = await browser.open(`${server.url}/console/#/object/configmaps/default/plan?tab=history`);
  await page.locator('.diff .added', { hasText: 'step: three' }).waitFor();
  await assertAccessible(page);
  await page.getByRole('slider', { name: 'Revision' }).press('ArrowLeft');
  await page.locator('.diff .removed', { hasText: 'step: one' }).waitFor();
  await page.getByRole('button', { name: 'Restore this state' }).click();
  await page.getByText('is as it was at revision').waitFor();
  assert.equal((await read()).data.step, 'two');
  await server.remove('configmaps', 'plan');
  await page.getByText('This object was deleted').waitFor();
  await page.getByRole('button', { name: 'Create again' }).click();
  await page.getByText('This object was deleted').waitFor({ state: 'detached' });
  assert.equal((await read()).data.step, 'two');
  await page.context().close();
});
