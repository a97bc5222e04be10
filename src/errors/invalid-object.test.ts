import assert from 'node:assert/strict';
import { test } from 'node:test';
import { invalidObject } from './catalogue.ts';
import { forbidden } from './field-error.ts';

test('a very long error is cut', () => {
  const { message, details } = invalidObject({ group: '', kind: 'Pod' }, 'a', [
    forbidden('spec', 'x'.repeat(10_000_000)),
    forbidden('metadata', 'short'),
  ]);
  assert.ok(message.length < 150_000);
  const [cause] = details?.causes ?? [];
  assert.match(cause?.message?.slice(-10) ?? '', /^x+…$/);
});

test('a very long name is cut', () => {
  const { message, details } = invalidObject({ group: '', kind: 'Pod' }, 'a'.repeat(3_000_000), [
    forbidden('metadata.name', 'too long'),
  ]);
  assert.ok(message.length < 40_000);
  assert.match(details?.name?.slice(-10) ?? '', /^a+…$/);
});
