import { ask, del, get, type JsonObject, post, subject } from '../case.ts';
import { lifecycle } from './lifecycle.ts';
import { object, paths } from './objects.ts';
import { tries } from './refusals.ts';

const slices = (version: string) => paths(`/apis/resource.k8s.io/${version}/resourceslices`);

function slice(changes: JsonObject = {}, name = '{name}'): JsonObject {
  const spec: JsonObject = {
    driver: 'd.example.com',
    pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
    nodeName: 'n',
    devices: [],
    ...changes,
  };
  for (const [field, value] of Object.entries(spec)) if (value === null) delete spec[field];
  return object(name, { spec });
}

const device = (basic: JsonObject = {}, name = 'd0'): JsonObject => ({ name, basic });
const having = (basic: JsonObject, changes: JsonObject = {}) =>
  slice({ devices: [device(basic)], ...changes });
const attributes = (given: JsonObject) => having({ attributes: given });
const oneTerm = {
  nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }] }],
};
const perDevice = { nodeName: null, perDeviceNodeSelection: true };
const counters = { name: 's', counters: { c: { value: '1' } } };
const consumption = { counterSet: 's', counters: { c: { value: '1' } } };
const taint = { key: 'a', effect: 'NoExecute', timeAdded: '2024-01-02T03:04:05Z' };

export const resourceSlices = [
  subject('resourceslices', [
    ...lifecycle(slices('v1beta1'), slice(), {
      full: slice(
        {
          devices: [
            device({
              attributes: {
                a: { int: 1 },
                b: { bool: true },
                'x.example.com/c': { string: 'x' },
                d: { version: '1.2.3' },
              },
              capacity: { m: { value: '1Gi' } },
              taints: [taint],
              consumesCounters: [consumption],
            }),
          ],
          sharedCounters: [counters],
        },
        '{other}',
      ),
      change: { spec: { devices: [device()] } },
    }),
    ...lifecycle(slices('v1beta2'), slice({ devices: [{ name: 'd0', capacity: { m: { value: '1' } } }] }), {
      name: 'v1beta2',
      change: { spec: { devices: [] } },
    }),
    ...lifecycle(slices('v1alpha3'), slice({ devices: [device({ capacity: { m: '1' } })] }), {
      name: 'v1alpha3',
      change: { spec: { devices: [] } },
    }),
    ask(
      'one object in three versions',
      post(
        slices('v1beta2')(),
        slice({ nodeName: null, allNodes: true, devices: [{ name: 'd0', capacity: { m: { value: '1' } } }] }),
      ),
      ['v1beta1', 'v1beta2', 'v1alpha3'].map((version) => get(slices(version)('{name}'))),
      del(slices('v1alpha3')('{name}')),
    ),
    ask(
      'selected by node and driver',
      post(slices('v1beta1')(), slice({ nodeName: '{name}', driver: 'd.{name}' })),
      ['v1beta1', 'v1beta2', 'v1alpha3'].flatMap((version) => [
        get(slices(version)('?fieldSelector=spec.nodeName={name}')),
        get(slices(version)('?fieldSelector=spec.driver=d.{name},spec.nodeName!={name}')),
      ]),
      get(slices('v1beta1')('?fieldSelector=spec.pool=p')),
      del(slices('v1beta1')('{name}')),
    ),
    ...tries(slices('v1beta1'), {
      'drivers and pools': [
        object('{name}'),
        slice({ driver: 'A_' }),
        slice({ driver: 'a'.repeat(64) }),
        slice({ pool: {} }),
        slice({ pool: { name: 'A_', generation: -1, resourceSliceCount: -1 } }),
        slice({ pool: { name: 'a//b', resourceSliceCount: 1 } }),
        slice({ pool: { name: 'a/b', resourceSliceCount: 1 } }),
        object('A_', { spec: {} }),
      ],
      'where they are': [
        slice({ nodeName: null }),
        slice({ nodeName: 'A_' }),
        slice({ allNodes: true }),
        slice({ nodeName: null, allNodes: true }),
        slice({ nodeName: null, nodeSelector: oneTerm }),
        slice({ nodeName: null, nodeSelector: {} }),
        slice({
          nodeName: null,
          nodeSelector: { nodeSelectorTerms: [...oneTerm.nodeSelectorTerms, ...oneTerm.nodeSelectorTerms] },
        }),
        slice({ nodeName: null, perDeviceNodeSelection: false }),
        slice({ perDeviceNodeSelection: true }),
        having({ nodeName: 'n' }),
        having({}, perDevice),
        having({ nodeName: 'n' }, perDevice),
        having({ nodeName: 'n', allNodes: true }, perDevice),
        having({ nodeName: '', allNodes: false }, perDevice),
      ],
      devices: [
        slice({ devices: [{}] }),
        slice({ devices: [{ name: 'd0' }] }),
        slice({ devices: [device({}, 'A_')] }),
        slice({ devices: [device(), device()] }),
        slice({ devices: Array.from({ length: 129 }, (_, i) => device({}, `d${i}`)) }),
        attributes({ a: {} }),
        attributes({ a: { int: 1, bool: true } }),
        attributes({ a: { version: '1.2' } }),
        attributes({ a: { version: `1.0.0-${'a'.repeat(64)}` } }),
        attributes({ a: { string: 'x'.repeat(65) } }),
        attributes({ 'a b': { int: 1 } }),
        attributes({ 'A_/a-b': { int: 1 } }),
        attributes({ '': { int: 1 } }),
        attributes(Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`a${i}`, { int: 1 }]))),
        having({ capacity: { 'a-b': { value: '1' } } }),
        having({ capacity: { m: {} } }),
        having({ taints: [{}] }),
        having({ taints: Array.from({ length: 5 }, () => taint) }),
      ],
      counters: [
        slice({ sharedCounters: [counters] }),
        slice({ sharedCounters: [{}] }),
        slice({ sharedCounters: [counters, counters] }),
        slice({ sharedCounters: [{ name: 'A_', counters: { A_: { value: '1' } } }] }),
        having({ consumesCounters: [consumption] }, { sharedCounters: [counters] }),
        having({ consumesCounters: [{ ...consumption, counterSet: 'zz' }] }, { sharedCounters: [counters] }),
        having(
          { consumesCounters: [{ ...consumption, counters: { q: { value: '1' } } }] },
          { sharedCounters: [counters] },
        ),
        having({ consumesCounters: [{}] }, { sharedCounters: [counters] }),
        having({ consumesCounters: [consumption, consumption] }, { sharedCounters: [counters] }),
      ],
    }),
    ...tries(slices('v1beta2'), {
      'v1beta2 knows whether something was said': [
        slice({ nodeName: '' }),
        slice({ nodeName: null, allNodes: false }),
      ],
    }),
  ]),
];
