import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Attributes } from './attributes.ts';

test('fail runs every rollback, also after one that throws or rejects', async () => {
  const undone: string[] = [];
  const attributes = new Attributes({} as never, {} as never, {});
  attributes.onFailure(() => {
    throw new Error('thrown');
  });
  attributes.onFailure(() => Promise.reject(new Error('rejected')));
  attributes.onFailure(() => {
    undone.push('last');
  });
  await attributes.fail();
  assert.deepEqual(undone, ['last']);
});
