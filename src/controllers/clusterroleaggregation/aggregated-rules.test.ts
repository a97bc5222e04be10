// Tests of ClusterRole aggregation.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AggregatableRole, aggregatedRules, aggregatesFrom } from './aggregated-rules.ts';

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

test('aggregatedRules orders by selector and role name, drops duplicates and skips the role itself', () => {
  const all = aggregating('all', [{ matchLabels: { two: 'x' } }, { matchExpressions: [] }], 'own');
  const others = [
    role('c', {}, 'pods', 'nodes'),
    role('b', { two: 'x' }, 'jobs', 'pods'),
    role('a', {}, 'nodes'),
  ];
  assert.deepEqual(aggregatedRules(all, [all, ...others]), ['jobs', 'pods', 'nodes'].map(rule));
});

test('aggregatesFrom is true if any selector matches the labels', () => {
  const one = (operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist', ...values: string[]) =>
    aggregating('g', [{ matchExpressions: [{ key: 'k', operator, values }] }]);
  const [without, withA] = [role('r', {}), role('r', { k: 'a' })];
  const found = [one('In', 'a'), one('NotIn', 'a'), one('Exists'), one('DoesNotExist')].map((selecting) => [
    aggregatesFrom(selecting, without),
    aggregatesFrom(selecting, withA),
  ]);
  assert.deepEqual(found, [
    [false, true],
    [true, false],
    [false, true],
    [true, false],
  ]);
});
