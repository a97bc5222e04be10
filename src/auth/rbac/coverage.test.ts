import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compact, missingRules, TooManyPermissions } from './coverage.ts';
import { allows, type Rule } from './rule.ts';

const on = (verbs: string, resources: string, more: Rule = {}): Rule => ({
  verbs: verbs.split(' '),
  apiGroups: [''],
  resources: resources.split(' '),
  ...more,
});

test('what is held is not missing', () => {
  assert.deepEqual(missingRules([on('get list', 'pods nodes')], [on('list get', 'nodes')]), []);
  assert.deepEqual(missingRules([on('*', '*', { apiGroups: ['*'] })], [on('*', 'pods/log')]), []);
  assert.deepEqual(missingRules([on('get', '*/scale')], [on('get', 'x/scale')]), []);
});

test('several rules together hold what none of them does alone', () => {
  const held = [on('get', 'pods'), on('list', 'pods nodes'), on('get', 'nodes')];
  assert.deepEqual(missingRules(held, [on('get list', 'pods nodes')]), []);
});

test('what is missing is said permission by permission, and put together by resource', () => {
  const missing = missingRules([on('get', 'pods')], [on('get list watch', 'pods nodes')]);
  assert.equal(missing.length, 5);
  assert.deepEqual(compact(missing), [on('list watch', 'pods'), on('get list watch', 'nodes')]);
});

test('a right to some objects is none to all, and one to all is one to some', () => {
  const some = on('get', 'pods', { resourceNames: ['a', 'b'] });
  assert.deepEqual(missingRules([some], [on('get', 'pods')]), [on('get', 'pods')]);
  assert.deepEqual(missingRules([on('get', 'pods')], [some]), []);
  assert.deepEqual(missingRules([some], [on('get', 'pods', { resourceNames: ['b', 'c'] })]), [
    on('get', 'pods', { resourceNames: ['c'] }),
  ]);
});

test('a star at the end of a path holds all that goes on like it', () => {
  const paths = (...nonResourceURLs: string[]) => ({ verbs: ['get'], nonResourceURLs });
  assert.deepEqual(missingRules([paths('/x/*')], [paths('/x/y', '/x/*', '/x')]), [paths('/x')]);
  assert.deepEqual(missingRules([paths('*')], [paths('/*')]), []);
  assert.deepEqual(missingRules([paths('/*')], [paths('*')]), [paths('*')]);
});

test('more than can be compared is refused, unless one rule holds it all', () => {
  const many = Array.from({ length: 100 }, (_, n) => `r${n}`);
  const wanted = { verbs: many, apiGroups: many, resources: many };
  assert.throws(() => missingRules([on('get', 'pods')], [wanted]), TooManyPermissions);
  const held = Array.from({ length: 20_000 }, () => on('get', 'pods'));
  const others = many.map((name) => on('list', name));
  assert.throws(() => missingRules(held, [...others, ...others]), TooManyPermissions);
  assert.throws(
    () => missingRules(held, [{ ...on('list', 'x'), resources: [...many, ...many] }]),
    TooManyPermissions,
  );
  assert.deepEqual(missingRules([on('*', '*', { apiGroups: ['*'] })], [wanted]), []);
});

test('whoever holds all that is wanted may do all that it allows', () => {
  const some = (...values: string[]) => fc.subarray(values, { minLength: 1 });
  const rules = fc.record({
    verbs: some('get', 'list', '*'),
    apiGroups: some('', 'apps', '*'),
    resources: some('pods', 'pods/log', '*', '*/log'),
    resourceNames: fc.subarray(['a', 'b']),
  });
  const requests = fc.record({
    verb: fc.constantFrom('get', 'list', 'delete'),
    isResource: fc.constant(true),
    group: fc.constantFrom('', 'apps', 'batch'),
    resource: fc.constantFrom('pods', 'nodes'),
    subresource: fc.constantFrom('', 'log'),
    name: fc.constantFrom('', 'a', 'b', 'c'),
    path: fc.constant(''),
  });
  fc.assert(
    fc.property(fc.array(rules, { maxLength: 3 }), rules, requests, (held, wanted, asked) => {
      if (missingRules(held, [wanted]).length > 0 || !allows(wanted, asked)) return;
      assert.ok(held.some((rule) => allows(rule, asked)));
    }),
    { numRuns: 5000 },
  );
});
