import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NobodyToImpersonate, readImpersonation } from './impersonation.ts';

const group = 'authentication.orch.io';
const read = (...headers: string[]) => readImpersonation(headers, group);
const needs = (...headers: string[]) =>
  read(...headers)!.needs.map(({ verb, group: of, resource, subresource, namespace, name }) =>
    [verb, of, resource, subresource, namespace, name].filter((part) => part !== '').join(' '),
  );

test('nobody is impersonated without a header for it', () => {
  assert.equal(read(), undefined);
  assert.equal(read('If-Match', 'a', 'Impersonate', 'bob', 'Impersonate-', 'bob'), undefined);
  assert.equal(read('Impersonate-User', ''), undefined);
});

test('every part needs a right of its own', () => {
  assert.deepEqual(
    needs(
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
    needs('Impersonate-User', 'bob', 'Impersonate-Extra-A%2fB', 'x', 'impersonate-extra-a%2Fb', 'y'),
    [
      'impersonate users bob',
      `impersonate ${group} userextras a/b x`,
      `impersonate ${group} userextras a/b y`,
    ],
  );
  assert.deepEqual(needs('Impersonate-User', 'system:serviceaccount:space:builder'), [
    'impersonate serviceaccounts space builder',
  ]);
});

test('keys of a prototype are keys like any other', () => {
  const { extra } = read('Impersonate-User', 'bob', 'Impersonate-Extra-__proto__', 'x')!.user;
  assert.deepEqual(Object.entries(extra), [['__proto__', ['x']]]);
});

test('without a user the message says what was asked for', () => {
  assert.throws(
    () => read('Impersonate-Group', 'a', 'Impersonate-Uid', '7'),
    (error) => error instanceof NobodyToImpersonate && error.message.includes('{Group  a    } {UID  7'),
  );
});
