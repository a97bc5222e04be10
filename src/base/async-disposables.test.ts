import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AsyncDisposables } from './async-disposables.ts';

test('what was opened is closed once, the last first, each after the one before', async () => {
  const opened = new AsyncDisposables();
  const said: string[] = [];
  opened.add(() => {
    said.push('store');
  });
  opened.add(async () => {
    said.push('http begins');
    await new Promise(setImmediate);
    said.push('http ends');
  });
  const first = opened.close();
  await opened.close();
  assert.deepEqual(said, ['http begins', 'http ends', 'store']);
  await first;
});
