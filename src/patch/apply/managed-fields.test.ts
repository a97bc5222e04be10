// Tests of managedFields entries.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stringifyJson } from '../../codec/json/stringify.ts';
import type { ManagedFieldsEntry } from '../../kind/meta/object-meta.ts';
import { fieldSetOfDottedPaths } from './field-set.ts';
import {
  allFields,
  areEqualIgnoringTime,
  capUpdateManagers,
  decodeManagedFields,
  encodeManagedFields,
  type ManagedFieldSet,
  withFields,
} from './managed-fields.ts';

const owner = (manager: string, more: Partial<ManagedFieldSet> = {}): ManagedFieldSet => ({
  manager,
  operation: 'Update',
  apiVersion: 'v1',
  subresource: '',
  time: '2026-01-31T12:00:00Z',
  fields: fieldSetOfDottedPaths([`data.${manager}`]),
  ...more,
});
const at = (second: number) =>
  new Date(Date.UTC(2026, 0, 31, 12, 0, second)).toISOString().replace('.000', '');
const entry = (more: Partial<ManagedFieldsEntry> = {}): ManagedFieldsEntry => ({
  manager: 'a',
  operation: 'Apply',
  apiVersion: 'v1',
  time: at(0),
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:data': { 'f:a': {} } },
  ...more,
});
const managers = (owners: readonly { readonly manager?: string }[] | undefined) =>
  owners?.map(({ manager }) => manager);

test('encoding decoded managedFields returns the same entries', () => {
  const entries = [
    entry(),
    entry({ manager: 'b', operation: 'Update', subresource: 'status', fieldsV1: { 'f:status': {} } }),
  ];
  assert.deepEqual(encodeManagedFields(decodeManagedFields(entries)!), entries);
});

test('Apply entries come before Update entries, then by time, then by name', () => {
  const owners = [
    owner('z', { time: at(1) }),
    owner('y', { time: at(0) }),
    owner('b', { time: at(5), operation: 'Apply' }),
    owner('c', { time: at(3), operation: 'Apply' }),
    owner('a', { time: at(1) }),
    owner('y', { time: at(0), apiVersion: 'v0' }),
    owner('y', { time: at(0), subresource: 'status' }),
  ];
  const shown = encodeManagedFields(owners)!.map(
    ({ manager, apiVersion, subresource }) =>
      `${manager} ${apiVersion}${subresource ? ` ${subresource}` : ''}`,
  );
  assert.deepEqual(shown, ['c v1', 'b v1', 'y v0', 'y v1', 'y v1 status', 'a v1', 'z v1']);
});

test('an entry without a time sorts first', () => {
  const { time: _, ...timeless } = owner('z');
  assert.deepEqual(managers(encodeManagedFields([owner('a'), timeless])), ['z', 'a']);
  assert.ok(!('time' in encodeManagedFields([timeless])![0]!));
});

test('no managers means no managedFields', () => {
  assert.equal(encodeManagedFields([]), undefined);
  assert.deepEqual(decodeManagedFields([]), []);
});

test('Apply is one entry across versions, Update one per version', () => {
  const twice = (operation: ManagedFieldSet['operation']) =>
    decodeManagedFields([entry({ operation }), entry({ operation, apiVersion: 'v2' })])!.length;
  assert.equal(twice('Apply'), 1);
  assert.equal(twice('Update'), 2);
});

test('invalid entries are rejected', () => {
  for (const wrong of [
    entry({ fieldsType: 'FieldsV2' }),
    entry({ operation: 'Replace' }),
    entry({ apiVersion: '' }),
    entry({ fieldsV1: { nonsense: {} } }),
    {},
  ]) {
    assert.equal(decodeManagedFields([entry(), wrong]), undefined);
  }
});

test('a manager without fields is dropped, and one with other fields gets a new entry', () => {
  const [known] = decodeManagedFields([entry()])!;
  assert.equal(withFields(known!, fieldSetOfDottedPaths([])), undefined);
  assert.equal(withFields(known!, known!.fields), known);
  const changed = withFields(known!, fieldSetOfDottedPaths(['data.b']))!;
  assert.deepEqual(JSON.parse(stringifyJson(encodeManagedFields([changed]))), [
    entry({ fieldsV1: { 'f:data': { 'f:b': {} } } }),
  ]);
});

test('managers are equal if their fields are, regardless of time', () => {
  const [a, b] = [owner('a'), owner('b')];
  assert.ok(areEqualIgnoringTime([a, b], [{ ...b, time: at(9) }, a]));
  assert.ok(!areEqualIgnoringTime([a], [a, b]));
  assert.ok(!areEqualIgnoringTime([a], [{ ...a, fields: b.fields }]));
  assert.ok(!areEqualIgnoringTime([a], [b]));
});

test('of more than ten Update entries the oldest of one version are merged', () => {
  const updaters = Array.from({ length: 12 }, (_, i) => owner(`u${i}`, { time: at(i) }));
  const applier = owner('applier', { operation: 'Apply', time: at(0) });
  const kept = capUpdateManagers([...updaters, applier]);
  assert.deepEqual(managers(encodeManagedFields(kept)), [
    'applier',
    'ancient-changes',
    ...Array.from({ length: 9 }, (_, i) => `u${i + 3}`),
  ]);
  const ancient = kept.find(({ manager }) => manager === 'ancient-changes')!;
  assert.ok(ancient.fields.equals(allFields(updaters.slice(0, 3))));
  assert.equal(ancient.time, at(2));
  assert.ok(allFields(kept).equals(allFields([...updaters, applier])), 'nothing is lost');
});

test('ten Update entries and any number of Apply entries are kept', () => {
  const ten = Array.from({ length: 10 }, (_, i) => owner(`u${i}`, { time: at(i) }));
  const appliers = Array.from({ length: 15 }, (_, i) => owner(`a${i}`, { operation: 'Apply' }));
  const all = [...ten, ...appliers];
  assert.equal(capUpdateManagers(all), all);
});

test('entries of different versions are not merged', () => {
  const updaters = Array.from({ length: 11 }, (_, i) =>
    owner(`u${i}`, { time: at(i), apiVersion: i === 1 ? 'v0' : 'v1' }),
  );
  const kept = capUpdateManagers(updaters);
  assert.equal(kept.length, 10);
  assert.ok(managers(kept)!.includes('u1'));
  const ancient = kept.find(({ manager }) => manager === 'ancient-changes')!;
  assert.ok(ancient.fields.equals(fieldSetOfDottedPaths(['data.u0', 'data.u2'])));
});

test('an ancient-changes entry absorbs more', () => {
  let owners: readonly ManagedFieldSet[] = [];
  for (let i = 0; i < 30; i++) owners = capUpdateManagers([...owners, owner(`u${i}`, { time: at(i) })]);
  assert.equal(owners.length, 10);
  assert.equal(owners.filter(({ manager }) => manager === 'ancient-changes').length, 1);
  assert.equal([...allFields(owners).paths()].length, 30);
});
