// Tests of server-side apply: conflicts, dropped fields, times, versions.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '../../codec/json/json-value.ts';
import { emptyFieldSet, fieldSetOfDottedPaths, formatPath } from './field-set.ts';
import { mergeSchemaOf, type StructMergeSchema } from './merge-schema.ts';
import { type SchemaPlan, typeOf } from './random-schema.fixture.ts';
import { ApplyConflict, type ApplyVersions, structuredApply } from './structured-apply.ts';
import { applied, ownersOf, plain, type Tracked, untouched, updated } from './tracked.fixture.ts';

const plan: SchemaPlan = {
  struct: {
    n: 'int',
    part: { struct: { x: 'int', y: 'int' } },
    whole: { map: 'int', atomic: true },
    labels: { map: 'string' },
    set: { set: 'string' },
    ports: { keyed: { n: 'int', m: 'int' }, bySide: true },
  },
};
const schema = mergeSchemaOf(typeOf(plan)) as StructMergeSchema;
const start = untouched(schema);

/** The conflicts of an apply: `manager: paths`. */
function conflicts(write: () => Tracked): string[] {
  try {
    write();
  } catch (error) {
    assert.ok(error instanceof ApplyConflict);
    return error.conflicts.map(
      ({ owner, fields }) => `${owner.manager}: ${[...fields.paths()].map(formatPath).join(' ')}`,
    );
  }
  return assert.fail('there should be a conflict');
}

describe('conflicts', () => {
  const alices = applied(start, 'alice', { n: 1, part: { x: 1 }, labels: { a: 'x' }, set: ['s'] });

  test('name each manager of a changed field, with the fields', () => {
    const both = applied(alices, 'bob', { n: 1, part: { y: 2 } });
    assert.deepEqual(
      conflicts(() => applied(both, 'carol', { n: 2, part: { x: 2, y: 3 } })),
      ['alice: .n .part.x', 'bob: .n .part.y'],
    );
  });

  test('are limited to fields that would change', () => {
    const { object, owners } = applied(alices, 'bob', { n: 1, labels: { a: 'x', b: 'y' } });
    assert.deepEqual(object, { ...alices.object, labels: { a: 'x', b: 'y' } });
    assert.equal(owners.length, 2);
  });

  test('include managers of updates, but never the applier itself', () => {
    const edited = updated(alices, 'editor', { ...alices.object, n: 2 });
    assert.deepEqual(
      conflicts(() => applied(edited, 'alice', { n: 1 })),
      ['editor: .n'],
    );
    assert.equal(applied(alices, 'alice', { n: 5 }).object.n, 5);
  });

  test('include the same manager if it owns the field by Update', () => {
    const edited = updated(start, 'alice', { n: 1 });
    assert.deepEqual(
      conflicts(() => applied(edited, 'alice', { n: 2 })),
      ['alice: .n'],
    );
  });

  test('are overridden by force, which transfers the field', () => {
    const forced = applied(alices, 'bob', { n: 2 }, { force: true });
    assert.deepEqual(ownersOf(forced), {
      'alice Apply': ['f:labels f:a', 'f:part f:x', 'f:set v:"s"'],
      'bob Apply': ['f:n'],
    });
  });

  test('result from any change to an atomic value', () => {
    const left = applied(start, 'alice', { whole: { a: 1 } });
    assert.deepEqual(
      conflicts(() => applied(left, 'bob', { whole: { a: 1, b: 2 } })),
      ['alice: .whole'],
    );
  });
});

describe('fields no longer applied', () => {
  test('are removed if no other manager owns them', () => {
    const before = applied(start, 'alice', { n: 1, labels: { a: 'x', b: 'y' }, set: ['s', 't'] });
    const { object } = applied(before, 'alice', { labels: { b: 'y' }, set: ['t'] });
    assert.deepEqual(object, { labels: { b: 'y' }, set: ['t'] });
  });

  test('stay if another manager owns them', () => {
    const shared = applied(applied(start, 'alice', { n: 1, set: ['s'] }), 'bob', { n: 1, set: ['s'] });
    const left = applied(shared, 'alice', {});
    assert.deepEqual(left.object, { n: 1, set: ['s'] });
    assert.deepEqual(ownersOf(left), { 'bob Apply': ['f:n', 'f:set v:"s"'] });
  });

  test('stay with the manager that changed them since', () => {
    const before = applied(start, 'alice', { n: 1, labels: { a: 'x' } });
    const edited = updated(before, 'editor', { n: 2, labels: { a: 'x' } });
    assert.deepEqual(applied(edited, 'alice', {}).object, { n: 2 });
  });

  test('cause no conflict', () => {
    const shared = applied(applied(start, 'alice', { n: 1 }), 'bob', { n: 1 });
    assert.doesNotThrow(() => applied(shared, 'bob', {}));
  });

  test('are removed with their container if it becomes empty', () => {
    const before = applied(start, 'alice', { part: { x: 1 }, labels: { a: 'x' } });
    assert.deepEqual(applied(before, 'alice', { n: 1 }).object, { n: 1 });
  });

  test('leave the rest of the object unchanged', () => {
    const before = updated(start, 'editor', { part: { y: 1 }, labels: { b: 'x' } });
    const more = applied(before, 'alice', { part: { x: 1 }, labels: { a: 'x' } });
    assert.deepEqual(applied(more, 'alice', {}).object, before.object);
  });

  test('of a list element are removed with the element, including fields of others', () => {
    const before = applied(start, 'alice', { ports: [{ id: 'p', n: 1 }] });
    const edited = updated(before, 'editor', { n: 1, ports: [{ id: 'p', n: 1, m: 2 }] });
    const left = applied(edited, 'alice', {});
    assert.deepEqual(left.object, { n: 1 });
    assert.deepEqual(ownersOf(left), { 'editor Update': ['f:n'] });
  });

  test('of a list element that another manager applies too leave only the fields of that manager', () => {
    const left = applied(start, 'alice', { ports: [{ id: 'p', n: 1 }] });
    const both = applied(left, 'bob', { ports: [{ id: 'p', m: 2 }] });
    assert.deepEqual(applied(both, 'alice', {}).object, { ports: [{ id: 'p', m: 2 }] });
  });
});

describe('elements of lists', () => {
  test('of associative lists are merged, and a key with a default may be omitted', () => {
    const left = applied(start, 'alice', { ports: [{ id: 'p', n: 1 }] });
    const { object } = applied(left, 'bob', {
      ports: [
        { id: 'p', side: 'left', m: 2 },
        { id: 'p', side: 'right', m: 3 },
      ],
    });
    assert.deepEqual(object, {
      ports: [
        { id: 'p', n: 1, side: 'left', m: 2 },
        { id: 'p', side: 'right', m: 3 },
      ],
    });
  });

  test('with duplicate keys are replaced by the applied one', () => {
    const twice = updated(start, 'editor', {
      ports: [
        { id: 'p', n: 1 },
        { id: 'p', n: 2 },
      ],
    });
    const { object } = applied(twice, 'alice', { ports: [{ id: 'p', n: 3 }] }, { force: true });
    assert.deepEqual(object, { ports: [{ id: 'p', n: 3 }] });
  });
});

describe('time', () => {
  const timeOf = ({ owners }: Tracked, manager: string) =>
    owners.find((owner) => owner.manager === manager)?.time;

  test('is updated only when the object changes', () => {
    const first = applied(start, 'alice', { n: 1 }, { now: 'first' });
    assert.equal(timeOf(applied(first, 'alice', { n: 1 }, { now: 'second' }), 'alice'), 'first');
    assert.equal(timeOf(applied(first, 'alice', { n: 2 }, { now: 'second' }), 'alice'), 'second');
  });

  test('is absent for a manager that only shares existing values', () => {
    const first = applied(start, 'alice', { n: 1 }, { now: 'first' });
    const shared = applied(first, 'bob', { n: 1 }, { now: 'second' });
    assert.equal(timeOf(shared, 'bob'), undefined);
    assert.equal(timeOf(shared, 'alice'), 'first');
  });

  test('of other managers is not updated when they lose fields', () => {
    const first = applied(start, 'alice', { n: 1, set: ['s'] }, { now: 'first' });
    const forced = applied(first, 'bob', { n: 2 }, { force: true, now: 'second' });
    assert.equal(timeOf(forced, 'alice'), 'first');
  });
});

describe('versions', () => {
  /** In v2, `n` is named `part.x`. */
  const versions: ApplyVersions = {
    mergeSchema: (apiVersion) => (apiVersion === 'v1' || apiVersion === 'v2' ? schema : undefined),
    convert(object, from, to) {
      const { n, part, ...rest } = object;
      if (from === to) return object;
      if (to === 'v2') return { ...rest, ...(n !== undefined && { part: { x: n } }) };
      const x = (part as JsonObject | null | undefined)?.x;
      return { ...rest, ...(x !== undefined && { n: x }) };
    },
  };
  const writer = (manager: string, apiVersion: string) =>
    ({ manager, operation: 'Apply', apiVersion, subresource: '' }) as const;
  const base = { versions, force: false, untracked: emptyFieldSet, now: 'now' };

  test('ownership carries over between versions', () => {
    const { object, owners } = structuredApply({
      ...base,
      live: { kind: 'T' },
      owners: [],
      configuration: { n: 1 },
      writer: writer('alice', 'v1'),
    });
    const live = versions.convert(object!, 'v1', 'v2');
    const right = { ...base, live, owners, writer: writer('bob', 'v2') };
    assert.throws(() => structuredApply({ ...right, configuration: { part: { x: 2 } } }), ApplyConflict);
    assert.equal(structuredApply({ ...right, configuration: { part: { x: 1 } } }).object, undefined);
  });

  test('applying in another version removes fields that are no longer applied', () => {
    const { object, owners } = structuredApply({
      ...base,
      live: { kind: 'T' },
      owners: [],
      configuration: { n: 1, labels: { a: 'x' } },
      writer: writer('alice', 'v1'),
    });
    const live = versions.convert(object!, 'v1', 'v2');
    const next = structuredApply({
      ...base,
      live,
      owners,
      configuration: { part: { x: 1 } },
      writer: writer('alice', 'v2'),
    });
    assert.deepEqual(plain(next.object!), { kind: 'T', part: { x: 1 } });
    assert.deepEqual(
      next.owners.map(({ apiVersion, fields }) => [apiVersion, [...fields.paths()].map(formatPath)]),
      [['v2', ['.part.x']]],
    );
  });

  test('fields that the version of another manager cannot express are not lost', () => {
    const { object } = structuredApply({
      ...base,
      live: { kind: 'T', n: 1, part: { y: 5 }, labels: { a: 'x' } },
      owners: [
        { ...writer('alice', 'v1'), fields: fieldSetOfDottedPaths(['labels.a']) },
        { ...writer('bob', 'v2'), fields: fieldSetOfDottedPaths(['part.x']) },
      ],
      configuration: { set: ['s'] },
      writer: writer('alice', 'v1'),
    });
    assert.deepEqual(plain(object!), { kind: 'T', n: 1, part: { y: 5 }, set: ['s'] });
  });

  test('a manager of a version that is no longer served owns nothing', () => {
    const gone = {
      ...writer('old', 'v0'),
      operation: 'Update' as const,
      fields: fieldSetOfDottedPaths(['n']),
    };
    const { owners } = structuredApply({
      ...base,
      live: { kind: 'T', n: 1 },
      owners: [gone],
      configuration: { n: 2 },
      writer: writer('alice', 'v1'),
    });
    assert.deepEqual(
      owners.map(({ manager }) => manager),
      ['alice'],
    );
  });
});

test('reset fields are neither owned nor in conflict', () => {
  const owners = [
    {
      manager: 'other',
      operation: 'Update' as const,
      apiVersion: 'v1',
      subresource: 'status',
      fields: fieldSetOfDottedPaths(['part.x']),
    },
  ];
  const outcome = structuredApply({
    versions: { mergeSchema: () => schema, convert: (object) => object },
    live: { kind: 'T', part: { x: 1 } },
    owners,
    configuration: { n: 1, part: { x: 2 } },
    writer: { manager: 'alice', operation: 'Apply', apiVersion: 'v1', subresource: '' },
    force: false,
    untracked: fieldSetOfDottedPaths(['part']),
    now: 'now',
  });
  assert.deepEqual(
    outcome.owners.map(({ manager, fields }) => [manager, [...fields.paths()].map(formatPath)]),
    [
      ['other', ['.part.x']],
      ['alice', ['.n']],
    ],
  );
});

test('an empty configuration creates no managedFields entry', () => {
  assert.deepEqual(applied(start, 'alice', {}), start);
  assert.deepEqual(applied(start, 'alice', { part: {} }).object, {});
});
