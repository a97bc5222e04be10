import { test } from 'node:test';
import { Cleanup } from '../cleanup.ts';
import { mutations } from './list.ts';
import { makeMutant } from './mutant.ts';

test('every mutation still fits the sources', async () => {
  const cleanup = new Cleanup();
  try {
    for (const mutation of mutations) makeMutant(mutation, cleanup);
  } finally {
    await cleanup.run();
  }
});
