import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  dataKey,
  nameIsLabel,
  nameIsPathSegment,
  nameIsSubdomain,
  qualifiedName,
  validLabelValue,
} from './names.ts';

test('a subdomain is lower-case labels between dots, 253 characters at most', () => {
  for (const name of ['a', 'a-b.c0', '0.1', 'a'.repeat(253)])
    assert.deepEqual(nameIsSubdomain(name, false), []);
  for (const name of ['', 'A', 'a_b', '-a', 'a-', 'a..b', '.a', 'é']) {
    assert.match(nameIsSubdomain(name, false).join(), /a lowercase RFC 1123 subdomain must consist/, name);
  }
  assert.deepEqual(nameIsSubdomain('a'.repeat(254), false), ['must be no more than 253 characters']);
});

test('a label has no dots, and the message says so', () => {
  assert.deepEqual(nameIsLabel('a.b', false), ['must not contain dots']);
  assert.match(nameIsLabel('A.b', false).join(), /a lowercase RFC 1123 label must consist/);
  assert.deepEqual(nameIsLabel('a'.repeat(64), false), ['must be no more than 63 characters']);
});

test('a generateName may end in a dash', () => {
  assert.deepEqual(nameIsSubdomain('web-', true), []);
  assert.deepEqual(nameIsLabel('web-', true), []);
  assert.notDeepEqual(nameIsSubdomain('web_', true), []);
});

test('a path segment is not . or .., and has no / or %', () => {
  assert.deepEqual(nameIsPathSegment('A_b:C d', false), []);
  assert.deepEqual(nameIsPathSegment('..', false), ["may not be '..'"]);
  assert.deepEqual(nameIsPathSegment('..', true), []);
  assert.deepEqual(nameIsPathSegment('a/%', false), ["may not contain '/'", "may not contain '%'"]);
});

test('a qualified name is a name with an optional DNS subdomain prefix', () => {
  for (const name of ['a', 'A.b_c-d', 'example.com/Name']) assert.deepEqual(qualifiedName(name), []);
  assert.deepEqual(qualifiedName('/a'), ['prefix part must be non-empty']);
  assert.match(
    qualifiedName('a/b/c').join(),
    /^a qualified name must consist .* with an optional DNS subdomain prefix/,
  );
  assert.match(qualifiedName('').join(), /^name part must be non-empty,name part must consist/);
  assert.match(qualifiedName('A.com/x').join(), /^prefix part a lowercase RFC 1123 subdomain/);
});

test('a label value may be empty', () => {
  assert.deepEqual(validLabelValue(''), []);
  assert.match(validLabelValue('a b').join(), /^a valid label must be an empty string or consist of/);
});

test('a ConfigMap key is not a path', () => {
  assert.deepEqual(dataKey('.hidden'), []);
  assert.deepEqual(dataKey('..'), ["must not be '..'"]);
  assert.deepEqual(dataKey('..data'), ["must not start with '..'"]);
  assert.match(dataKey('a/b').join(), /^a valid config key must consist/);
});
