import { ask, changed, del, get, post, put, remade, subject } from '../case.ts';
import { configMap, configmaps, namespacedKinds, object } from './objects.ts';

export const update = subject('update', [
  ask(
    'a resourceVersion in the body must be the current one',
    post(configmaps(), configMap('a'), { as: 'a' }),
    put(configmaps('a'), changed('a', { data: { k: '2' } }), { as: 'b' }),
    put(configmaps('a'), changed('a', { data: { k: '3' } })),
    put(configmaps('a'), remade('b', { resourceVersion: '1' })),
    ['x', '-1', '99999999999999999999', '0'].map((resourceVersion) =>
      put(configmaps('a'), remade('b', { resourceVersion })),
    ),
    put(configmaps('a'), remade('b', { resourceVersion: '99999999' })),
    get(configmaps('a')),
  ),
  ask(
    'without one the update is unconditional',
    post(configmaps(), configMap('a')),
    put(configmaps('a'), configMap('a', { k: '2' })),
    put(configmaps('a'), configMap('a', { k: '3' }, { resourceVersion: '' })),
    put(configmaps('a'), configMap('a', { k: '4' }, { resourceVersion: '0' })),
  ),
  ask(
    'an update that changes nothing keeps the resourceVersion',
    post(configmaps(), configMap('a'), { as: 'a' }),
    put(configmaps('a'), changed('a', {})),
    put(configmaps('a'), configMap('a')),
    put(configmaps('a'), configMap('a', { k: 'v' }, { labels: {} })),
    put(configmaps('a'), configMap('a', { k: 'other' })),
  ),
  ask(
    'a uid in the body must be the stored one',
    post(configmaps(), configMap('a'), { as: 'a' }),
    put(configmaps('a'), configMap('a', {}, { uid: '{a.uid}' })),
    put(configmaps('a'), configMap('a', {}, { uid: '6f1c2a50-0000-4000-8000-000000000001' })),
  ),
  ...namespacedKinds.map(({ kind, path, make }) =>
    ask(
      `${kind}: an update of what does not exist, then of what does`,
      put(path('a'), make('a')),
      post(path(), make('b'), { as: 'b' }),
      put(path('b'), { ...make('b'), metadata: { name: 'b', labels: { changed: 'yes' } } }),
      put(path('b'), remade('b', { labels: { stale: 'yes' } })),
      put(path('b'), remade('b', { resourceVersion: '' })),
      put(path('c'), { ...make('c'), metadata: { name: 'c', resourceVersion: '1' } }),
      put(path('c'), { ...make('c'), metadata: { name: 'c', uid: '6f1c2a50-0000-4000-8000-000000000001' } }),
      put(path('d?dryRun=All'), make('d')),
      get(path()),
    ),
  ),
  ask(
    'what an object loses is gone',
    post(
      configmaps(),
      object(
        'a',
        { data: { k: 'v' } },
        { labels: { a: '1' }, annotations: { b: '2' }, finalizers: ['example.com/x'] },
      ),
    ),
    put(configmaps('a'), object('a')),
    get(configmaps('a')),
  ),
  ask(
    'with finalizers: the last one to go deletes the object',
    post(configmaps(), configMap('a', {}, { finalizers: ['example.com/x', 'example.com/y'] }), { as: 'a' }),
    del(configmaps('a'), undefined, { as: 'doomed' }),
    put(
      configmaps('a'),
      remade('doomed', { finalizers: ['example.com/x', 'example.com/y', 'example.com/late'] }),
    ),
    put(configmaps('a'), remade('doomed', { finalizers: ['example.com/y'], deletionTimestamp: null })),
    put(
      configmaps('a'),
      remade('doomed', {
        finalizers: ['example.com/y'],
        resourceVersion: null,
        deletionGracePeriodSeconds: 9,
      }),
    ),
    get(configmaps('a')),
    put(configmaps('a'), remade('doomed', { finalizers: [], resourceVersion: null })),
    get(configmaps('a')),
  ),
]);
