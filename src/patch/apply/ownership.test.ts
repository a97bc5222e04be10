// Tests of field ownership after updates.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare } from './compare.ts';
import { emptyFieldSet, fieldSetOfDottedPaths } from './field-set.ts';
import type { ManagedFieldSet } from './managed-fields.ts';
import { changesByVersion, managersAfterUpdate } from './managed-fields.ts';
import { mergeSchemaOf, type StructMergeSchema } from './merge-schema.ts';
import { type SchemaPlan, typeOf } from './random-schema.fixture.ts';
import { applied, ownersOf, untouched, updated } from './tracked.fixture.ts';

const plan: SchemaPlan = {
  struct: { n: 'int', m: 'int', labels: { map: 'string' }, set: { set: 'string' }, whole: { list: 'int' } },
};
const schema = mergeSchemaOf(typeOf(plan)) as StructMergeSchema;
const start = untouched(schema);

test('the first writer owns all fields and their parents', () => {
  const made = updated(start, 'alice', { n: 1, labels: { a: 'x' }, set: ['s'], whole: [1] });
  assert.deepEqual(ownersOf(made), {
    'alice Update': ['f:labels', 'f:labels f:a', 'f:n', 'f:set', 'f:set v:"s"', 'f:whole'],
  });
});

test('a changed field belongs to its writer only', () => {
  const made = updated(start, 'alice', { n: 1, m: 1 });
  assert.deepEqual(ownersOf(updated(made, 'bob', { n: 2, m: 1 })), {
    'alice Update': ['f:m'],
    'bob Update': ['f:n'],
  });
  const shared = applied(made, 'carol', { n: 1 });
  assert.deepEqual(ownersOf(updated(shared, 'bob', { n: 2, m: 2 })), { 'bob Update': ['f:m', 'f:n'] });
});

test('a removed field has no manager, and a manager without fields is dropped', () => {
  const made = updated(start, 'alice', { n: 1, labels: { a: 'x', b: 'y' } });
  assert.deepEqual(ownersOf(updated(made, 'bob', { n: 1, labels: { b: 'y' } })), {
    'alice Update': ['f:labels', 'f:labels f:b', 'f:n'],
  });
  assert.deepEqual(updated(made, 'bob', {}).owners, []);
});

test('an unchanged field stays with its manager', () => {
  const made = updated(start, 'alice', { n: 1 });
  const again = updated(made, 'bob', { n: 1 });
  assert.equal(again.owners, made.owners);
});

test('a second write adds fields and updates the time', () => {
  const made = updated(start, 'alice', { n: 1 }, 'first');
  const more = updated(made, 'alice', { n: 1, m: 1 }, 'second');
  assert.deepEqual(ownersOf(more), { 'alice Update': ['f:m', 'f:n'] });
  assert.deepEqual(
    more.owners.map(({ time }) => time),
    ['second'],
  );
});

test('a write that only removes fields does not update the time', () => {
  const made = updated(start, 'alice', { n: 1, m: 1 }, 'first');
  assert.deepEqual(
    updated(made, 'alice', { n: 1 }, 'second').owners.map(({ time }) => time),
    ['first'],
  );
});

test('Apply and Update of one manager are two entries', () => {
  const both = updated(applied(start, 'alice', { n: 1 }), 'alice', { n: 1, m: 1 });
  assert.deepEqual(ownersOf(both), { 'alice Apply': ['f:n'], 'alice Update': ['f:m'] });
});

test('changes are compared once per version of a manager', () => {
  const asked: string[] = [];
  const changes = changesByVersion((apiVersion) => {
    asked.push(apiVersion);
    if (apiVersion === 'v0') return undefined;
    return compare(schema, {}, apiVersion === 'v1' ? { n: 1 } : { m: 1 }, 'json');
  }, emptyFieldSet);
  const owner = (manager: string, apiVersion: string): ManagedFieldSet => ({
    manager,
    operation: 'Update',
    apiVersion,
    subresource: '',
    fields: fieldSetOfDottedPaths(['n', 'm']),
  });
  const before = [owner('one', 'v1'), owner('two', 'v2'), owner('too', 'v2'), owner('gone', 'v0')];
  const writer = { manager: 'w', operation: 'Update', apiVersion: 'v1', subresource: '' } as const;
  const owners = managersAfterUpdate(before, writer, changes, 'now');
  assert.deepEqual(
    owners.map(({ manager, fields }) => `${manager} ${[...fields.paths()].join()}`),
    ['one f:m', 'two f:n', 'too f:n', 'w f:n'],
  );
  assert.deepEqual(asked.sort(), ['v0', 'v1', 'v2']);
});

test('untracked fields are not owned', () => {
  const changes = changesByVersion(
    () => compare(schema, {}, { n: 1, labels: { a: 'x' } }, 'json'),
    fieldSetOfDottedPaths(['labels']),
  );
  const manager = { manager: 'w', operation: 'Update', apiVersion: 'v1', subresource: '' } as const;
  const [owner] = managersAfterUpdate([], manager, changes, 'now');
  assert.ok(owner!.fields.equals(fieldSetOfDottedPaths(['n'])));
});
