// Tests of field-by-field comparison.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { realSubjects } from '../../apis/apply-laws.fixture.ts';
import { copyJson, type JsonObject, type JsonValue } from '../../codec/json/json-value.ts';
import { parseJson } from '../../codec/json/parse.ts';
import { stringifyJson } from '../../codec/json/stringify.ts';
import { Struct } from '../../schema/struct.ts';
import { type Changes, compare, compareObjects, excludeFields } from './compare.ts';
import { fieldSetOfDottedPaths } from './field-set.ts';
import { InvalidListElement, pathElementOf } from './list-elements.ts';
import { type MergeSchema, mergeSchemaOf } from './merge-schema.ts';
import { plans, type SchemaPlan, subjectOf, typeOf } from './random-schema.fixture.ts';
import { pathText } from './tracked.fixture.ts';

type Shown = Readonly<Record<keyof Changes, readonly string[]>>;

const shown = ({ added, removed, modified }: Changes): Shown => ({
  added: [...added.paths()].map(pathText).sort(),
  removed: [...removed.paths()].map(pathText).sort(),
  modified: [...modified.paths()].map(pathText).sort(),
});

/** The content at each path: text for atomic values and scalars, nothing for containers. */
function places(
  schema: MergeSchema,
  value: JsonValue,
  path: readonly string[] = [],
  found = new Map<string, string>(),
): ReadonlyMap<string, string> {
  const isWhole = schema.form === 'scalar' || schema.atomic;
  if (path.length > 0) found.set(pathText(path), isWhole ? stringifyJson(value) : '');
  if (isWhole) return found;
  if (schema.form === 'list') {
    for (const [index, item] of (value as JsonValue[]).entries()) {
      places(schema.element, item, [...path, pathElementOf(schema, item, index, 'json')], found);
    }
    return found;
  }
  for (const [key, member] of Object.entries(value as JsonObject)) {
    const inner = schema.form === 'struct' ? schema.byName.get(key)!.schema : schema.element;
    places(inner, member, [...path, `f:${key}`], found);
  }
  return found;
}

/** The same comparison, path by path. */
function compareNaively(schema: MergeSchema, before: JsonValue, after: JsonValue): Shown {
  const [old, now] = [places(schema, before), places(schema, after)];
  return {
    added: [...now.keys()].filter((path) => !old.has(path)).sort(),
    removed: [...old.keys()].filter((path) => !now.has(path)).sort(),
    modified: [...now]
      .flatMap(([path, text]) => (old.has(path) && old.get(path) !== text ? [path] : []))
      .sort(),
  };
}

/** Sorted keys, as the naive comparison needs. */
const ordered = (value: JsonObject): JsonObject =>
  parseJson(
    JSON.stringify(value, (_, member) =>
      typeof member === 'object' && member !== null && !Array.isArray(member)
        ? Object.fromEntries(Object.entries(member).sort())
        : member,
    ),
  ).value as JsonObject;

test('compare agrees with a comparison of all paths', () => {
  fc.assert(
    fc.property(
      plans.chain((plan) => {
        const values = subjectOf(typeOf(plan)).values.map(ordered);
        return fc.tuple(fc.constant(plan), values, values);
      }),
      ([plan, before, after]) => {
        const { shape: schema } = subjectOf(typeOf(plan));
        assert.deepEqual(
          shown(compare(schema, before, after, 'json')),
          compareNaively(schema, before, after),
        );
      },
    ),
    { numRuns: 500 },
  );
});

for (const { name, shape, values } of realSubjects) {
  test(`a ${name} of the server is compared like its JSON`, () => {
    const { type } = shape;
    assert.ok(type instanceof Struct);
    fc.assert(
      fc.property(values, values, (left, right) => {
        const [old, now] = [left, right].map(
          (value) => parseJson(type.write(type.decode(value).object)).value,
        );
        const [before, after] = [old, now].map((value) => type.decode(value!).object);
        const changes = shown(compare(shape, before, after, 'object'));
        assert.deepEqual(changes, shown(compare(shape, old, now, 'json')));
        assert.deepEqual(shown(compare(shape, after, before, 'object')), {
          ...changes,
          added: changes.removed,
          removed: changes.added,
        });
        assert.deepEqual(shown(compare(shape, before, copyJson(before), 'object')), {
          added: [],
          removed: [],
          modified: [],
        });
      }),
      { numRuns: 60 },
    );
  });
}

describe('compare', () => {
  const plan: SchemaPlan = {
    struct: {
      text: 'string',
      part: { struct: { x: 'int', y: 'int' } },
      whole: { struct: { x: 'int', y: 'int' }, atomic: true },
      labels: { map: 'string' },
      list: { list: 'int' },
      set: { set: 'string' },
      ports: { keyed: { n: 'int' }, bySide: true },
    },
  };
  const schema = mergeSchemaOf(typeOf(plan));
  const changes = (before: JsonObject, after: JsonObject) => {
    const { added, removed, modified } = shown(compare(schema, before, after, 'json'));
    return { ...(added[0] && { added }), ...(removed[0] && { removed }), ...(modified[0] && { modified }) };
  };

  test('a changed value is at its path only', () => {
    assert.deepEqual(changes({ part: { x: 1, y: 1 } }, { part: { x: 2, y: 1 } }), {
      modified: ['f:part f:x'],
    });
    assert.deepEqual(changes({ text: 'x' }, { text: 'x' }), {});
  });

  test('an added value adds all its fields', () => {
    assert.deepEqual(changes({}, { part: { x: 1 } }), { added: ['f:part', 'f:part f:x'] });
    assert.deepEqual(changes({ labels: { a: 'x' } }, {}), { removed: ['f:labels', 'f:labels f:a'] });
    assert.deepEqual(changes({}, { ports: [{ id: 'x' }] }), {
      added: ['f:ports', 'f:ports k:{"id":"x","side":"left"}', 'f:ports k:{"id":"x","side":"left"} f:id'],
    });
  });

  test('an atomic value changes as a whole', () => {
    assert.deepEqual(changes({ whole: { x: 1 } }, { whole: { x: 2 } }), { modified: ['f:whole'] });
    assert.deepEqual(changes({ list: [1, 2] }, { list: [2, 1] }), { modified: ['f:list'] });
    assert.deepEqual(changes({}, { whole: { x: 2 } }), { added: ['f:whole'] });
  });

  test('the order of an associative list does not count', () => {
    assert.deepEqual(changes({ set: ['a', 'b'] }, { set: ['b', 'a'] }), {});
    const [left, right] = [
      { id: 'x', n: 1 },
      { id: 'y', n: 2 },
    ];
    assert.deepEqual(changes({ ports: [left, right] }, { ports: [right, left] }), {});
  });

  test('an omitted key has its default', () => {
    const before = { ports: [{ id: 'x', n: 1 }] };
    const at = 'f:ports k:{"id":"x","side":"left"}';
    assert.deepEqual(changes(before, { ports: [{ id: 'x', n: 2 }] }), { modified: [`${at} f:n`] });
    assert.deepEqual(changes(before, { ports: [{ id: 'x', side: 'left', n: 1 }] }), {
      added: [`${at} f:side`],
    });
  });

  test('empty, null and absent values are distinct', () => {
    assert.deepEqual(changes({}, { labels: {} }), { added: ['f:labels'] });
    assert.deepEqual(changes({}, { labels: null }), { added: ['f:labels'] });
    assert.deepEqual(changes({ labels: {} }, { labels: null }), { modified: ['f:labels'] });
    assert.deepEqual(changes({ text: '' }, { text: null }), { modified: ['f:text'] });
    assert.deepEqual(changes({ labels: null }, { labels: { a: 'x' } }), { added: ['f:labels f:a'] });
    assert.deepEqual(changes({ labels: {} }, { labels: { a: 'x' } }), { added: ['f:labels f:a'] });
  });

  test('duplicate elements are compared together', () => {
    const x = 'f:set v:"x"';
    assert.deepEqual(changes({ set: ['x', 'x'] }, { set: ['x', 'x'] }), {});
    assert.deepEqual(changes({ set: ['x', 'x'] }, { set: [] }), { removed: [x] });
    assert.deepEqual(changes({ set: [] }, { set: ['x', 'x'] }), { added: [x] });
    const at = 'f:ports k:{"id":"x","side":"left"}';
    const twice = (n: number) => ({
      ports: [
        { id: 'x', n: 1 },
        { id: 'x', n },
      ],
    });
    assert.deepEqual(changes(twice(2), twice(2)), {});
    assert.deepEqual(changes(twice(2), twice(3)), { modified: [at] });
  });

  test('elements without keys cannot be compared', () => {
    assert.throws(() => changes({ ports: [] }, { ports: [{ n: 1 }] }), InvalidListElement);
    assert.throws(() => changes({ ports: [] }, { ports: [null] }), InvalidListElement);
    assert.throws(() => changes({ ports: [] }, { ports: ['x'] }), InvalidListElement);
    assert.throws(() => changes({ set: [] }, { set: [null] }), InvalidListElement);
  });
});

test('fields that no manager can own are not compared', () => {
  const { shape: schema } = realSubjects.find(({ name }) => name === 'ConfigMap')!;
  const before = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', uid: '1', resourceVersion: '1' },
  };
  const after = {
    apiVersion: 'v2',
    kind: 'Other',
    metadata: {
      name: 'b',
      uid: '2',
      resourceVersion: '2',
      generation: 7,
      labels: { a: 'x' },
      generateName: 'g',
    },
    data: { k: 'v' },
  };
  assert.deepEqual(shown(compareObjects(schema, before, after, 'json')), {
    added: [
      'f:data',
      'f:data f:k',
      'f:metadata f:generateName',
      'f:metadata f:labels',
      'f:metadata f:labels f:a',
    ],
    removed: [],
    modified: [],
  });
});

test('fields can be excluded from the comparison with everything below them', () => {
  const schema = mergeSchemaOf(typeOf({ struct: { a: { map: 'int' }, b: { map: 'int' } } }));
  const changes = compare(schema, { a: { k: 1 }, b: { k: 1 } }, { a: { l: 1 }, b: { k: 2 } }, 'json');
  assert.deepEqual(shown(excludeFields(changes, fieldSetOfDottedPaths(['a']))), {
    added: [],
    removed: [],
    modified: ['f:b f:k'],
  });
  assert.equal(excludeFields(changes, fieldSetOfDottedPaths([])), changes);
});
