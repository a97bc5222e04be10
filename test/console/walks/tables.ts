// Walks: live tables of every kind, filter, order, search, keys, small screens, sign-in, lost connections.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible, TestBrowser } from '../browser.ts';
import { ConsoleServer, tokens } from '../console-server.ts';

const server = new ConsoleServer();
const browser = new TestBrowser();

test('a table follows the server, and shows the columns of the server', async () => {
  await server.createConfigMap('alpha', { color: 'red' });
  const page = await browser.open(`${server.url}/`);
  assert.ok(page.url().endsWith('/console/'));
  await page.getByRole('link', { name: 'ConfigMap', exact: true }).first().click();
  await page.getByRole('link', { name: 'alpha' }).waitFor();
  const headers = (await page.getByRole('columnheader').allInnerTexts()).map((text) => text.split('\n')[0]);
  assert.deepEqual(headers, ['Namespace', 'Name', 'Data', 'Age']);
  await server.createConfigMap('beta');
  await page.getByRole('link', { name: 'beta' }).waitFor();
  await server.remove('configmaps', 'beta');
  await page.getByRole('link', { name: 'beta' }).waitFor({ state: 'detached' });
  await assertAccessible(page);
  await page.context().close();
});

test('custom resources have a table with their printer columns', async () => {
  await server.request('/apis/apiextensions.orch.io/v1/customresourcedefinitions', 'POST', gadgets);
  const path = '/apis/example.com/v1/namespaces/default/gadgets';
  await server.untilServed(path);
  await server.request(path, 'POST', {
    apiVersion: 'example.com/v1',
    kind: 'Gadget',
    metadata: { name: 'lamp' },
    spec: { color: 'green' },
  });
  const page = await browser.open(`${server.url}/console/#/kind/gadgets.example.com`);
  await page.getByRole('gridcell', { name: 'green' }).waitFor();
  await page.context().close();
});

test('rows are filtered by words and labels, and ordered by a column', async () => {
  await server.createConfigMap('one', { a: '1', b: '2' }, { team: 'red' });
  await server.createConfigMap('two', { a: '1' }, { team: 'blue' });
  const page = await browser.open(`${server.url}/console/#/kind/configmaps?ns=default`);
  await page.getByRole('link', { name: 'two', exact: true }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('team=red');
  await page.getByRole('link', { name: 'two', exact: true }).waitFor({ state: 'detached' });
  assert.equal(await page.getByRole('link', { name: 'one', exact: true }).count(), 1);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'two', exact: true }).waitFor();
  const names = () => page.locator('.rows a').allInnerTexts();
  await page.getByRole('button', { name: 'Data' }).click();
  await page.getByRole('button', { name: 'Data' }).click();
  await page.locator('[role=columnheader][aria-sort=descending]').waitFor();
  const ordered = await names();
  assert.ok(ordered.indexOf('one') < ordered.indexOf('two'), ordered.join());
  await page.context().close();
});

test('keys select rows, open objects and go to kinds', async () => {
  const page = await browser.open(`${server.url}/console/`);
  await page.getByRole('heading', { name: /^Orch/ }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('c');
  await page.waitForURL(/kind\/configmaps/);
  await page.locator('.row').nth(1).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.locator('.row[aria-selected=true]').waitFor();
  const name = await page.locator('.row[aria-selected=true] a').textContent();
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`object/configmaps/[^/]+/${name}`));
  await page.keyboard.press('Escape');
  await page.waitForURL(/kind\/configmaps/);
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await assertAccessible(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('g');
  await page.keyboard.press('g');
  await page.getByRole('combobox', { name: 'Kind' }).waitFor();
  await page.keyboard.type('deploy');
  await page.keyboard.press('Enter');
  await page.waitForURL(/kind\/deployments\.apps/);
  await page.context().close();
});

test('search finds objects of several kinds', async () => {
  await server.createConfigMap('shared-name');
  await server.request('/api/v1/namespaces/default/secrets', 'POST', { metadata: { name: 'shared-name' } });
  const page = await browser.open(`${server.url}/console/#/search`);
  await page.getByRole('searchbox', { name: 'Search all kinds' }).fill('shared-name');
  await page.locator('.found li').nth(1).waitFor();
  assert.deepEqual((await page.locator('.found li .muted').allInnerTexts()).sort(), [
    'ConfigMap in default',
    'Secret in default',
  ]);
  await assertAccessible(page);
  await page.context().close();
});

test('the guarded port asks for a token, and shows what the user may see', async () => {
  const page = await browser.open(`${server.secureUrl}/console/#/kind/secrets`);
  await page.getByRole('heading', { name: 'Sign in to Orch' }).waitFor();
  await assertAccessible(page);
  await page.getByLabel('Token').fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('does not accept this token').waitFor();
  await page.getByLabel('Token').fill(tokens.jane);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('You may not list these objects').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Token').fill(tokens.admin);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('live', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'shared-name' }).waitFor();
  assert.equal(await page.evaluate('document.cookie + localStorage.length'), '0');
  const other = await page.context().newPage();
  await other.goto(`${server.secureUrl}/console/`);
  await other.getByRole('heading', { name: 'Sign in to Orch' }).waitFor();
  await page.context().close();
});

test('a lost connection comes back without losing rows', async () => {
  const page = await browser.open(`${server.url}/console/#/kind/configmaps?ns=default`);
  await page.getByRole('link', { name: 'alpha' }).waitFor();
  await page.getByText('live', { exact: true }).waitFor();
  const httpPort = Number(new URL(server.url).port);
  await server.stop();
  await page.getByText('reconnecting').waitFor();
  assert.equal(await page.getByRole('link', { name: 'alpha' }).count(), 1);
  await server.start({ httpPort });
  await server.createConfigMap('after-restart');
  await page.getByRole('link', { name: 'after-restart' }).waitFor();
  assert.equal(await page.getByRole('link', { name: 'alpha' }).count(), 1);
  await page.getByText('live', { exact: true }).waitFor();
  await page.context().close();
});

test('ten thousand live rows: a few are rendered, and every change arrives', async () => {
  await server.request('/api/v1/namespaces', 'POST', { metadata: { name: 'many' } });
  const path = '/api/v1/namespaces/many/configmaps';
  const count = 10_000;
  const names = Array.from({ length: count }, (_, i) => `row-${String(i).padStart(5, '0')}`);
  const workers = Array.from({ length: 16 }, async () => {
    for (let name = names.pop(); name; name = names.pop()) {
      await server.request(path, 'POST', { metadata: { name }, data: { a: '1' } });
    }
  });
  await Promise.all(workers);
  const page = await browser.open(`${server.url}/console/#/kind/configmaps?ns=many`);
  const total = page.getByLabel('Number of rows');
  await page.locator('.count', { hasText: /^10001$/ }).waitFor();
  assert.ok((await page.locator('.row').count()) < 80);
  await page.evaluate('document.querySelector(".grid").scrollTop = 1e9');
  await page.getByRole('link', { name: 'row-09999' }).waitFor();
  await server.request(
    `${path}/row-09999`,
    'PATCH',
    { data: { b: '2', c: '3' } },
    'application/merge-patch+json',
  );
  await page
    .locator('.row', { hasText: 'row-09999' })
    .getByRole('gridcell', { name: '3', exact: true })
    .waitFor();
  await server.request(path, 'POST', { metadata: { name: 'zz-last' } });
  await page.locator('.count', { hasText: /^10002$/ }).waitFor();
  assert.equal(await total.textContent(), '10002');
  await page.context().close();
});

test('at 375 pixels nothing is wider than the screen, in light and dark', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.open(`${server.url}/console/#/kind/configmaps?ns=default`, {
      viewport: { width: 375, height: 740 },
      colorScheme,
    });
    await page.getByRole('link', { name: 'alpha' }).waitFor();
    assert.ok(((await page.evaluate('document.documentElement.scrollWidth')) as number) <= 375);
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Secret', exact: true }).click();
    await page.waitForURL(/kind\/secrets/);
    await page.context().close();
  }
});

const gadgets = {
  apiVersion: 'apiextensions.orch.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gadgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { color: { type: 'string' } } } },
          },
        },
        additionalPrinterColumns: [{ name: 'Color', type: 'string', jsonPath: '.spec.color' }],
      },
    ],
  },
};
