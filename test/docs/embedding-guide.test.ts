import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { embedOptionNames } from '../../src/embed/embed-options.ts';

test('docs/guide/embedding.md names every option of startServer', () => {
  const page = readFileSync('docs/guide/embedding.md', 'utf8');
  assert.deepEqual(
    embedOptionNames.filter((name) => !page.includes(`\`${name}\``)),
    [],
  );
});
