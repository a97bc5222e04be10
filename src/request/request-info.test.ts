// RequestInfo of method and path.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MalformedRequest, readRequestInfo } from './request-info.ts';

function brief(method: string, target: string): string {
  const info = readRequestInfo(method, target);
  if (!info.isResource) return `${info.verb} path ${info.path}`;
  const resource = info.subresource === '' ? info.resource : `${info.resource}/${info.subresource}`;
  return `${info.verb} ${info.group}|${info.version}|${info.namespace}|${resource}|${info.name}${info.isRoutable ? '' : ' unroutable'}`;
}

const cases: readonly (readonly [string, string, string])[] = [
  ['GET', '/', 'get path /'],
  ['GET', '/api', 'get path /api'],
  ['GET', '/api/v1', 'get path /api/v1'],
  ['GET', '/apis/apps/v1', 'get path /apis/apps/v1'],
  ['FOO', '/foo', 'foo path /foo'],
  ['GET', '/api/v1/namespaces', 'list |v1||namespaces|'],
  ['GET', '/api/v1/namespaces/', 'list |v1||namespaces|'],
  ['GET', '/api/v1/namespaces/foo', 'get |v1|foo|namespaces|foo'],
  ['GET', '/api/v1/namespaces/foo/status', 'get |v1|foo|namespaces/status|foo'],
  ['PUT', '/api/v1/namespaces/foo/finalize', 'update |v1|foo|namespaces/finalize|foo'],
  ['GET', '/api/v1/namespaces/foo/bar', 'list |v1|foo|bar|'],
  ['GET', '/api/v1/namespaces/foo/bar/baz', 'get |v1|foo|bar|baz'],
  ['GET', '/api/v1/namespaces/foo/bar/baz/q', 'get |v1|foo|bar/q|baz'],
  ['GET', '/api/v1/namespaces/foo/bar/baz/q/r', 'get |v1|foo|bar/q|baz unroutable'],
  ['GET', '/api/v1/namespaces//configmaps', 'list |v1||configmaps|'],
  ['GET', '/api/v1/namespaces/x/configmaps//y', 'list |v1|x|configmaps/y| unroutable'],
  ['GET', '//api/v1/pods', 'list |v1||pods| unroutable'],
  ['GET', '/apis//apps/v1/deployments', 'get |apps||v1|deployments unroutable'],
  ['GET', '/apis//v1/pods', 'list |v1||pods| unroutable'],
  ['GET', '/apis/apps/v1//deployments', 'get apps|v1|||deployments'],
  ['GET', '/apis/apps/v1/namespaces/x/deployments/y/scale', 'get apps|v1|x|deployments/scale|y'],
  ['HEAD', '/api/v1/configmaps', 'list |v1||configmaps|'],
  ['POST', '/api/v1/configmaps?watch=1', 'create |v1||configmaps|'],
  ['DELETE', '/api/v1/configmaps?fieldSelector=metadata.name%3Dfoo', 'deletecollection |v1||configmaps|'],
  ['DELETE', '/api/v1/nodes/x', 'delete |v1||nodes|x'],
  ['FOO', '/api/v1/nodes/x', ' |v1||nodes|x'],
  ['GET', '/api/v1/watch/namespaces/default/configmaps', 'watch |v1|default|configmaps|'],
  ['GET', '/api/v1/watch/namespaces/foo', 'watch |v1|foo|namespaces|foo'],
  ['DELETE', '/api/v1/watch/configmaps', 'watch |v1||configmaps|'],
  ['GET', '/api/v1/proxy/nodes/x/y/z', 'proxy |v1||nodes|x unroutable'],
  ['GET', '/api/v1/pods?watch', 'watch |v1||pods|'],
  ['GET', '/api/v1/pods?watch=foo', 'watch |v1||pods|'],
  ['GET', '/api/v1/pods?watch=0', 'list |v1||pods|'],
  ['GET', '/api/v1/pods?watch=False', 'list |v1||pods|'],
  ['GET', '/api/v1/pods?watch=false&watch=true', 'list |v1||pods|'],
  ['GET', '/api/v1/pods/x?watch=true', 'get |v1||pods|x'],
  ['GET', '/api/v1/pods?fieldSelector=metadata.name%3Dfoo', 'list |v1||pods|foo'],
  ['GET', '/api/v1/pods?watch=1&fieldSelector=a%3Db,metadata.name%3D%3Dfoo', 'watch |v1||pods|foo'],
  ['GET', '/api/v1/pods?fieldSelector=metadata.name!%3Dfoo', 'list |v1||pods|'],
  ['GET', '/api/v1/pods?fieldSelector=metadata.name%3D..', 'list |v1||pods|'],
  ['GET', '/api/v1/namespaces/de%66ault', 'get |v1|default|namespaces|default'],
  ['GET', '/api/v1/namespaces/%2e%2e/configmaps/a%2fb', 'get |v1|..|configmaps/b|a'],
  ['GET', '/api/v1/pods/%ff', 'get |v1||pods|\ufffd'],
  ['GET', 'https://example.org/api/v1/pods?watch=1', 'watch |v1||pods|'],
];

for (const [method, target, expected] of cases) {
  test(`${method} ${target} reads as ${expected}`, () => assert.equal(brief(method, target), expected));
}

test('a path without a resource after watch/ or proxy/ is rejected with the message of upstream', () => {
  for (const path of ['/api/v1/watch', '/api/v1/watch/', '/api/v1/proxy/']) {
    assert.throws(() => readRequestInfo('GET', path), {
      constructor: MalformedRequest,
      code: 500,
      message: `Internal Server Error: "${path}": failed to create RequestInfo: unable to determine kind and namespace from url, ${path}`,
    });
  }
});

test('a malformed percent escape is 400', () => {
  assert.throws(() => readRequestInfo('GET', '/api/v1/namespaces/%zz'), { code: 400 });
});

test('list, watch and deletecollection have their selectors as restrictions, as far as they can be parsed', () => {
  const path = '/api/v1/pods?labelSelector=a%3Db&fieldSelector=spec.nodeName%3Dn';
  const { restrictions } = readRequestInfo('GET', path);
  assert.deepEqual(restrictions?.labels.requirements, [{ key: 'a', operator: 'in', values: ['b'] }]);
  assert.deepEqual(restrictions?.fields.requirements, [{ field: 'spec.nodeName', value: 'n', equal: true }]);
  assert.equal(
    readRequestInfo('DELETE', '/api/v1/pods?labelSelector=a+b').restrictions?.labels.isMalformed,
    true,
  );
  assert.equal(readRequestInfo('GET', '/api/v1/namespaces/n/pods/p?labelSelector=a').restrictions, undefined);
  // What the list does not read restricts nothing either.
  assert.deepEqual(
    readRequestInfo('GET', '/api/v1/pods?labelSelector=a;b').restrictions?.labels.requirements,
    [],
  );
});
