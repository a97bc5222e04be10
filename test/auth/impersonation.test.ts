import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from '../support/client.ts';

const server = testServer();
const reviews = '/apis/authentication.orch.io/v1/selfsubjectreviews';
const as = (user: string, more: Record<string, string> = {}) => ({ 'impersonate-user': user, ...more });

async function whoAmI(headers: Record<string, string>) {
  const { code, body } = await server.request('POST', reviews, {}, headers);
  assert.equal(code, 201);
  return (body.status as { userInfo: unknown }).userInfo;
}

test('an administrator can impersonate every user', async () => {
  assert.deepEqual(await whoAmI(as('bob', { 'impersonate-group': 'dev', 'impersonate-uid': '7' })), {
    username: 'bob',
    uid: '7',
    groups: ['dev', 'system:authenticated'],
  });
  assert.deepEqual(await whoAmI(as('bob', { 'impersonate-extra-acme.com%2Fscope': 'view' })), {
    username: 'bob',
    groups: ['system:authenticated'],
    extra: { 'acme.com/scope': ['view'] },
  });
  assert.deepEqual(await whoAmI(as('system:serviceaccount:default:builder')), {
    username: 'system:serviceaccount:default:builder',
    groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
  });
});

test('the permissions of the impersonated user apply', async () => {
  const refused = await server.get('/api/v1/namespaces', as('bob'));
  assert.equal(refused.code, 403);
  assert.match(
    refused.body.message,
    /^namespaces is forbidden: User "bob" cannot list resource "namespaces"/,
  );
  const allowed = await server.get(
    '/api/v1/namespaces',
    as('bob', { 'impersonate-group': 'system:masters' }),
  );
  assert.equal(allowed.code, 200);
});

test('groups, uid or extra without a user are rejected', async () => {
  const { code, text } = await server.get('/api/v1/namespaces', { 'impersonate-group': 'system:masters' });
  assert.equal(code, 500);
  assert.match(
    text,
    /^Internal Server Error: "\/api\/v1\/namespaces": requested .* without impersonating a user\n$/,
  );
});
