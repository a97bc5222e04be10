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

test('ARCHITECTURE.md and CONTRIBUTING.md name only files and folders that are there', () => {
  for (const page of ['ARCHITECTURE.md', 'CONTRIBUTING.md']) {
    for (const path of pathsIn(read(page))) assert.ok(existsSync(path), `${page}: ${path}`);
  }
});

test('ARCHITECTURE.md names every room: each folder directly in src/, test/ and bench/', () => {
  const named = new Set(pathsIn(read('ARCHITECTURE.md')).map((path) => path.replace(/\/$/, '')));
  const rooms = ['src/*/', 'test/*/', 'bench/*/', 'scripts'].flatMap((pattern) => globSync(pattern));
  const missing = rooms.map((room) => room.replace(/\/$/, '')).filter((room) => !named.has(room));
  assert.deepEqual(missing.sort(), []);
});
