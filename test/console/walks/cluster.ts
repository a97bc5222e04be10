// Walks: the cluster with simulated nodes, and the server with its plots.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible, TestBrowser } from '../browser.ts';
import { ConsoleServer, tokens } from '../console-server.ts';

const server = new ConsoleServer({ nodes: 3 });
const browser = new TestBrowser();

test('nodes show their pods, a rollout moves, and a node fails and recovers by a click', async () => {
  const page = await browser.open(`${server.url}/console/#/cluster`);
  await page.getByRole('article', { name: 'node-2' }).waitFor();
  await server.request('/apis/apps/v1/namespaces/default/deployments', 'POST', {
    metadata: { name: 'web' },
    spec: {
      replicas: 6,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'c', image: 'nginx' }] },
      },
    },
  });
  await page.locator('.pod.good').nth(5).waitFor();
  await page
    .getByRole('row', { name: /web default/ })
    .getByText('6 of 6')
    .first()
    .waitFor();
  await assertAccessible(page);
  const node = page.getByRole('article', { name: 'node-1' });
  await node.getByRole('button', { name: 'Fail' }).click();
  await node.getByText('failed').waitFor();
  const { metadata } = await server.request<{ metadata: { annotations: Record<string, string> } }>(
    '/api/v1/nodes/node-1',
  );
  assert.equal(metadata.annotations['simulation.orch.io/failed'], 'true');
  await node.getByRole('button', { name: 'Recover' }).click();
  await node.getByText('ready', { exact: true }).waitFor();
  await node.getByRole('button', { name: 'Cordon' }).click();
  await node.getByText('ready, cordoned').waitFor();
  await page.context().close();
});

test('the server view plots metrics, and lists priority levels and queues', async () => {
  const page = await browser.open(`${server.url}/console/#/server`);
  await page.locator('.plot canvas').nth(7).waitFor();
  await page.getByRole('cell', { name: 'workload-high' }).waitFor();
  await page
    .locator('.plot', { hasText: 'memory MB' })
    .locator('.plot-value', { hasText: /^[1-9]/ })
    .first()
    .waitFor();
  await assertAccessible(page);
  await page.context().close();
});

test('a user who may not read the metrics sees why', async () => {
  const page = await browser.open(`${server.secureUrl}/console/#/server`);
  await page.getByLabel('Token').fill(tokens.jane);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('User "jane" cannot get path "/metrics"').waitFor();
  await page.context().close();
});
