// npm run test:console -- --screenshots: the pictures of docs/guide/console.md.
import { mkdirSync } from 'node:fs';
import { test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { TestBrowser } from './browser.ts';
import { ConsoleServer } from './console-server.ts';

/** Name of the only picture to take. */
const only = process.env.ORCH_SCREENSHOT;
const folder = 'docs/guide/images';
const server = new ConsoleServer({ nodes: 3, dialect: 'kubernetes' });
const browser = new TestBrowser();

async function shoot(
  name: string,
  route: string,
  ready: (page: Page) => Promise<unknown>,
  options: BrowserContextOptions = {},
): Promise<void> {
  if (only !== undefined && only !== name) return;
  const page = await browser.open(`${server.url}/console/${route}`, {
    viewport: { width: 1200, height: 720 },
    ...options,
  });
  await ready(page);
  await page.screenshot({ path: `${folder}/console-${name}.png` });
  await page.context().close();
}

test('screenshots', async () => {
  mkdirSync(folder, { recursive: true });
  const apply = (path: string, manager: string, object: unknown) =>
    server.request(
      `${path}?fieldManager=${manager}&force=true`,
      'PATCH',
      object,
      'application/apply-patch+yaml',
    );
  await server.request('/api/v1/namespaces', 'POST', { metadata: { name: 'shop' } });
  for (const [name, replicas] of [
    ['web', 8],
    ['cart', 4],
    ['checkout', 3],
  ] as const) {
    await apply(`/apis/apps/v1/namespaces/shop/deployments/${name}`, 'ci', deployment(name, replicas));
  }
  const web = '/apis/apps/v1/namespaces/shop/deployments/web';
  await apply(
    '/api/v1/namespaces/shop/configmaps/settings',
    'alice',
    settings({ color: 'teal', currency: 'EUR', size: 'large' }),
  );
  await apply(
    '/api/v1/namespaces/shop/configmaps/settings',
    'alice',
    settings({ color: 'teal', currency: 'CHF', size: 'large' }),
  );
  await server.request(
    `${web}?fieldManager=bob`,
    'PATCH',
    { metadata: { annotations: { note: 'spring sale' } } },
    'application/merge-patch+json',
  );

  const rows = (page: Page) => page.locator('.status.good').nth(5).waitFor();
  await shoot('tables', '#/kind/pods?ns=shop', rows);
  await shoot('dark', '#/kind/pods?ns=shop', rows, { colorScheme: 'dark' });
  await shoot('small', '#/kind/pods?ns=shop', rows, { viewport: { width: 375, height: 720 } });
  await shoot('search', '#/search?q=web', (page) => page.locator('.found li').nth(9).waitFor());
  await shoot('object', '#/object/deployments.apps/shop/web', (page) =>
    page.getByText('Available is True').waitFor(),
  );
  await shoot('graph', '#/object/deployments.apps/shop/web?tab=graph', (page) =>
    page.locator('.node-label').nth(8).waitFor(),
  );
  await shoot('fields', '#/object/deployments.apps/shop/web?tab=fields', (page) =>
    page.getByText('progressDeadlineSeconds').waitFor(),
  );
  await shoot('blame', '#/object/deployments.apps/shop/web?tab=blame', (page) =>
    page.locator('.blame .line').nth(20).waitFor(),
  );
  await shoot('edit', '#/object/configmaps/shop/settings?tab=edit', async (page) => {
    await page.locator('.cm-content').getByText('teal').click();
    await page.keyboard.press('End');
    await page.keyboard.type('-green');
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.locator('.conflicts').waitFor();
    await page.getByRole('button', { name: 'Dry run with force' }).click();
    await page.locator('.diff .added').waitFor();
    await page.locator('.diff').scrollIntoViewIfNeeded();
  });
  await shoot('history', '#/object/configmaps/shop/settings?tab=history', (page) =>
    page.locator('.diff .added').first().waitFor(),
  );
  await shoot('access', '#/object/configmaps/shop/settings?tab=access', (page) =>
    page.locator('.plain tbody tr').nth(2).waitFor(),
  );
  await shoot('cluster', '#/cluster', async (page) => {
    await page.locator('.pod.good').nth(14).waitFor();
    await page.getByRole('article', { name: 'node-1' }).getByRole('button', { name: 'Fail' }).click();
    await page.getByText('failed').first().waitFor();
  });
  await shoot('server', '#/server', async (page) => {
    await page.locator('.plot canvas').nth(7).waitFor();
    for (let i = 0; i < 40; i++) {
      await server.request('/api/v1/namespaces/shop/pods');
      await server.request(
        web,
        'PATCH',
        { metadata: { labels: { round: String(i) } } },
        'application/merge-patch+json',
      );
      await page.waitForTimeout(300);
    }
  });
  await shootSignIn();
});

async function shootSignIn(): Promise<void> {
  const page = await browser.open(`${server.secureUrl}/console/`, { viewport: { width: 1200, height: 720 } });
  await page.getByRole('heading', { name: 'Sign in to Orch' }).waitFor();
  await page.screenshot({ path: `${folder}/console-sign-in.png` });
  await page.context().close();
}

const settings = (data: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'settings' },
  data,
});

const deployment = (name: string, replicas: number) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, labels: { app: name, team: 'shop' } },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name, team: 'shop' } },
      spec: { containers: [{ name, image: `registry.example.com/${name}:1.4` }] },
    },
  },
});
