import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orch } from '../dialect/index.ts';
import { readRequestInfo } from '../http/request-info.ts';
import { anonymous, developer } from './authenticator.ts';
import { GroupsAuthorizer } from './groups-authorizer.ts';

const authorizer = new GroupsAuthorizer(orch);
const alice = { name: 'alice', uid: '', groups: ['system:authenticated'], extra: {} };

const may = (user: typeof alice, method: string, path: string) =>
  authorizer.authorize(user, readRequestInfo(method, path)).allowed;

test('masters may do everything', () => {
  assert.ok(may({ ...alice, groups: [...developer.groups] }, 'DELETE', '/api/v1/namespaces/x/secrets'));
});

test('anybody may ask for health and version, and nothing else', () => {
  const nobody = { ...alice, groups: [...anonymous.groups] };
  for (const path of ['/healthz', '/livez', '/readyz', '/version', '/version/'])
    assert.ok(may(nobody, 'GET', path));
  for (const path of [
    '/',
    '/api',
    '/apis',
    '/openapi/v3',
    '/metrics',
    '/readyz/ping',
    '/healthz/',
    '/version/x',
  ]) {
    assert.equal(may(nobody, 'GET', path), false, path);
  }
  for (const method of ['POST', 'HEAD', 'DELETE'])
    assert.equal(may(nobody, method, '/healthz'), false, method);
});

test('who is known may find out what is served, and nothing else', () => {
  for (const path of [
    '/api',
    '/api/',
    '/api/v1',
    '/apis',
    '/apis/apps/v1',
    '/openapi/v2',
    '/openapi/v3/apis/apps/v1',
  ]) {
    assert.ok(may(alice, 'GET', path), path);
  }
  for (const path of [
    '/',
    '/metrics',
    '/readyz/ping',
    '/apisx',
    '/api/v1/namespaces',
    '/api/v1/namespaces/x/secrets/y',
  ]) {
    assert.equal(may(alice, 'GET', path), false, path);
  }
  assert.equal(may(alice, 'POST', '/apis'), false);
});
