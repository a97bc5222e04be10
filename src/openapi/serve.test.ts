// /openapi/v2 and /openapi/v3 over HTTP.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { WireReader } from '../codec/protobuf/wire-reader.ts';
import { dialects } from '../dialect/index.ts';
import { type EmbeddedServer, startServer } from '../index.ts';

const protobufType = (version: string, separator = '@') =>
  `application/com.github.proto-openapi.spec.${version}${separator}v1.0+protobuf`;

describe('/openapi', () => {
  let server: EmbeddedServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${server.url}${path}`, { redirect: 'manual', headers: { 'accept-encoding': '', ...headers } });
  const index = async (): Promise<Record<string, { serverRelativeURL: string }>> =>
    (JSON.parse(await (await get('/openapi/v3')).text()) as { paths: never }).paths;

  test('the index has a document for every group version, every group and the other paths', async () => {
    const answer = await get('/openapi/v3');
    assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8');
    const paths = Object.keys(await index());
    const coordination = dialects.orch.apiVersion('coordination', 'v1');
    const expected = [
      'api',
      'api/v1',
      'apis',
      'apis/apps',
      'apis/apps/v1',
      `apis/${coordination}`,
      'version',
    ];
    for (const path of expected) assert.ok(paths.includes(path), `${path} in ${paths}`);
  });

  test('a document is immutable for caches if requested by its hash', async () => {
    const url = (await index())['api/v1']!.serverRelativeURL;
    const kept = await get(url);
    assert.equal(kept.status, 200);
    assert.equal(kept.headers.get('cache-control'), 'public, immutable');
    assert.equal(kept.headers.get('etag'), `"${new URL(url, server.url).searchParams.get('hash')}"`);
    assert.equal(kept.headers.get('vary'), 'Accept');
    const current = await get('/openapi/v3/api/v1');
    assert.equal(current.headers.get('cache-control'), 'no-cache, private');
    assert.equal(await current.text(), await kept.text());
  });

  test('If-None-Match with the current ETag gets 304', async () => {
    const etag = (await get('/openapi/v3/api/v1')).headers.get('etag')!;
    const same = await get('/openapi/v3/api/v1', { 'if-none-match': etag });
    assert.equal(same.status, 304);
    assert.equal(same.headers.get('etag'), etag);
    assert.equal(await same.text(), '');
    assert.equal((await get('/openapi/v3/api/v1', { 'if-none-match': '"other"' })).status, 200);
  });

  test('Range requests get 206, and 416 beyond the end', async () => {
    const whole = await (await get('/openapi/v3/version')).text();
    const part = await get('/openapi/v3/version', { range: 'bytes=2-8' });
    assert.equal(part.status, 206);
    assert.equal(part.headers.get('content-range'), `bytes 2-8/${whole.length}`);
    assert.equal(await part.text(), whole.slice(2, 9));
    const end = await get('/openapi/v3/version', { range: 'bytes=-5' });
    assert.equal(await end.text(), whole.slice(-5));
    assert.equal((await get('/openapi/v3/version', { range: 'bytes=1000000-' })).status, 416);
    assert.equal(await (await get('/openapi/v3/version', { range: 'lines=1-2' })).text(), 'invalid range\n');
    assert.equal((await get('/openapi/v3/version', { range: 'bytes=0-1,3-4' })).status, 200);
  });

  test('an outdated hash redirects to the current one', async () => {
    const answer = await get('/openapi/v3/api/v1?hash=OLD');
    assert.equal(answer.status, 301);
    assert.equal(answer.headers.get('location'), (await index())['api/v1']!.serverRelativeURL);
  });

  test('a path without a document gets 404', async () => {
    for (const path of ['apis/example.com/v1', 'version/', '']) {
      const answer = await get(`/openapi/v3/${path}`);
      assert.equal(answer.status, 404, path);
      assert.equal(await answer.text(), '');
    }
  });

  test('documents are served as JSON or Protobuf, by both media types of it', async () => {
    for (const [path, version] of [
      ['/openapi/v3/version', 'v3'],
      ['/openapi/v2', 'v2'],
    ] as const) {
      for (const accept of [protobufType(version, '@'), protobufType(version, '.')]) {
        const answer = await get(path, { accept });
        assert.equal(answer.headers.get('content-type'), protobufType(version, '.'));
        const reader = new WireReader(Buffer.from(await answer.arrayBuffer()));
        assert.equal(reader.tag().number, 1);
        assert.equal(reader.string(), version === 'v3' ? '3.0.0' : '2.0');
      }
      assert.equal((await get(path, { accept: 'application/yaml' })).status, 406);
      const either = { accept: `application/json;q=0.5, ${protobufType(version)}` };
      assert.equal((await get(path, either)).headers.get('content-type'), protobufType(version, '.'));
      assert.equal((await get(path, { accept: '*/*' })).headers.get('content-type'), 'application/json');
    }
  });

  test('v2 is one document, compressed if the client accepts gzip', async () => {
    const plain = await get('/openapi/v2');
    assert.equal(plain.headers.get('content-encoding'), null);
    assert.equal(plain.headers.get('vary'), 'Accept-Encoding, Accept');
    const zipped = await get('/openapi/v2', { 'accept-encoding': 'gzip' });
    assert.equal(zipped.headers.get('content-encoding'), 'gzip');
    assert.equal(await zipped.text(), await plain.text());
  });

  test('writes have the parameter fieldValidation, and operations the group-version-kind extension', async () => {
    const { paths } = (await (await get('/openapi/v3/api/v1')).json()) as {
      paths: Record<string, Record<string, { parameters: { name: string }[] }>>;
    };
    const item = paths['/api/v1/namespaces/{namespace}/configmaps/{name}'];
    const extension = `${dialects.orch.extensionPrefix}group-version-kind` as 'parameters';
    for (const method of ['put', 'patch']) {
      const names = item?.[method]?.parameters.map(({ name }) => name);
      assert.ok(names?.includes('fieldValidation'), method);
      assert.deepEqual(item?.[method]?.[extension], { group: '', version: 'v1', kind: 'ConfigMap' });
    }
    assert.deepEqual(Object.keys(paths['/api/v1/configmaps'] ?? {}), ['get', 'parameters']);
  });
});
