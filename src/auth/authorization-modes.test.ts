// Tests of the authorization modes and the union authorizer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { developer } from '../request/authenticator.ts';
import { type Authorizer, allow, deny } from '../request/authorizer.ts';
import { readRequestInfo } from '../request/request-info.ts';
import type { User } from '../request/user.ts';
import { authorizerForModes, UnionAuthorizer } from './authorization-modes.ts';
import { PolicyFixture } from './rbac/policy-cache.fixture.ts';

const alice: User = { name: 'alice', uid: '', groups: ['system:authenticated'], extra: {} };
const info = readRequestInfo('GET', '/api/v1/pods');
const { rbac } = new PolicyFixture();
const denying = (reason: string): Authorizer => ({
  authorize: () => ({ ...deny, reason }),
  rulesFor: () => ({ resourceRules: [], nonResourceRules: [], evaluationError: reason }),
});

test('each mode decides as its name says, and the union allows if any mode does', async () => {
  const decide = async (...modes: Parameters<typeof authorizerForModes>[0]) => {
    const { allowed, reason } = await authorizerForModes(modes, rbac).authorize(alice, info);
    return [allowed, reason];
  };
  assert.deepEqual(await decide('RBAC'), [false, '']);
  assert.deepEqual(await decide('AlwaysAllow'), [true, '']);
  assert.deepEqual(await decide('AlwaysDeny'), [false, 'Everything is forbidden.']);
  assert.deepEqual(await decide('RBAC', 'AlwaysDeny'), [false, 'Everything is forbidden.']);
  assert.deepEqual(await decide('AlwaysDeny', 'AlwaysAllow'), [true, '']);
});

test('system:masters is allowed in every mode', async () => {
  for (const mode of ['RBAC', 'AlwaysDeny'] as const) {
    assert.equal((await authorizerForModes([mode], rbac).authorize(developer, info)).allowed, true);
  }
});

test('a denial joins the reasons of all authorizers, including asynchronous ones', async () => {
  const asynchronous: Authorizer = { ...denying(''), authorize: async () => ({ ...deny, reason: 'two' }) };
  const chain = new UnionAuthorizer([denying('one'), asynchronous, denying('three')]);
  assert.equal((await chain.authorize(alice, info)).reason, 'one\ntwo\nthree');
  const late: Authorizer = { ...asynchronous, authorize: async () => allow };
  assert.equal((await new UnionAuthorizer([asynchronous, late]).authorize(alice, info)).allowed, true);
});

test('rulesFor merges the rules and evaluation errors of all authorizers', async () => {
  const rules = await new UnionAuthorizer([authorizerForModes(['AlwaysAllow'], rbac), denying('x')]).rulesFor(
    alice,
    'default',
  );
  assert.deepEqual(rules, {
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
    incomplete: false,
    evaluationError: 'x',
  });
});
