// The OpenAPI documents equal the golden files.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goldenFiles, writtenFiles } from './golden.fixture.ts';

const files = goldenFiles();
const written = writtenFiles();

test('there is a golden file for every group version', () => {
  assert.deepEqual([...written.keys()].sort(), [...files.keys()].sort());
});

for (const [file, text] of files) {
  test(`the documents match ${file}; to update it: node src/openapi/golden.fixture.ts --write`, () => {
    assert.deepEqual(text.split('\n'), written.get(file)?.split('\n'));
  });
}
