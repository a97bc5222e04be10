// Property tests of server-side apply.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { inEverySchema } from '../../apis/apply-laws.fixture.ts';
import type { JsonObject, JsonValue } from '../../codec/json/json-value.ts';
import type { MergeSchema } from './merge-schema.ts';
import type { LawSubject } from './random-schema.fixture.ts';
import { ApplyConflict } from './structured-apply.ts';
import {
  applied,
  leavesOf,
  ownedLeaves,
  ownersOf,
  pathText,
  type Tracked,
  tidied,
  untouched,
  updated,
} from './tracked.fixture.ts';
import { validateConfiguration } from './validate-configuration.ts';

/** A write by one of a few managers. */
interface Write {
  readonly manager: string;
  readonly how: 'update' | 'apply' | 'force';
  readonly state: JsonObject;
}

const managers = fc.constantFrom('alice', 'bob', 'carol');
const writesOf = (values: fc.Arbitrary<JsonObject>): fc.Arbitrary<readonly Write[]> =>
  fc.array(
    fc.record({ manager: managers, how: fc.constantFrom('update', 'apply', 'force'), state: values }),
    { maxLength: 5 },
  );

/** The result of a history of writes; conflicting ones have no effect. */
function after(schema: Tracked['shape'], writes: readonly Write[]): Tracked {
  return writes.reduce((before, { manager, how, state }) => {
    if (how === 'update') return updated(before, manager, state);
    return tried(() => applied(before, manager, state, { force: how === 'force' })) ?? before;
  }, untouched(schema));
}

function tried<T>(write: () => T): T | undefined {
  try {
    return write();
  } catch (error) {
    if (error instanceof ApplyConflict) return undefined;
    throw error;
  }
}

const sorted = (map: ReadonlyMap<string, string>) => [...map].sort();
const leaves = ({ shape: schema, object }: Tracked) => sorted(leavesOf(schema, object));

/** A part of a value: the leaves chosen by path, and all keys. */
function someOf(
  schema: MergeSchema,
  value: JsonValue,
  isChosen: (path: string) => boolean,
  path: readonly string[] = [],
): JsonValue | undefined {
  if (schema.form === 'scalar' || schema.atomic) return isChosen(pathText(path)) ? value : undefined;
  if (schema.form === 'list') {
    const items = (value as JsonValue[]).flatMap((item, index) => {
      const kept = someOf(schema.element, item, isChosen, [...path, String(index)]);
      if (kept === undefined) return [];
      if (!schema.keys) return [kept];
      const keys = schema.keys.flatMap(({ name }) =>
        Object.hasOwn(item as JsonObject, name) ? [[name, (item as JsonObject)[name]!]] : [],
      );
      return [{ ...(kept as JsonObject), ...Object.fromEntries(keys) }];
    });
    return items.length > 0 ? items : undefined;
  }
  const kept = Object.entries(value as JsonObject).flatMap(([key, member]) => {
    const inner = schema.form === 'struct' ? schema.byName.get(key)!.schema : schema.element;
    const some = someOf(inner, member, isChosen, [...path, key]);
    return some === undefined ? [] : [[key, some] as const];
  });
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

/** The laws of apply, for the schemas of a generator. */
function laws(subjects: fc.Arbitrary<{ subject: LawSubject; plan?: unknown }>, numRuns: number): void {
  /** A law about an object with a history, and further states of its schema. */
  function law(
    name: string,
    states: number,
    holds: (before: Tracked, ...states: JsonObject[]) => void,
  ): void {
    test(name, () => {
      fc.assert(
        fc.property(
          subjects.chain(({ subject: { shape: schema, values }, plan }) =>
            fc.record({
              plan: fc.constant(plan),
              shape: fc
                .constant(schema)
                .map((it) => Object.assign(it, { [fc.toStringMethod]: () => 'shape' })),
              writes: writesOf(values),
              states: fc.array(values, { minLength: states, maxLength: states }),
            }),
          ),
          ({ shape: schema, writes, states: given }) => holds(after(schema, writes), ...given),
        ),
        { numRuns },
      );
    });
  }

  law('every state is a sound intent', 1, ({ shape: schema }, configuration) =>
    validateConfiguration(schema, configuration!),
  );

  law('applying the same intent twice changes nothing', 1, (before, configuration) => {
    const once = applied(before, 'dave', configuration!, { force: true, now: 'first' });
    const twice = applied(once, 'dave', configuration!, { now: 'second' });
    assert.deepEqual(twice.object, once.object);
    assert.deepEqual(ownersOf(twice), ownersOf(once));
    assert.deepEqual(twice.owners.map(({ time }) => time).sort(), once.owners.map(({ time }) => time).sort());
  });

  law('applying and then applying nothing gives back what was there', 2, (before, state, configuration) => {
    const whole = updated(before, 'eve', state!);
    const during = tried(() => applied(whole, 'dave', configuration!));
    if (!during || before.owners.some(({ manager }) => manager === 'dave')) return;
    const afterwards = applied(during, 'dave', {});
    assert.deepEqual(leaves(afterwards), leaves(whole));
    assert.deepEqual(ownersOf(afterwards), ownersOf(whole));
  });

  law('what is owned is exactly what is there', 0, (tracked) => {
    assert.deepEqual(
      [...ownedLeaves(tracked)].sort(),
      leaves(tracked).map(([path]) => path),
    );
  });

  law('a forced apply succeeds, and what it says is there and its own', 1, (before, configuration) => {
    const forced = applied(before, 'dave', configuration!, { force: true });
    const there = leavesOf(forced.shape, forced.object);
    const said = leavesOf(before.shape, tidied(before.shape, configuration!));
    for (const [path, text] of said) assert.equal(there.get(path), text, path);
    const own = new Set(ownersOf(forced)['dave Apply']);
    for (const path of said.keys()) assert.ok(own.has(path), path);
  });

  law(
    'an apply that takes nothing from others needs no force, and does the same with it',
    1,
    (before, configuration) => {
      const free = tried(() => applied(before, 'dave', configuration!));
      const forced = applied(before, 'dave', configuration!, { force: true });
      if (free) assert.deepEqual([free.object, ownersOf(free)], [forced.object, ownersOf(forced)]);
    },
  );

  law('two appliers of different fields may come in any order', 2, (before, both, choice) => {
    // Effectively random which of the two gets a field.
    const seed = JSON.stringify(choice).length;
    const isFirst = (path: string) => (path.length * 31 + path.charCodeAt(path.length - 1) + seed) % 2 === 0;
    const { shape: schema } = before;
    const left = (someOf(schema, both!, isFirst) ?? {}) as JsonObject;
    const right = (someOf(schema, both!, (path) => !isFirst(path)) ?? {}) as JsonObject;
    const force = { force: true };
    const oneFirst = applied(applied(before, 'dave', left, force), 'erin', right, force);
    const otherFirst = applied(applied(before, 'erin', right, force), 'dave', left, force);
    assert.deepEqual(leaves(oneFirst), leaves(otherFirst));
    assert.deepEqual(ownersOf(oneFirst), ownersOf(otherFirst));
  });
}

inEverySchema(laws);
