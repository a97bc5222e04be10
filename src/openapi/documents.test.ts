// The OpenAPI documents of all kinds.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { kubernetes, orch } from '../dialect/index.ts';
import { everyDocument, version2Of } from './all-documents.fixture.ts';
import { methods } from './builder/document.ts';

/** Every object and array inside a value, with the path to it. */
function* parts(value: unknown, path = ''): Generator<[string, object]> {
  if (value === null || typeof value !== 'object') return;
  yield [path, value];
  for (const [key, inner] of Object.entries(value)) yield* parts(inner, `${path}/${key}`);
}

/** References that lead nowhere. */
function dangling(document: object): string[] {
  return [...parts(document)].flatMap(([path, part]) => {
    const { $ref } = part as { $ref?: unknown };
    if (typeof $ref !== 'string') return [];
    let target: unknown = document;
    for (const step of $ref.slice(2).split('/')) target = (target as Record<string, unknown>)?.[step];
    return target === undefined ? [`${path} → ${$ref}`] : [];
  });
}

for (const dialect of [kubernetes, orch]) {
  describe(`the documents of the dialect ${dialect.name}`, () => {
    const documents = everyDocument(dialect);
    const version2 = version2Of(documents.values());

    test('have no dangling references', () => {
      for (const [name, document] of documents) assert.deepEqual(dangling(document), [], name);
      assert.deepEqual(dangling(version2), []);
    });

    test('have unique operation ids', () => {
      const ids = Object.values(version2.paths).flatMap((item) =>
        methods.flatMap((method) => {
          const operation = item[method];
          return operation && 'operationId' in operation ? [operation.operationId] : [];
        }),
      );
      assert.ok(ids.length > 900, `${ids.length}`);
      assert.deepEqual(
        ids.filter((id, i) => ids.indexOf(id) !== i),
        [],
      );
    });

    test('declare exactly the path parameters in braces', () => {
      for (const [path, item] of [...documents.values()].flatMap(({ paths }) => Object.entries(paths))) {
        const named = (item.parameters ?? []).filter((parameter) => parameter.in === 'path');
        const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
        assert.deepEqual(named.map(({ name }) => name).sort(), inPath.sort(), path);
      }
    });

    test('describe every operation and parameter', () => {
      for (const [path, part] of parts([...documents.values()].map(({ paths }) => paths))) {
        if (!('operationId' in part) && !('in' in part && 'name' in part)) continue;
        assert.notEqual((part as { description?: string }).description ?? '', '', path);
      }
    });

    test('describe every kind, every type and every field', () => {
      const silent = Object.entries(version2.definitions).flatMap(
        ([name, { description, properties = {} }]) => [
          ...(description ? [] : [name]),
          ...Object.entries(properties).flatMap(([field, property]) =>
            property.description ? [] : [`${name}.${field}`],
          ),
        ],
      );
      assert.deepEqual(silent, []);
    });

    test('have no keywords in v2 that only v3 has', () => {
      const [defaulted] = [...parts(version2.definitions)].filter(
        ([path, part]) =>
          !path.endsWith('/properties') && ('default' in part || 'oneOf' in part || 'allOf' in part),
      );
      assert.equal(defaulted, undefined);
    });
  });
}

test('the dialects differ only in names', () => {
  const shape = (document: object) =>
    JSON.stringify(document)
      .replaceAll(
        /io\.k8s\.(api|apimachinery\.pkg(\.apis|\.util|\.api)?|[a-z-]+\.pkg\.apis)\./g,
        'io.orch.api.',
      )
      .replaceAll(/\.k8s\.io/g, '.orch.io')
      .replaceAll(/x-kubernetes-/g, 'x-orch-')
      .replaceAll('vnd.kubernetes.', 'vnd.orch.')
      .replaceAll('"Kubernetes"', '"Orch"');
  const theirs = everyDocument(kubernetes);
  const ours = everyDocument(orch);
  for (const [name, document] of theirs) {
    const counterpart = ours.get(name.replace('.k8s.io', '.orch.io'));
    assert.equal(shape(document).length, JSON.stringify(counterpart).length, name);
  }
});
