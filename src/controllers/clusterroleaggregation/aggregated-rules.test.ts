// Tests of ClusterRole aggregation.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AggregatableRole, aggregatedRules } from './aggregated-rules.ts';

const rule = (resource: string) => ({ verbs: ['get'], apiGroups: [''], resources: [resource] });
const role = (name: string, labels: Record<string, string>, ...resources: string[]): AggregatableRole => ({
  name,
  uid: name,
  labels,
  rules: resources.map(rule),
  selectors: undefined,
});
const aggregating = (name: string, selectors: AggregatableRole['selectors'], ...resources: string[]) => ({
  ...role(name, { all: 'yes' }, ...resources),
  selectors,
});

test('aggregatedRules orders by selector and role name, drops duplicates and skips the role itself', async () => {
  const all = aggregating('all', [{ matchLabels: { two: 'x' } }, { matchExpressions: [] }], 'own');
  const others = [
    role('c', {}, 'pods', 'nodes'),
    role('b', { two: 'x' }, 'jobs', 'pods'),
    role('a', {}, 'nodes'),
  ];
  assert.deepEqual(await aggregatedRules(all, [all, ...others]), ['jobs', 'pods', 'nodes'].map(rule));
});

test('aggregatedRules selects by each operator', async () => {
  const one = (operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist', ...values: string[]) =>
    aggregating('g', [{ matchExpressions: [{ key: 'k', operator, values }] }]);
  const others = [role('without', {}, 'pods'), role('with', { k: 'a' }, 'nodes')];
  const found = [one('In', 'a'), one('NotIn', 'a'), one('Exists'), one('DoesNotExist')].map(
    async (selecting) => (await aggregatedRules(selecting, others)).flatMap(({ resources }) => resources),
  );
  assert.deepEqual(await Promise.all(found), [['nodes'], ['pods'], ['nodes'], ['pods']]);
});

test('very many selectors do not block the event loop', async () => {
  const selectors = Array.from({ length: 50_000 }, (_, i) => ({ matchLabels: { [`k${i}`]: 'x' } }));
  const others = Array.from({ length: 50 }, (_, i) => role(`r${i}`, { [`k${49_950 + i}`]: 'x' }, `pods${i}`));
  let turns = 0;
  const timer = setInterval(() => turns++);
  const rules = await aggregatedRules(aggregating('g', selectors), others);
  clearInterval(timer);
  assert.equal(rules.length, 50);
  assert.ok(turns > 0);
});
