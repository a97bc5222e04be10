import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

const pages = ['*.md', 'docs/**/*.md', 'test/**/*.md', 'bench/*.md', 'src/**/*.md'].flatMap((pattern) =>
  globSync(pattern),
);
const read = (page: string) => readFileSync(page, 'utf8');

/** Files and folders that a text names in code, like `src/store/` or `docs/guide/embedding.md`. */
const pathsIn = (text: string) =>
  [...text.matchAll(/`((?:src|test|bench|scripts|docs)\/[\w./-]*)`/g)].map(([, path]) => path!);

test('every link between the pages leads somewhere', () => {
  for (const page of pages) {
    for (const [, target] of read(page).matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)) {
      assert.ok(existsSync(join(dirname(page), target!)), `${page}: ${target}`);
    }
  }
});

test('docs/README.md links every page under docs/', () => {
  const index = 'docs/README.md';
  const linked = new Set(
    [...read(index).matchAll(/\]\(([^)#:\s]+)/g)].map(([, target]) => join('docs', target!)),
  );
  const missing = globSync('docs/**/*.md').filter((page) => page !== index && !linked.has(page));
  assert.deepEqual(missing, []);
});

test('every page names only files and folders that exist', () => {
  for (const page of pages) {
    for (const path of pathsIn(read(page))) assert.ok(existsSync(path), `${page}: ${path}`);
  }
});

const roomPages = globSync('src/**/README.md');

test('every folder of src/ has a README, which names only files and folders that exist', () => {
  const missing = globSync('src/*/').filter((folder) => !existsSync(join(folder, 'README.md')));
  assert.deepEqual(missing, []);
  for (const page of roomPages) {
    for (const [, path] of read(page).matchAll(/`([a-z][\w./-]*(?:\.ts|\/))`/g)) {
      const isFromRoot = /^(src|test|docs)\//.test(path!);
      const found = isFromRoot ? existsSync(path!) : globSync(join(dirname(page), '**', path!)).length > 0;
      assert.ok(found, `${page}: ${path}`);
    }
  }
});

test('ARCHITECTURE.md has at most 12 KB, and the README of a folder of src/ at most 4 KB', () => {
  assert.ok(read('ARCHITECTURE.md').length <= 12 * 1024);
  for (const page of roomPages) assert.ok(read(page).length <= 4 * 1024, page);
});

for (const [page, folders] of [
  ['ARCHITECTURE.md', 'src'],
  ['test/README.md', 'test'],
] as const) {
  test(`${page} names each folder of ${folders}/`, () => {
    const named = new Set(pathsIn(read(page)).map((path) => path.replace(/\/$/, '')));
    const missing = globSync(`${folders}/*/`)
      .map((folder) => folder.replace(/\/$/, ''))
      .filter((folder) => !named.has(folder));
    assert.deepEqual(missing.sort(), []);
  });
}
