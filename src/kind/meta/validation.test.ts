import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orch } from '../../dialect/index.ts';
import { type FieldError, fieldErrorBody } from '../../errors/field-error.ts';
import { nameIsSubdomain } from '../../schema/names.ts';
import type { ObjectMetadata } from '../api-object.ts';
import { validateFinalizersQualified, validateMetadata, validateMetadataChange } from './validation.ts';

const valid: ObjectMetadata = { name: 'n', namespace: 'default' };
const shown = (errors: FieldError[]) => errors.map((error) => `${error.field}: ${fieldErrorBody(error)}`);
const problems = (meta: ObjectMetadata, namespaced = true) =>
  shown(validateMetadata(meta, { namespaced, nameRule: nameIsSubdomain }));
const changes = (meta: ObjectMetadata, old: ObjectMetadata) =>
  shown(validateMetadataChange({ ...valid, ...meta }, { ...valid, ...old }));

test('metadata with a name and a namespace is enough', () => {
  assert.deepEqual(problems(valid), []);
});

test('a name is required, and a namespace for namespaced kinds only', () => {
  assert.deepEqual(problems({ namespace: 'default' }), [
    'metadata.name: Required value: name or generateName is required',
  ]);
  assert.deepEqual(problems({ name: 'n' }), ['metadata.namespace: Required value']);
  assert.deepEqual(problems(valid, false), ['metadata.namespace: Forbidden: not allowed on this type']);
});

test('annotations are limited to 256 KiB, keys and values together', () => {
  const annotations = { k: 'x'.repeat(256 * 1024 - 1) };
  assert.deepEqual(problems({ ...valid, annotations }), []);
  assert.deepEqual(problems({ ...valid, annotations: { ...annotations, l: '' } }), [
    'metadata.annotations: Too long: may not be more than 262144 bytes',
  ]);
});

test('labels have a limit together', () => {
  const labels = Object.fromEntries(Array.from({ length: 4_500 }, (_, i) => [`label-${i}`, 'x'.repeat(60)]));
  assert.deepEqual(problems({ ...valid, labels }), [
    'metadata.labels: Too long: may not be more than 262144 bytes',
  ]);
});

test('finalizers have a limit together', () => {
  const finalizers = Array.from({ length: 4_800 }, (_, i) => `a.b/${'x'.repeat(50)}-${i}`);
  assert.deepEqual(problems({ ...valid, finalizers }), [
    'metadata.finalizers: Too long: may not be more than 262144 bytes',
  ]);
});

test('labels, annotations, finalizers and owner references are limited in number', () => {
  const names = Array.from({ length: 5_001 }, (_, i) => `a.b/c${i}`);
  const map = Object.fromEntries(names.map((name) => [name, '']));
  const ownerReferences = names.map((name) => ({ apiVersion: 'v1', kind: 'Pod', name, uid: name }));
  assert.deepEqual(
    problems({ ...valid, labels: map, annotations: map, finalizers: names, ownerReferences }),
    ['labels', 'annotations', 'finalizers', 'ownerReferences'].map(
      (field) => `metadata.${field}: Too many: 5001: must have at most 5000 items`,
    ),
  );
});

test('annotation keys may be upper case in their domain; label keys may not', () => {
  assert.deepEqual(problems({ ...valid, annotations: { 'A.com/x': '' } }), []);
  assert.equal(problems({ ...valid, labels: { 'A.com/x': '' } }).length, 1);
});

test('an Event cannot be an owner', () => {
  const ownerReferences = [{ apiVersion: 'v1', kind: 'Event', name: 'e', uid: 'u' }];
  assert.match(
    problems({ ...valid, ownerReferences }).join(),
    /\/v1, Kind=Event is disallowed from being an owner/,
  );
});

test('at most one owner reference is the controller', () => {
  const owner = (name: string) => ({ apiVersion: 'v1', kind: 'K', name, uid: name, controller: true });
  assert.match(
    problems({ ...valid, ownerReferences: [owner('a'), owner('b')] }).join(),
    /Only one reference can have Controller set to true. Found "true" in references for K\/a and K\/b/,
  );
});

test('finalizers are qualified names or standard finalizers', () => {
  const meta = { ...valid, finalizers: ['a.b/c', 'orch', 'orphan', 'kubernetes'] };
  assert.deepEqual(shown(validateFinalizersQualified(meta, orch)), [
    'metadata.finalizers[3]: Invalid value: "kubernetes": name is neither a standard finalizer name nor is it fully qualified',
  ]);
});

test('uid and creationTimestamp are immutable', () => {
  assert.deepEqual(changes({ uid: 'b', creationTimestamp: '2020-01-01T00:00:01Z' }, { uid: 'a' }), [
    'metadata.uid: Invalid value: "b": field is immutable',
    'metadata.creationTimestamp: Invalid value: 2020-01-01 00:00:01 +0000 UTC: field is immutable',
  ]);
});

test('generation never decreases', () => {
  assert.deepEqual(changes({ generation: 1 }, { generation: 2 }), [
    'metadata.generation: Invalid value: 1: must not be decremented',
  ]);
});

test('an object being deleted gets no new finalizers', () => {
  const deletionTimestamp = '2020-01-01T00:00:00Z';
  assert.deepEqual(
    changes({ deletionTimestamp, finalizers: ['a/b', 'c/d'] }, { deletionTimestamp, finalizers: ['a/b'] }),
    [
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"c/d"}',
    ],
  );
});
