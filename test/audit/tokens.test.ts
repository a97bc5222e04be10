import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runAudited } from '../support/audit.ts';

const accounts = '/api/v1/namespaces/default/serviceaccounts';

test('the audit log has token ids and the impersonated user, but never a token', async () => {
  let token = '';
  const log = await runAudited('rules: [{level: Metadata}]', async (client) => {
    await client.as('admin', 'account', 'POST', accounts, { metadata: { name: 'builder' } });
    const made = await client.as('admin', 'given', 'POST', `${accounts}/builder/token`, { spec: {} });
    token = (made.body.status as { token: string }).token;
    const headers = { authorization: `Bearer ${token}` };
    await client.as('', 'used', 'GET', '/api', undefined, headers);
    await client.as('admin', 'lent', 'GET', '/api', undefined, { 'impersonate-user': 'eve' });
  });
  const { jti } = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { jti: string };
  const [, given] = log.of('given');
  assert.equal(given?.annotations?.['authentication.orch.io/issued-credential-id'], `JTI=${jti}`);
  const [used] = log.of('used');
  assert.equal(used?.user.username, 'system:serviceaccount:default:builder');
  const [, lent] = log.of('lent');
  assert.equal(lent?.user.username, 'admin');
  assert.equal(lent?.impersonatedUser?.username, 'eve');
  assert.equal(log.text.includes(token.split('.')[2]!), false);
});
