// Addresses that the proxy subresources reject.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lookUpAllowed } from './proxy-target.ts';

test('a host name that resolves to a loopback address is rejected', async () => {
  const error = await new Promise((resolve) => {
    lookUpAllowed('localhost', { all: true }, resolve);
  });
  assert.match(String(error), /address not allowed/);
});
