// Tests of the RBAC policy comparator.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compactRules, TooManyPermissions, uncoveredRules } from './policy-comparator.ts';
import { type ReadonlyPolicyRule, ruleAllows } from './rule-evaluation.ts';

const on = (verbs: string, resources: string, more: ReadonlyPolicyRule = {}): ReadonlyPolicyRule => ({
  verbs: verbs.split(' '),
  apiGroups: [''],
  resources: resources.split(' '),
  ...more,
});

test('uncoveredRules returns nothing if a held rule covers the requested ones', () => {
  assert.deepEqual(uncoveredRules([on('get list', 'pods nodes')], [on('list get', 'nodes')]), []);
  assert.deepEqual(uncoveredRules([on('*', '*', { apiGroups: ['*'] })], [on('*', 'pods/log')]), []);
  assert.deepEqual(uncoveredRules([on('get', '*/scale')], [on('get', 'x/scale')]), []);
});

test('uncoveredRules combines held rules to cover a requested one', () => {
  const held = [on('get', 'pods'), on('list', 'pods nodes'), on('get', 'nodes')];
  assert.deepEqual(uncoveredRules(held, [on('get list', 'pods nodes')]), []);
});

test('uncoveredRules returns single permissions, and compactRules merges them by resource', () => {
  const missing = uncoveredRules([on('get', 'pods')], [on('get list watch', 'pods nodes')]);
  assert.equal(missing.length, 5);
  assert.deepEqual(compactRules(missing), [on('list watch', 'pods'), on('get list watch', 'nodes')]);
});

test('a rule with resourceNames covers only these names, a rule without covers all', () => {
  const some = on('get', 'pods', { resourceNames: ['a', 'b'] });
  assert.deepEqual(uncoveredRules([some], [on('get', 'pods')]), [on('get', 'pods')]);
  assert.deepEqual(uncoveredRules([on('get', 'pods')], [some]), []);
  assert.deepEqual(uncoveredRules([some], [on('get', 'pods', { resourceNames: ['b', 'c'] })]), [
    on('get', 'pods', { resourceNames: ['c'] }),
  ]);
});

test('a nonResourceURL with a trailing * covers every path with its prefix', () => {
  const paths = (...nonResourceURLs: string[]) => ({ verbs: ['get'], nonResourceURLs });
  assert.deepEqual(uncoveredRules([paths('/x/*')], [paths('/x/y', '/x/*', '/x')]), [paths('/x')]);
  assert.deepEqual(uncoveredRules([paths('*')], [paths('/*')]), []);
  assert.deepEqual(uncoveredRules([paths('/*')], [paths('*')]), [paths('*')]);
});

test('uncoveredRules throws TooManyPermissions beyond its budget, unless one rule covers everything', () => {
  const many = Array.from({ length: 100 }, (_, n) => `r${n}`);
  const requested = { verbs: many, apiGroups: many, resources: many };
  assert.throws(() => uncoveredRules([on('get', 'pods')], [requested]), TooManyPermissions);
  const held = Array.from({ length: 20_000 }, () => on('get', 'pods'));
  const others = many.map((name) => on('list', name));
  assert.throws(() => uncoveredRules(held, [...others, ...others]), TooManyPermissions);
  assert.throws(
    () => uncoveredRules(held, [{ ...on('list', 'x'), resources: [...many, ...many] }]),
    TooManyPermissions,
  );
  assert.deepEqual(uncoveredRules([on('*', '*', { apiGroups: ['*'] })], [requested]), []);
});

test('rules without uncovered permissions allow every request that the covered rule allows', () => {
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
    fc.property(fc.array(rules, { maxLength: 3 }), rules, requests, (held, requested, attributes) => {
      if (uncoveredRules(held, [requested]).length > 0 || !ruleAllows(requested, attributes)) return;
      assert.ok(held.some((rule) => ruleAllows(rule, attributes)));
    }),
    { numRuns: 5000 },
  );
});
