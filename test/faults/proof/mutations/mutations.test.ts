import { test } from 'node:test';
import { mutations } from './list.ts';
import { mutatedFiles } from './mutant.ts';

test('every mutation still fits the sources', () => {
  for (const mutation of mutations) mutatedFiles(mutation);
});
