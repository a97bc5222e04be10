// Tests of reading other servers' OpenAPI documents.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { version2Of, version3UrlIn } from './remote-openapi.ts';

const name = 'apis/things.example.com/v1';

test('version2Of keeps the paths and referenced definitions of a version, with inlined parameters', async () => {
  const get = {
    parameters: [{ $ref: '#/parameters/pretty' }],
    responses: { 200: { schema: { $ref: '#/definitions/Thing' } } },
  };
  const found = await version2Of(
    {
      paths: { [`/${name}/things`]: { get }, '/api/v1/pods': { get }, [`/${name}beta1/things`]: { get } },
      definitions: {
        Thing: { properties: { part: { $ref: '#/definitions/Part' } } },
        Part: { properties: { whole: { $ref: '#/definitions/Thing' } } },
        Unused: {},
      },
      parameters: { pretty: { name: 'pretty', in: 'query' } },
    },
    name,
  );
  assert.deepEqual(Object.keys(found?.paths ?? {}), [`/${name}/things`]);
  assert.deepEqual(Object.keys(found?.definitions ?? {}), ['Part', 'Thing']);
  assert.match(JSON.stringify(found?.paths), /"parameters":\[\{"name":"pretty","in":"query"\}\]/);
});

test('version2Of returns undefined for invalid or too deeply nested documents', async () => {
  for (const said of [undefined, null, [], 'x', {}, { paths: [] }, { paths: { [`/${name}/x`]: 1 } }]) {
    assert.equal(await version2Of(said, name), undefined);
  }
  let deep: object = {};
  for (let i = 0; i < 5_000; i++) deep = { deep };
  assert.equal(await version2Of({ paths: { [`/${name}/x`]: deep } }, name), undefined);
  const definitions = { Deep: deep };
  const get = { $ref: '#/definitions/Deep' };
  assert.equal(await version2Of({ paths: { [`/${name}/x`]: { get } }, definitions }, name), undefined);
});

test('version2Of supports definitions named like properties of Object.prototype', async () => {
  const document = JSON.parse(
    `{"paths":{"/${name}/x":{"__proto__":{"a":1},"$ref":"#/definitions/__proto__"}},"definitions":{"__proto__":{"b":2}}}`,
  ) as object;
  const found = await version2Of(document, name);
  assert.ok(Object.hasOwn(found?.definitions ?? {}, '__proto__'));
  assert.equal(({} as { a?: number; b?: number }).a, undefined);
});

test('version3UrlIn accepts only a URL of the version on the same server', () => {
  const address = `/openapi/v3/${name}?hash=A`;
  const index = (serverRelativeURL: unknown) => ({ paths: { [name]: { serverRelativeURL } } });
  assert.equal(version3UrlIn(index(address), name), address);
  assert.equal(version3UrlIn(index('https://elsewhere.example.com/'), name), undefined);
  assert.equal(version3UrlIn(index(7), name), undefined);
  assert.equal(version3UrlIn({}, name), undefined);
});
