// Impersonation headers: the user and the permissions they require.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MissingImpersonatedUser, readImpersonation } from './impersonation.ts';

const group = 'authentication.orch.io';
const read = (...headers: string[]) => readImpersonation(headers, group);
const permissions = (...headers: string[]) =>
  read(...headers)!.requiredPermissions.map(({ verb, group: of, resource, subresource, namespace, name }) =>
    [verb, of, resource, subresource, namespace, name].filter((part) => part !== '').join(' '),
  );

test('a request without impersonation headers keeps its user', () => {
  assert.equal(read(), undefined);
  assert.equal(read('If-Match', 'a', 'Impersonate', 'bob', 'Impersonate-', 'bob'), undefined);
  assert.equal(read('Impersonate-User', ''), undefined);
});

test('user, groups, uid and each extra value need a permission of their own', () => {
  assert.deepEqual(
    permissions(
      'Impersonate-User',
      'bob',
      'IMPERSONATE-GROUP',
      'a',
      'Impersonate-Uid',
      '7',
      'impersonate-group',
      'b',
    ),
    ['impersonate users bob', 'impersonate groups a', 'impersonate groups b', `impersonate ${group} uids 7`],
  );
  assert.deepEqual(
    permissions('Impersonate-User', 'bob', 'Impersonate-Extra-A%2fB', 'x', 'impersonate-extra-a%2Fb', 'y'),
    [
      'impersonate users bob',
      `impersonate ${group} userextras a/b x`,
      `impersonate ${group} userextras a/b y`,
    ],
  );
  assert.deepEqual(permissions('Impersonate-User', 'system:serviceaccount:space:builder'), [
    'impersonate serviceaccounts space builder',
  ]);
});

test('extra keys named as members of Object.prototype are kept', () => {
  const { extra } = read('Impersonate-User', 'bob', 'Impersonate-Extra-__proto__', 'x')!.user;
  assert.deepEqual(Object.entries(extra), [['__proto__', ['x']]]);
});

test('headers without Impersonate-User are an error that names the other parts', () => {
  assert.throws(
    () => read('Impersonate-Group', 'a', 'Impersonate-Uid', '7'),
    (error) => error instanceof MissingImpersonatedUser && error.message.includes('{Group  a    } {UID  7'),
  );
});
