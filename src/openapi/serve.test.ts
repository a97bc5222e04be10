import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { dialects } from '../dialect/index.ts';
import { type EmbeddedServer, startServer } from '../index.ts';

describe('/openapi/v3', () => {
  let server: EmbeddedServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());

  const get = (path: string) => fetch(`${server.url}${path}`, { redirect: 'manual' });
  const index = async (): Promise<Record<string, { serverRelativeURL: string }>> =>
    (JSON.parse(await (await get('/openapi/v3')).text()) as { paths: never }).paths;

  test('names a document for every group version', async () => {
    const paths = Object.keys(await index());
    for (const path of ['api/v1', 'apis/apps/v1', `apis/${dialects.orch.apiVersion('coordination', 'v1')}`]) {
      assert.ok(paths.includes(path), `${path} in ${paths}`);
    }
  });

  test('gives the document of a hash for good, and of none for now', async () => {
    const url = (await index())['api/v1']!.serverRelativeURL;
    const kept = await get(url);
    assert.equal(kept.status, 200);
    assert.equal(kept.headers.get('cache-control'), 'public, immutable');
    assert.equal(kept.headers.get('etag'), `"${new URL(url, server.url).searchParams.get('hash')}"`);
    const current = await get('/openapi/v3/api/v1');
    assert.equal(current.headers.get('cache-control'), 'no-cache, private');
    assert.equal(await current.text(), await kept.text());
  });

  test('leads from an outdated hash to the current one', async () => {
    const answer = await get('/openapi/v3/api/v1?hash=OLD');
    assert.equal(answer.status, 301);
    assert.equal(answer.headers.get('location'), (await index())['api/v1']!.serverRelativeURL);
  });

  test('knows no document of what is not served', async () => {
    assert.equal((await get('/openapi/v3/apis/example.com/v1')).status, 404);
  });

  test('tells that writes take fieldValidation, and of which kind a path is', async () => {
    const { paths } = (await (await get('/openapi/v3/api/v1')).json()) as {
      paths: Record<string, Record<string, { parameters: { name: string }[] }>>;
    };
    const item = paths['/api/v1/namespaces/{namespace}/configmaps/{name}'];
    for (const method of ['put', 'patch']) {
      assert.ok(
        item?.[method]?.parameters.some(({ name }) => name === 'fieldValidation'),
        method,
      );
      assert.deepEqual(
        item?.[method]?.[`${dialects.orch.extensionPrefix}group-version-kind` as 'parameters'],
        {
          group: '',
          version: 'v1',
          kind: 'ConfigMap',
        },
      );
    }
    assert.deepEqual(Object.keys(paths['/api/v1/configmaps'] ?? {}), ['parameters', 'get']);
  });
});
