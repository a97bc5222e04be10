import { ask, changed, get, post, put, remade, subject } from '../case.ts';
import { apply, configMapIntent } from './applies.ts';
import { configMap, configmaps, leases, namespaces, object } from './objects.ts';

const owner = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: 'owner',
  uid: '6f1c2a50-0000-4000-8000-000000000001',
};
const withMetadata = (metadata: Parameters<typeof object>[2]) =>
  post(configmaps('?dryRun=All'), object('a', {}, metadata));

export const metadata = subject('metadata', [
  ask(
    'what the server owns is not taken from the client',
    post(
      configmaps(),
      object(
        'a',
        {},
        {
          uid: '6f1c2a50-0000-4000-8000-000000000002',
          creationTimestamp: '2001-02-03T04:05:06Z',
          deletionTimestamp: '2001-02-03T04:05:06Z',
          deletionGracePeriodSeconds: 7,
          generation: 7,
          selfLink: '/a/b',
        },
      ),
    ),
    get(configmaps('a')),
    post(configmaps(), object('b', {}, { resourceVersion: '1' })),
    post(configmaps(), object('c', {}, { resourceVersion: '0' })),
    post(configmaps(), object('d', {}, { resourceVersion: 'x' })),
    post(
      configmaps(),
      object('e', {}, { creationTimestamp: null, labels: null, finalizers: null, ownerReferences: [] }),
    ),
  ),
  ask(
    'a new object with a resourceVersion is refused last, and not in a dry run',
    post(configmaps(), object('taken')),
    ...['5', '0', 'x', '18446744073709551616', 'a "quote"'].flatMap((resourceVersion) => [
      post(configmaps('?dryRun=All'), object('a', {}, { resourceVersion })),
      put(leases('a?dryRun=All'), object('a', {}, { resourceVersion })),
      apply(configmaps('applied'), configMapIntent('applied', { k: 'v' }, { resourceVersion }), {
        by: 'm',
        query: 'dryRun=All',
      }),
    ]),
    post(configmaps('?dryRun=All'), object('', {}, { generateName: 'a-', resourceVersion: '5' })),
    post(configmaps('?dryRun=All'), object('taken', {}, { resourceVersion: '5' })),
    post(configmaps(), object('taken', {}, { resourceVersion: '5' })),
    post(configmaps(), object('Not_valid', {}, { resourceVersion: '5' })),
    put(leases('b'), object('b', {}, { resourceVersion: '5' })),
  ),
  ask(
    'label keys and values have a syntax',
    [
      '',
      '-a',
      'a-',
      'a b',
      'a/b/c',
      '/a',
      'a/',
      'UPPER.com/a',
      'ä',
      'a'.repeat(64),
      `${'a'.repeat(254)}/a`,
      'a..b/c',
    ].map((key) => withMetadata({ labels: { [key]: 'v' } })),
    ['-a', 'a-', 'a b', 'a/b', 'ä', 'a'.repeat(64)].map((value) => withMetadata({ labels: { key: value } })),
    withMetadata({ labels: { 'b b': 'x x', good: 'y' } }),
    withMetadata({ labels: { 'example.com/A_b.c': 'A_b.c-0', empty: '', ['a'.repeat(63)]: 'a'.repeat(63) } }),
  ),
  ask(
    'annotation keys have a syntax, their sum a limit',
    ['', 'a b', 'a/b/c', 'a'.repeat(64)].map((key) => withMetadata({ annotations: { [key]: 'v' } })),
    withMetadata({ annotations: { 'UPPER.com/a': 'any text: ä\n' } }),
    withMetadata({ annotations: { a: 'x'.repeat(256 * 1024) } }),
    withMetadata({ annotations: { a: 'x'.repeat(256 * 1024 - 1) } }),
  ),
  ask(
    'finalizers are qualified names',
    [
      '',
      'a b',
      'a/b/c',
      '/a',
      'plain',
      'example.com/',
      'UPPER.com/a',
      'orphan',
      'foregroundDeletion',
      'kubernetes',
      'example.com/fine',
    ].map((finalizer) => withMetadata({ finalizers: [finalizer] })),
    withMetadata({ finalizers: ['orphan', 'foregroundDeletion'] }),
    withMetadata({ finalizers: ['example.com/a', 'example.com/a'] }),
    withMetadata({ finalizers: ['plain', 'b b'] }),
  ),
  ask(
    'owner references name their owner whole',
    withMetadata({ ownerReferences: [owner] }),
    withMetadata({ ownerReferences: [{}] }),
    ['apiVersion', 'kind', 'name', 'uid'].map((field) =>
      withMetadata({ ownerReferences: [{ ...owner, [field]: '' }] }),
    ),
    withMetadata({ ownerReferences: [{ ...owner, apiVersion: 'a/b/c' }] }),
    withMetadata({ ownerReferences: [{ ...owner, apiVersion: 'v1', kind: 'Event' }] }),
    withMetadata({
      ownerReferences: [
        { ...owner, controller: true },
        { ...owner, name: 'second', controller: true },
      ],
    }),
    withMetadata({
      ownerReferences: [{ ...owner, controller: false, blockOwnerDeletion: true }, { ...owner }],
    }),
    withMetadata({ ownerReferences: [{ ...owner, uid: 'not a uuid' }] }),
  ),
  ask(
    'managed fields must be well formed',
    withMetadata({ managedFields: [] }),
    withMetadata({ managedFields: [{ operation: 'Nope' }] }),
    withMetadata({ managedFields: [{ operation: 'Update', fieldsType: 'FieldsV2' }] }),
    withMetadata({
      managedFields: [{ manager: 'x'.repeat(129), operation: 'Update', fieldsType: 'FieldsV1' }],
    }),
  ),
  ask(
    'an update cannot change what identifies the object',
    post(configmaps(), configMap('a'), { as: 'a' }),
    put(configmaps('a'), remade('a', { uid: '6f1c2a50-0000-4000-8000-000000000003' })),
    put(configmaps('a'), remade('a', { uid: '' })),
    put(configmaps('a'), remade('a', { creationTimestamp: '2001-02-03T04:05:06Z' })),
    put(configmaps('a'), remade('a', { resourceVersion: null, creationTimestamp: null, uid: null })),
    put(configmaps('a'), remade('a', { resourceVersion: null, generation: 9 })),
    put(configmaps('a'), remade('a', { resourceVersion: null, deletionTimestamp: '2001-02-03T04:05:06Z' })),
    put(configmaps('a'), remade('a', { resourceVersion: null, deletionGracePeriodSeconds: 5 })),
    put(configmaps('a'), remade('a', { resourceVersion: null, generateName: 'late-' })),
    get(configmaps('a')),
  ),
  ask(
    'an update is validated like a create',
    post(configmaps(), configMap('a'), { as: 'a' }),
    put(configmaps('a'), remade('a', { labels: { 'b b': 'c' } })),
    put(configmaps('a'), remade('a', { annotations: { 'b b': 'c' } })),
    put(configmaps('a'), remade('a', { finalizers: ['b b'] })),
    put(configmaps('a'), remade('a', { ownerReferences: [{}] })),
    put(configmaps('a'), changed('a', { data: { 'b b': 'c' } })),
  ),
  ask(
    'several faults are told at once',
    post(
      configmaps(),
      object(
        'UPPER',
        { data: { 'a b': '' } },
        { labels: { 'b b': '' }, annotations: { 'c c': '' }, finalizers: ['d d'] },
      ),
    ),
    post(namespaces(), object('UPPER', { spec: { finalizers: ['e e'] } }, { labels: { 'b b': '' } })),
  ),
]);
