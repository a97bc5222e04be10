// Walks: an object with its fields, conditions, events, graph and blame.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible, TestBrowser } from '../browser.ts';
import { ConsoleServer } from '../console-server.ts';

const server = new ConsoleServer({ nodes: 2 });
const browser = new TestBrowser();
const deployments = '/apis/apps/v1/namespaces/default/deployments';

test('a deployment has an overview, YAML, fields, events, a graph and blame', async () => {
  await server.request(
    `${deployments}/web?fieldManager=alice`,
    'PATCH',
    deployment(2),
    'application/apply-patch+yaml',
  );
  const page = await browser.open(`${server.url}/console/#/object/deployments.apps/default/web`);
  await page.getByText('Available is True').waitFor();
  await assertAccessible(page);

  await page.getByRole('link', { name: 'YAML' }).click();
  await page.getByText('image:').waitFor();
  assert.doesNotMatch((await page.locator('.yaml').textContent()) ?? '', /managedFields/);
  await assertAccessible(page);

  await page.getByRole('link', { name: 'Fields' }).click();
  await page.getByRole('button', { name: 'spec' }).waitFor();
  await page.getByText('Show fields that are not set').click();
  await page.getByText('minReadySeconds').first().waitFor();
  await assertAccessible(page);

  await page.getByRole('link', { name: 'Events' }).click();
  await page.getByRole('cell', { name: 'ScalingReplicaSet' }).first().waitFor();
  await assertAccessible(page);

  await page.getByRole('link', { name: 'Graph' }).click();
  await page.locator('.node-label', { hasText: 'ReplicaSet' }).waitFor();
  assert.equal(await page.locator('.node-label', { hasText: 'Pod' }).count(), 2);
  await assertAccessible(page);

  await page.getByRole('link', { name: 'Blame' }).click();
  const line = page.locator('.blame tr', { hasText: 'replicas: 2' }).first();
  assert.match((await line.textContent()) ?? '', /alice\s*Apply/);
  await server.request(
    `${deployments}/web?fieldManager=bob`,
    'PATCH',
    { spec: { replicas: 3 } },
    'application/merge-patch+json',
  );
  await page.locator('.blame tr', { hasText: 'replicas: 3' }).filter({ hasText: 'bob' }).waitFor();
  await assertAccessible(page);

  await server.request(`${deployments}/web`, 'DELETE');
  await page.getByText('This object was deleted').waitFor();
  await page.context().close();
});

test('an object that does not exist is reported', async () => {
  const page = await browser.open(`${server.url}/console/#/object/configmaps/default/none`);
  await page.getByText('configmaps "none" not found').waitFor();
  await assertAccessible(page);
  await page.context().close();
});

const deployment = (replicas: number) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'nginx' }] } },
  },
});
