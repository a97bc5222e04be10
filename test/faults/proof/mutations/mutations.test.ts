import { test } from 'node:test';
import { mutations } from './list.ts';
import { brokenFiles } from './mutant.ts';

test('every mutation still fits the sources', () => {
  for (const mutation of mutations) brokenFiles(mutation);
});
