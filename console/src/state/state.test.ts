// Tests of the console's pure functions: filter, order, ages, routes, keys.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findKind, rankKinds } from '../api/discovery.ts';
import { formatAge } from './age.ts';
import { compareCells } from './column-order.ts';
import { KeySequence } from './keyboard.ts';
import { OrderedRows } from './ordered-rows.ts';
import { parseFilter } from './row-filter.ts';

test('a filter combines words, labels and exclusions', () => {
  const row = { name: 'web-1', namespace: 'shop', cells: ['web-1', 'Running'], labels: { app: 'web' } };
  for (const [text, expected] of [
    ['', true],
    ['WEB run', true],
    ['web pending', false],
    ['app=web', true],
    ['app!=web', false],
    ['-shop', false],
    ['-app=db web', true],
  ] as const) {
    assert.equal(parseFilter(text)(row), expected, text);
  }
});

test('cells are ordered as numbers, quantities or texts', () => {
  assert.deepEqual(['10', '9', '1/1', 'b', 'a10', 'a9'].sort(compareCells), [
    '1/1',
    '9',
    '10',
    'a9',
    'a10',
    'b',
  ]);
  assert.ok(compareCells('500m', '1') < 0);
  assert.ok(compareCells('1Gi', '900Mi') > 0);
});

test('rows stay in order while single rows change', () => {
  const rows = new OrderedRows<{ key: number }>((one, other) => one.key - other.key);
  const items = [5, 1, 3].map((key) => ({ key }));
  rows.reset(items);
  rows.insert({ key: 4 });
  rows.remove(items[1]!);
  rows.remove({ key: 3 });
  assert.deepEqual(
    rows.items.map(({ key }) => key),
    [3, 4, 5],
  );
});

test('ages have the units of kubectl', () => {
  const minute = 60_000;
  const ages = [
    0,
    119_000,
    5 * minute + 10_000,
    30 * minute,
    200 * minute,
    30 * 60 * minute,
    80 * 60 * minute,
    480 * 60 * minute,
  ];
  assert.deepEqual(ages.map(formatAge), ['0s', '119s', '5m10s', '30m', '3h20m', '30h', '3d8h', '20d']);
});

test('g starts a sequence, which ends by itself', () => {
  const keys = new KeySequence();
  assert.equal(keys.press('j', 0), 'down');
  assert.equal(keys.press('g', 0), undefined);
  assert.deepEqual(keys.press('p', 10), { goTo: 'kind/pods' });
  keys.press('g', 20);
  assert.equal(keys.press('g', 30), 'kinds');
  keys.press('g', 40);
  assert.equal(keys.press('k', 5_000), 'up');
});

test('kinds are found by plural, short name and kind', () => {
  const kind = (resource: string, kindName: string, group = '', shortNames: string[] = []) => ({
    ...{
      group,
      version: 'v1',
      resource,
      kind: kindName,
      isNamespaced: true,
      shortNames,
      verbs: [],
      subresources: [],
    },
  });
  const kinds = [kind('pods', 'Pod', '', ['po']), kind('deployments', 'Deployment', 'apps', ['deploy'])];
  for (const name of ['deploy', 'Deployment', 'deployments', 'deployments.apps']) {
    assert.equal(findKind(kinds, name)?.resource, 'deployments', name);
  }
  assert.deepEqual(
    rankKinds(kinds, 'po').map(({ resource }) => resource),
    ['pods'],
  );
});
