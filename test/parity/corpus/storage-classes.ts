import { ask, type JsonObject, post, put, subject } from '../case.ts';
import { lifecycle, withChange } from './lifecycle.ts';
import { object, paths } from './objects.ts';
import { largeMap, relabelled, storageGroup, tries, updates, without } from './storage-cases.ts';

const storageclasses = paths(`${storageGroup}/v1/storageclasses`);
const attributesclasses = paths(`${storageGroup}/v1beta1/volumeattributesclasses`);
const attributesclassesAlpha = paths(`${storageGroup}/v1alpha1/volumeattributesclasses`);

const many = Object.fromEntries(Array.from({ length: 513 }, (_, i) => [`k${i}`, 'v']));
const topology = (...expressions: JsonObject[]): JsonObject => ({ matchLabelExpressions: expressions });
const zone = (...values: string[]): JsonObject => topology({ key: 'a', values });

export const storageClassRules = subject('storageclasses', [
  ask(
    'provisioners',
    tries(
      storageclasses,
      {},
      ...['', 'A_', 'kubernetes.io/x', 'Kubernetes.io/X', 'a/b/c', 'a'.repeat(300)].map((provisioner) => ({
        provisioner,
      })),
    ),
    post(storageclasses('?dryRun=All'), object('A_', { provisioner: 'p' })),
    post(storageclasses('?dryRun=All'), object('{name}', { provisioner: 'p' }, { generation: 5 })),
  ),
  ask(
    'policies, modes and parameters',
    tries(
      storageclasses,
      ...[
        ...['Nope', 'Recycle', '', 'Retain'].map((reclaimPolicy) => ({ reclaimPolicy })),
        ...['Nope', '', 'WaitForFirstConsumer'].map((volumeBindingMode) => ({ volumeBindingMode })),
        { parameters: { '': 'x' } },
        { parameters: largeMap },
        { parameters: many },
        { mountOptions: ['a', ''], allowVolumeExpansion: true },
      ].map((fields) => ({ provisioner: 'p', ...fields })),
    ),
  ),
  ask(
    'topologies',
    tries(
      storageclasses,
      ...[
        [],
        [{}],
        [{}, {}],
        [topology({})],
        [
          topology(
            { key: 'a b', values: [] },
            { key: 'a', values: ['x', 'x'] },
            { key: 'a', values: ['y y'] },
            { key: 'a', values: ['z'] },
          ),
        ],
        [zone('x', 'y'), zone('x', 'y')],
        [zone('x', 'y'), zone('y', 'x'), zone('x')],
        [topology({ key: 'failure-domain.beta.kubernetes.io/zone', values: ['x'] })],
      ].map((allowedTopologies) => ({ provisioner: 'p', allowedTopologies })),
    ),
  ),
  ...lifecycle(storageclasses, object('{name}', { provisioner: 'example.com/p' }), {
    full: object('{other}', {
      provisioner: 'example.com/p',
      parameters: { type: 'fast' },
      reclaimPolicy: 'Retain',
      mountOptions: ['ro'],
      allowVolumeExpansion: true,
      volumeBindingMode: 'WaitForFirstConsumer',
      allowedTopologies: [zone('x')],
    }),
    change: { allowVolumeExpansion: true },
  }),
  updates(
    'what may change',
    storageclasses,
    { provisioner: 'p', parameters: { a: 'b' } },
    { provisioner: 'q' },
    { parameters: { a: 'c' } },
    without('parameters'),
    { reclaimPolicy: 'Retain' },
    { volumeBindingMode: 'WaitForFirstConsumer' },
    { allowVolumeExpansion: true, mountOptions: ['x'], allowedTopologies: [zone('x')] },
    { provisioner: 'A_', reclaimPolicy: 'X', volumeBindingMode: 'Y', parameters: { '': 'b' } },
  ),
]);

const attributes = { driverName: 'd', parameters: { a: 'b' } };
/** What admission would add; so it has nothing to do. */
const protectedBy = { finalizers: ['kubernetes.io/vac-protection'] };

export const volumeAttributesClassRules = subject('volumeattributesclasses', [
  ask(
    'drivers and parameters',
    [
      {},
      { driverName: 'd' },
      attributes,
      ...['A_', 'D', 'a/b/c'].map((driverName) => ({ ...attributes, driverName })),
      ...[{ '': 'b' }, {}, largeMap, many].map((parameters) => ({ ...attributes, parameters })),
    ].map((fields) => post(attributesclasses('?dryRun=All'), object('{name}', fields, protectedBy))),
    post(attributesclasses('?dryRun=All'), object('A_', attributes)),
  ),
  ...[attributesclasses, attributesclassesAlpha].flatMap((path, i) =>
    lifecycle(path, object('{name}', attributes, protectedBy), {
      name: i === 0 ? 'v1beta1' : 'v1alpha1',
      change: { parameters: { a: 'c' } },
      release: true,
    }),
  ),
  ask(
    'it stays as it is, in every version',
    post(attributesclasses(), object('{name}', attributes, protectedBy), { as: 'a' }),
    [
      { labels: { a: 'b' } },
      { labels: { 'a b': 'c' } },
      { finalizers: ['foo'] },
      { generation: 9 },
      { resourceVersion: '' },
    ].map((metadata) => put(attributesclasses('{name}?dryRun=All'), relabelled(metadata))),
    [{ driverName: 'e' }, { parameters: { a: 'c' } }].map((change) =>
      put(attributesclasses('{name}?dryRun=All'), withChange('a', change)),
    ),
    put(attributesclasses('{name}?dryRun=All'), without('parameters')),
    { method: 'GET', path: attributesclassesAlpha('{name}') },
    { method: 'DELETE', path: attributesclassesAlpha('{name}') },
    put(attributesclasses('{name}'), object('{name}', attributes, { finalizers: [] })),
  ),
]);
