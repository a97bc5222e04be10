import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everythingServed, kind } from './support.ts';

const http = await everythingServed();
const ranges = kind(http, '/api/v1/namespaces/default/limitranges');
const of = (...limits: object[]) => ({ spec: { limits } });

test('LimitRange: limits hold default, defaultRequest, max, min and maxLimitRequestRatio by resource name', async () => {
  const item = {
    type: 'Container',
    max: { cpu: '4' },
    min: { cpu: '1' },
    default: { cpu: '3' },
    defaultRequest: { cpu: '2' },
    maxLimitRequestRatio: { cpu: '4' },
  };
  assert.deepEqual((await ranges.valid(of(item))).spec.limits, [item]);
});

test('LimitRange: an item has a type', async () => {
  await ranges.invalid(of({ max: { cpu: '1' } }), 'spec.limits[0].type');
});

test('LimitRange: amounts are quantities', async () => {
  await ranges.unreadable(of({ type: 'Pod', max: { cpu: 'much' } }), /quantities must match/);
});

test('LimitRange: default limits and requests are filled in where omitted', async () => {
  const { spec } = await ranges.valid(of({ type: 'Container', max: { cpu: '2' } }));
  assert.deepEqual(spec.limits, [
    { type: 'Container', max: { cpu: '2' }, default: { cpu: '2' }, defaultRequest: { cpu: '2' } },
  ]);
});

test('LimitRange: a ratio of limit to request is at least 1', async () => {
  await ranges.valid(of({ type: 'Pod', maxLimitRequestRatio: { cpu: '1' } }));
  await ranges.invalid(
    of({ type: 'Pod', maxLimitRequestRatio: { cpu: '500m' } }),
    'spec.limits[0].maxLimitRequestRatio[cpu]',
  );
});
