import { ask, del, get, type JsonObject, post, put, type Step, subject } from '../case.ts';
import { lifecycle, withChange } from './lifecycle.ts';
import { object, paths, servicecidrs } from './objects.ts';

const beta = paths('/apis/networking.k8s.io/v1beta1/servicecidrs');
const tried = (...cidrs: string[]): Step =>
  post(servicecidrs('?dryRun=All'), object('{name}', { spec: { cidrs } }));
const range = object('{name}', { spec: { cidrs: ['198.51.100.0/24'] } });
const condition = (fields: JsonObject): JsonObject => ({
  type: 'Ready',
  status: 'True',
  reason: 'A',
  message: 'm',
  lastTransitionTime: '2024-01-01T00:00:00Z',
  ...fields,
});

export const serviceCidrRules = subject('servicecidrs', [
  ask(
    'ranges',
    [
      [],
      ['198.51.100.0/24'],
      ['2001:db8::/64'],
      ['198.51.100.0/24', '2001:db8::/64'],
      ['2001:db8::/64', '198.51.100.0/24'],
      ['198.51.100.0/24', '203.0.113.0/24'],
      ['2001:db8::/64', '2001:db8:1::/64'],
      ['198.51.100.0/24', '2001:db8::/64', '203.0.113.0/24'],
      ['198.51.100.1/24'],
      ['198.51.100.0'],
      ['x'],
      [''],
      ['198.51.100.0/32'],
      ['198.51.100.0/31'],
      ['0.0.0.0/0'],
      ['2001:DB8::/64'],
      ['2001:db8:0::/64'],
      ['2001:db8::/128'],
      ['2001:db8::/12'],
      ['::ffff:198.51.100.0/120'],
      ['198.051.100.0/24'],
      ['x', 'y'],
      ['10.0.0.0/24'],
    ].map((cidrs) => tried(...cidrs)),
    post(servicecidrs('?dryRun=All'), object('{name}')),
    post(servicecidrs('?dryRun=All'), object('UPPER', { spec: { cidrs: ['198.51.100.0/24'] } })),
    post(beta('?dryRun=All'), object('{name}', { spec: { cidrs: ['198.51.100.1/24'] } })),
  ),
  ask(
    'ranges stay, but a second family may come',
    post(servicecidrs(), range, { as: 'a' }),
    [
      ['198.51.100.0/24', '2001:db8::/64'],
      ['198.51.100.0/25'],
      ['203.0.113.0/24'],
      ['2001:db8::/64', '198.51.100.0/24'],
      [],
      ['198.51.100.0/24', '203.0.113.0/24'],
      ['198.51.100.0/24', 'x'],
    ].map((cidrs) => put(servicecidrs('{name}?dryRun=All'), withChange('a', { spec: { cidrs } }))),
    put(
      beta('{name}?dryRun=All'),
      withChange('a', { apiVersion: 'networking.k8s.io/v1beta1', spec: { cidrs: ['203.0.113.0/24'] } }),
    ),
    get(beta('{name}')),
    del(servicecidrs('{name}')),
  ),
  ask(
    'the one of the server itself',
    get(servicecidrs('kubernetes')),
    get(beta('kubernetes')),
    post(servicecidrs(), object('kubernetes', { spec: { cidrs: ['198.51.100.0/24'] } })),
  ),
  ask(
    'a status is written through either path, and nothing else through its own',
    post(servicecidrs(), { ...range, status: { conditions: [condition({})] } }, { as: 'a' }),
    put(
      servicecidrs('{name}/status'),
      withChange('a', { spec: { cidrs: [] }, status: { conditions: [condition({ status: 'False' })] } }),
      { as: 'b' },
    ),
    get(servicecidrs('{name}/status')),
    put(servicecidrs('{name}/status'), {
      metadata: { name: '{name}', labels: { a: 'b' }, annotations: { a: 'b' }, finalizers: ['a.b/c'] },
      status: {},
    }),
    put(servicecidrs('{name}'), withChange('b', { status: {} })),
    put(servicecidrs('{name}'), { ...range, status: { conditions: [condition({ reason: 'B' })] } }),
    put(beta('{name}/status'), {
      metadata: { name: '{name}' },
      status: { conditions: [condition({ reason: 'C' })] },
    }),
    del(servicecidrs('{name}')),
  ),
  ask(
    'a status has conditions',
    post(servicecidrs(), range, { as: 'a' }),
    [
      [condition({})],
      [condition({ status: 'Nope' })],
      [condition({ type: '' })],
      [condition({ type: 'b b' })],
      [condition({ reason: '' })],
      [condition({ reason: '9' })],
      [condition({ lastTransitionTime: null })],
      [condition({}), condition({})],
      [condition({ observedGeneration: -1 })],
      [condition({ message: 'x'.repeat(32769) })],
    ].map((conditions) =>
      put(servicecidrs('{name}/status?dryRun=All'), withChange('a', { status: { conditions } })),
    ),
    del(servicecidrs('{name}')),
  ),
  ...lifecycle(servicecidrs, range, {
    change: { spec: { cidrs: ['198.51.100.0/24', '2001:db8::/64'] } },
  }),
  ...lifecycle(beta, object('{name}', { spec: { cidrs: ['203.0.113.0/24'] } }), {
    name: 'v1beta1',
    change: { spec: { cidrs: ['203.0.113.0/24', '2001:db8::/64'] } },
  }),
]);
