// Addresses that the proxy subresources reject.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lookUpAllowed } from './proxy-target.ts';

test('a name that leads to this machine once it is connected to is refused', async () => {
  const error = await new Promise((resolve) => {
    lookUpAllowed('localhost', { all: true }, resolve);
  });
  assert.match(String(error), /address not allowed/);
});
