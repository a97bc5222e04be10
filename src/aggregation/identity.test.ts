// Tests of the X-Remote identity headers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identityHeadersFor } from './identity.ts';

test('identityHeadersFor escapes extra keys and sends values in UTF-8', () => {
  const user = { name: 'zoë', uid: '7', groups: ['a', 'b'], extra: { 'example.com/Scope s': ['x', 'y'] } };
  assert.deepEqual(identityHeadersFor(user, { withUid: true }), {
    'x-remote-user': Buffer.from('zoë').toString('latin1'),
    'x-remote-uid': '7',
    'x-remote-group': ['a', 'b'],
    'x-remote-extra-example.com%2fscope%20s': ['x', 'y'],
  });
});

test('identityHeadersFor omits empty fields, and the uid unless it is enabled', () => {
  const user = { name: 'a', uid: '7', groups: [], extra: {} };
  assert.deepEqual(identityHeadersFor(user, { withUid: false }), { 'x-remote-user': 'a' });
  assert.deepEqual(identityHeadersFor({ ...user, uid: '' }, { withUid: true }), { 'x-remote-user': 'a' });
});
