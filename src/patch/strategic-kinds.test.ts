/** Tests strategic merge of every list with patchStrategy merge, through every field that leads to it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtinKinds } from '../apis/index.ts';
import type { JsonObject, JsonValue } from '../codec/json/json-value.ts';
import { orch } from '../dialect/index.ts';
import { everyFeature } from '../kind/features/everything.fixture.ts';
import { ListType, MapType } from '../schema/collections.ts';
import { type Fields, Struct } from '../schema/struct.ts';
import type { Type } from '../schema/type.ts';
import { applyStrategicMerge } from './strategic-merge.ts';

interface MergedList {
  /** Struct fields, map keys (`*`) and elements (`[key]`) from the root. */
  readonly path: readonly string[];
  readonly key: string | undefined;
}

/** Only lists that are merged are traversed: nested lists are replaced with a replaced list. */
function mergedLists(type: Type, path: readonly string[], around: readonly Type[]): MergedList[] {
  if (around.includes(type)) return [];
  const within = [...around, type];
  if (type instanceof MapType) return mergedLists(type.element as Type, [...path, '*'], within);
  if (type instanceof ListType) {
    const { patch, patchKey: key } = type.merge;
    if (!patch?.includes('merge')) return [];
    const inside = key === undefined ? [] : mergedLists(type.element as Type, [...path, `[${key}]`], within);
    return [{ path, key }, ...inside];
  }
  if (!(type instanceof Struct)) return [];
  return Object.entries(type.fields as Fields).flatMap(([name, field]) =>
    field.patch === 'replace' ? [] : mergedLists(field.type, [...path, name], within),
  );
}

/** A value with `inside` at the end of the path. */
function at(path: readonly string[], inside: JsonValue): JsonObject {
  return path.reduceRight<JsonValue>(
    (value, step) =>
      step.startsWith('[') ? [{ [step.slice(1, -1)]: 'same', ...(value as JsonObject) }] : { [step]: value },
    inside,
  ) as JsonObject;
}

const kinds = builtinKinds({ dialect: orch, features: everyFeature });
const seen = new Set<string>();

for (const { kind, version, group, schema } of kinds) {
  for (const { path, key } of mergedLists(schema, [], [])) {
    const name = path.at(-1)!;
    seen.add(`${name} ${key ?? ''}`);
    const target = path.slice(0, -1);
    const element = (value: string) => (key === undefined ? value : { [key]: value });
    const before = at(target, { [name]: ['a', 'b', 'c'].map(element) });
    const merged = (patch: JsonObject) => applyStrategicMerge(before, at(target, patch), schema).object;
    const expected = (...values: string[]) => at(target, { [name]: values.map(element) });

    test(`${group || 'core'}/${version} ${kind}: ${path.join('.')} is merged by ${key ?? 'its values'}`, () => {
      assert.deepEqual(plain(merged({ [name]: ['b', 'd'].map(element) })), expected('a', 'b', 'd', 'c'));
      const removed =
        key === undefined
          ? { [`$deleteFromPrimitiveList/${name}`]: ['b'] }
          : { [name]: [{ [key]: 'b', $patch: 'delete' }] };
      assert.deepEqual(plain(merged(removed)), expected('a', 'c'));
      const order = { [`$setElementOrder/${name}`]: ['c', 'a'].map(element) };
      assert.deepEqual(plain(merged(order)), expected('b', 'c', 'a'));
      if (key !== undefined) {
        assert.throws(() => merged({ [name]: [{}] }), {
          message: `map: map[] does not contain declared merge key: ${key}`,
        });
      }
    });
  }
}

const plain = (value: JsonValue): unknown => JSON.parse(JSON.stringify(value));

// `rule` is the key of a list in schemas, which are inside replaced lists.
test('the test covers all merge keys of the built-in kinds', () => {
  const keys = new Set([...seen].map((list) => list.split(' ')[1]));
  assert.deepEqual(
    [...keys].sort(),
    [
      '',
      'containerPort',
      'devicePath',
      'ip',
      'mountPath',
      'name',
      'port',
      'topologyKey',
      'type',
      'uid',
    ].sort(),
  );
});
