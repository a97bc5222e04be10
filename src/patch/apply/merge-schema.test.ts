// Tests of the merge schema of a struct without fields, whose members upstream treats as untyped.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StorageVersion } from '../../apis/apiserverinternal/storageversion.ts';
import { mergeSchemaOf } from './merge-schema.ts';
import { validateConfiguration } from './validate-configuration.ts';

test('a struct without fields accepts any members', () => {
  validateConfiguration(mergeSchemaOf(StorageVersion), { spec: { a: 1, b: { c: [null] } } });
  assert.throws(
    () => validateConfiguration(mergeSchemaOf(StorageVersion), { spec: [] }),
    /\.spec: expected map, got &\{\[\]\}/,
  );
});

test('a struct with fields does not', () => {
  assert.throws(
    () => validateConfiguration(mergeSchemaOf(StorageVersion), { status: { a: 1 } }),
    /\.status\.a: field not declared in schema/,
  );
});
