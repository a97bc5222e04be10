// Enforces the floors of src/ and the absence of import cycles.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { consoleFloorOf, floorOf } from './architecture/floors.ts';
import { cyclesIn, importsOf, readImports } from './architecture/imports.ts';

const graph = readImports();

const upward = [...graph].flatMap(([file, imports]) =>
  imports
    .filter((imported) => floorOf(imported)! > floorOf(file)!)
    .map((imported) => `${file} -> ${imported}`),
);

test('every file of src/ is on a floor', () => {
  assert.deepEqual(
    [...graph.keys()].filter((file) => floorOf(file) === undefined),
    [],
  );
});

test('no import goes up a floor', () => {
  assert.deepEqual(upward, [], 'import from a lower floor: move the shared type or function down');
});

test('the console has floors of its own, uses pure functions of src/, and src/ does not import it', () => {
  const console = readImports('console/src');
  const sharedFolders = /^src\/(cli\/blame|codec|cel|patch)\//;
  const offenders = [...console].flatMap(([file, imports]) =>
    imports
      .filter((imported) =>
        imported.startsWith('src/')
          ? !sharedFolders.test(imported)
          : !((consoleFloorOf(imported) ?? 99) <= consoleFloorOf(file)!),
      )
      .map((imported) => `${file} -> ${imported}`),
  );
  assert.deepEqual(offenders, []);
  assert.deepEqual(cyclesIn(console), []);
  assert.deepEqual(
    [...graph].filter(([, imports]) => imports.some((path) => path.startsWith('console/'))),
    [],
  );
});

test('controllers use clients and informers, never the store or the registry', () => {
  const isController = (file: string) =>
    /^src\/(controllers|scheduler)\//.test(file) && !file.startsWith('src/controllers/runtime/');
  const direct = [...graph].flatMap(([file, imports]) =>
    isController(file)
      ? imports
          .filter((imported) => /^src\/(store|registry)\//.test(imported))
          .map((imported) => `${file} -> ${imported}`)
      : [],
  );
  assert.deepEqual(direct, [], 'use src/client/, or a named interface of src/controllers/runtime/');
});

test('no file is in an import cycle', () => {
  assert.deepEqual(cyclesIn(graph), [], 'move what the files share into a file that imports neither');
});

test('importsOf finds imports of values, of types, dynamic ones and exports', () => {
  const text = `
    import { a } from './a.ts';
    import type { B } from '../other/b.ts';
    export { c } from './c.ts';
    export type * from './d.ts';
    import './e.ts';
    const f = await import('./f.ts');
    import { x } from 'node:fs';`;
  assert.deepEqual(importsOf('src/room/file.ts', text), [
    'src/other/b.ts',
    ...['a', 'c', 'd', 'e', 'f'].map((name) => `src/room/${name}.ts`),
  ]);
});

test('circlesIn finds each cycle once', () => {
  const some = new Map([
    ['a', ['b']],
    ['b', ['c', 'd']],
    ['c', ['a']],
    ['d', ['e']],
    ['e', ['d']],
    ['f', ['a']],
  ]);
  assert.deepEqual(cyclesIn(some), [
    ['d', 'e'],
    ['a', 'b', 'c'],
  ]);
});
