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

test('an index finds the first rule that allows a request, as trying them one by one does', () => {
  fc.assert(
    fc.property(fc.array(rules, { maxLength: 6 }), requests, (list, asked) => {
      const index = new RuleIndex();
      list.forEach((rule, place) => {
        index.add(rule, place);
      });
      assert.equal(
        index.find(asked),
        list.findIndex((rule) => ruleAllows(rule, asked)),
      );
    }),
    { numRuns: 2000 },
  );
});

test('a rule with very many combinations is kept as it is, in its place', () => {
  const many = Array.from({ length: 1000 }, (_, n) => `r${n}`);
  const index = new RuleIndex();
  index.add({ verbs: ['get'], apiGroups: [''], resources: ['pods'] }, 0);
  index.add({ verbs: many, apiGroups: many, resources: many }, 1);
  index.add({ verbs: ['*'], apiGroups: ['*'], resources: ['r7'] }, 2);
  const asked = { verb: 'r1', isResource: true, group: 'r2', subresource: '', name: '', path: '' };
  assert.equal(index.find({ ...asked, resource: 'r7' }), 1);
  assert.equal(index.find({ ...asked, verb: 'get', group: '', resource: 'pods' }), 0);
  assert.equal(index.find({ ...asked, resource: 'other' }), noRule);
});

test('rules without end take no memory without end, and are found in their places all the same', () => {
  const some = Array.from({ length: 45 }, (_, n) => `r${n}`);
  const index = new RuleIndex();
  for (let place = 0; place < 100; place++) {
    index.add({ verbs: some, apiGroups: [`g${place}`], resources: some }, place);
  }
  const asked = { verb: 'r1', isResource: true, resource: 'r7', subresource: '', name: '', path: '' };
  for (const place of [0, 20, 40, 99]) assert.equal(index.find({ ...asked, group: `g${place}` }), place);
  assert.equal(index.find({ ...asked, group: 'g100' }), noRule);
});
