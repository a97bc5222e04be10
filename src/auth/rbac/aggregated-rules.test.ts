import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aggregatedRules, type GatheredRole, gathersFrom } from './aggregated-rules.ts';

const rule = (resource: string) => ({ verbs: ['get'], apiGroups: [''], resources: [resource] });
const role = (name: string, labels: Record<string, string>, ...resources: string[]): GatheredRole => ({
  name,
  uid: name,
  labels,
  rules: resources.map(rule),
  selectors: undefined,
});
const gathering = (name: string, selectors: GatheredRole['selectors'], ...resources: string[]) => ({
  ...role(name, { all: 'yes' }, ...resources),
  selectors,
});

test('rules come selector by selector, from roles by name, each once and none from the role itself', () => {
  const all = gathering('all', [{ matchLabels: { two: 'x' } }, { matchExpressions: [] }], 'own');
  const others = [
    role('c', {}, 'pods', 'nodes'),
    role('b', { two: 'x' }, 'jobs', 'pods'),
    role('a', {}, 'nodes'),
  ];
  assert.deepEqual(aggregatedRules(all, [all, ...others]), ['jobs', 'pods', 'nodes'].map(rule));
});

test('a role is gathered from when any selector selects it', () => {
  const one = (operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist', ...values: string[]) =>
    gathering('g', [{ matchExpressions: [{ key: 'k', operator, values }] }]);
  const [without, withA] = [role('r', {}), role('r', { k: 'a' })];
  const found = [one('In', 'a'), one('NotIn', 'a'), one('Exists'), one('DoesNotExist')].map((selecting) => [
    gathersFrom(selecting, without),
    gathersFrom(selecting, withA),
  ]);
  assert.deepEqual(found, [
    [false, true],
    [true, false],
    [false, true],
    [true, false],
  ]);
});
