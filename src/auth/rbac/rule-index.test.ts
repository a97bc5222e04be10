// Tests of the RBAC rule index.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type ReadonlyPolicyRule,
  type RequestAttributes,
  ruleAllows,
} from '../../apis/rbac/rule-evaluation.ts';
import { noRule, RuleIndex } from './rule-index.ts';

const some = (...values: string[]) => fc.uniqueArray(fc.constantFrom(...values), { maxLength: 3 });
const rules: fc.Arbitrary<ReadonlyPolicyRule> = fc.record(
  {
    verbs: some('get', 'list', '*'),
    apiGroups: some('', 'apps', '*'),
    resources: some('pods', 'pods/log', '*', '*/log', 'pods/*', 'nodes'),
    resourceNames: some('a', 'b', ''),
    nonResourceURLs: some('/x', '/x/*', '/x*', '*', '/'),
  },
  { requiredKeys: ['verbs'] },
);
const requests: fc.Arbitrary<RequestAttributes> = fc.record({
  verb: fc.constantFrom('get', 'list', 'delete', '*'),
  isResource: fc.boolean(),
  group: fc.constantFrom('', 'apps', 'batch'),
  resource: fc.constantFrom('pods', 'nodes', 'jobs'),
  subresource: fc.constantFrom('', 'log', 'status', '*'),
  name: fc.constantFrom('', 'a', 'c'),
  path: fc.constantFrom('/x', '/x/y', '/', '/xy', '/z'),
});

test('RuleIndex finds the same first rule as evaluating the rules one by one', () => {
  fc.assert(
    fc.property(fc.array(rules, { maxLength: 6 }), requests, (list, attributes) => {
      const index = new RuleIndex();
      list.forEach((rule, position) => {
        index.add(rule, position);
      });
      assert.equal(
        index.find(attributes),
        list.findIndex((rule) => ruleAllows(rule, attributes)),
      );
    }),
    { numRuns: 2000 },
  );
});

test('a rule with too many combinations is evaluated unindexed, in order', () => {
  const many = Array.from({ length: 1000 }, (_, n) => `r${n}`);
  const index = new RuleIndex();
  index.add({ verbs: ['get'], apiGroups: [''], resources: ['pods'] }, 0);
  index.add({ verbs: many, apiGroups: many, resources: many }, 1);
  index.add({ verbs: ['*'], apiGroups: ['*'], resources: ['r7'] }, 2);
  const attributes = { verb: 'r1', isResource: true, group: 'r2', subresource: '', name: '', path: '' };
  assert.equal(index.find({ ...attributes, resource: 'r7' }), 1);
  assert.equal(index.find({ ...attributes, verb: 'get', group: '', resource: 'pods' }), 0);
  assert.equal(index.find({ ...attributes, resource: 'other' }), noRule);
});

test('the size of the index is bounded, and all rules are still found in order', () => {
  const some = Array.from({ length: 45 }, (_, n) => `r${n}`);
  const index = new RuleIndex();
  for (let position = 0; position < 100; position++) {
    index.add({ verbs: some, apiGroups: [`g${position}`], resources: some }, position);
  }
  const attributes = { verb: 'r1', isResource: true, resource: 'r7', subresource: '', name: '', path: '' };
  for (const position of [0, 20, 40, 99])
    assert.equal(index.find({ ...attributes, group: `g${position}` }), position);
  assert.equal(index.find({ ...attributes, group: 'g100' }), noRule);
});
