import { ask, del, get, post, put, remade, type Step, subject, watch } from '../case.ts';
import {
  configMap,
  configmaps,
  event,
  events,
  labelled,
  namespacedKinds,
  namespaces,
  object,
} from './objects.ts';

const make = (name: string, metadata = {}): Step =>
  post(configmaps(), configMap(name, {}, metadata), { as: name });
const watching = (query = '') => configmaps(`?watch=true${query}`);
const origin = { headers: { origin: 'https://example.com' } };
const briefly = '&timeoutSeconds=1';

export const watches = subject('watch', [
  ask(
    'from now: what exists comes first, as ADDED',
    make('b'),
    make('a'),
    watch(watching(), { events: 4, during: [make('c'), del(configmaps('a'))] }),
  ),
  ask(
    'from any version: the same',
    make('a'),
    watch(watching('&resourceVersion=0'), { events: 2, during: [make('b')] }),
  ),
  ask(
    'from a version: only what came after it',
    make('a'),
    make('b'),
    put(configmaps('a'), configMap('a', { k: 'changed' })),
    put(configmaps('a'), configMap('a', { k: 'changed' })),
    del(configmaps('b')),
    watch(watching('&resourceVersion={a.rv}'), { events: 3 }),
    watch(watching('&resourceVersion={b.rv}'), { events: 2 }),
  ),
  ask(
    'from the version of a list',
    make('a'),
    get(configmaps(), { as: 'list' }),
    watch(watching('&resourceVersion={list.rv}'), { events: 1, during: [make('b')] }),
  ),
  ...namespacedKinds.slice(1).map(({ kind, path, make: build }) =>
    ask(
      `${kind}: added, changed, deleted`,
      watch(path('?watch=true'), {
        events: 3,
        during: [
          post(path(), build('a'), { as: 'a' }),
          put(path('a'), remade('a', { labels: { changed: 'yes' } })),
          del(path('a')),
        ],
      }),
    ),
  ),
  ask(
    'an Event made through one group is watched through the other',
    watch('/api/v1/namespaces/{ns}/events?watch=true', { events: 1, during: [post(events(), event('a'))] }),
  ),
  ask(
    'a Namespace',
    watch(namespaces('?watch=true&fieldSelector=metadata.name%3D{name}'), {
      events: 2,
      during: [post(namespaces(), object('{name}')), del(namespaces('{name}'))],
    }),
  ),
  ask(
    'timeoutSeconds ends it',
    make('a'),
    watch(watching(briefly)),
    watch(watching(`&resourceVersion={a.rv}${briefly}`)),
  ),
  ask(
    'an object that enters or leaves the selection is ADDED or DELETED',
    post(configmaps(), labelled('a', { in: 'yes' }), { as: 'a' }),
    post(configmaps(), labelled('b', { in: 'no' })),
    put(configmaps('b'), labelled('b', { in: 'yes' })),
    put(configmaps('b'), labelled('b', { in: 'yes', more: 'x' })),
    put(configmaps('b'), labelled('b', { in: 'no' })),
    put(configmaps('b'), labelled('b', { in: 'never' })),
    del(configmaps('b')),
    del(configmaps('a')),
    watch(watching('&labelSelector=in%3Dyes&resourceVersion={a.rv}'), { events: 4 }),
    watch(watching('&labelSelector=in%21%3Dyes&resourceVersion={a.rv}'), { events: 4 }),
  ),
  ask(
    'one object, by field selector or by the old path',
    make('a'),
    make('b'),
    del(configmaps('b')),
    del(configmaps('a')),
    watch(watching('&fieldSelector=metadata.name%3Da&resourceVersion={a.rv}'), { events: 1 }),
    watch('/api/v1/watch/namespaces/{ns}/configmaps/a?resourceVersion={a.rv}', { events: 1 }),
    watch('/api/v1/watch/namespaces/{ns}/configmaps/nope?timeoutSeconds=1'),
    watch('/api/v1/watch/namespaces/{ns}/configmaps/a?timeoutSeconds=1&fieldSelector=metadata.name%3Db'),
  ),
  ask(
    'the old path prefix',
    make('a'),
    watch('/api/v1/watch/namespaces/{ns}/configmaps', { events: 1 }),
    watch('/api/v1/watch/namespaces/{ns}/configmaps?watch=false', { events: 1 }),
    watch('/api/v1/watch/namespaces/{ns}', { events: 1 }),
    watch('/apis/coordination.k8s.io/v1/watch/namespaces/{ns}/leases?timeoutSeconds=1'),
    watch('/api/v1/watch/configmaps?fieldSelector=metadata.namespace%3D{ns}', { events: 1 }),
    post('/api/v1/watch/namespaces/{ns}/configmaps', configMap('x')),
    get('/api/v1/watch'),
    get('/api/v1/watch/nope'),
    get('/apis/apps/v1/watch/namespaces/{ns}/nope'),
  ),
  ask(
    'across namespaces',
    make('a'),
    watch('/api/v1/configmaps?watch=1&fieldSelector=metadata.namespace%3D{ns}', {
      events: 2,
      during: [make('b')],
    }),
  ),
  ask(
    'ways to say watch',
    make('a'),
    ['watch=1', 'watch=t', 'watch=TRUE', 'watch', 'watch=', 'watch=maybe', 'watch=2'].map((query) =>
      watch(configmaps(`?${query}&timeoutSeconds=1`)),
    ),
    ['watch=0', 'watch=false'].map((query) => get(configmaps(`?${query}&timeoutSeconds=1`))),
    get(configmaps('a?watch=true')),
  ),
  ask(
    'sendInitialEvents: what exists, then a bookmark that says so',
    make('a'),
    make('b'),
    watch(watching('&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'), {
      events: 3,
    }),
    watch(
      watching(
        '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&resourceVersion=0',
      ),
      { events: 3 },
    ),
    watch(
      watching(
        '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&resourceVersion={b.rv}',
      ),
      { events: 3 },
    ),
    watch(watching(`&sendInitialEvents=true&resourceVersionMatch=NotOlderThan${briefly}`)),
    watch(
      watching(`&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion={a.rv}${briefly}`),
    ),
    watch(watching(`&sendInitialEvents=false&resourceVersionMatch=NotOlderThan${briefly}`)),
    watch(
      watching(
        '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&labelSelector=nobody',
      ),
      { events: 1 },
    ),
  ),
  ask(
    'bookmarks: from now or from any version, one says when what exists has been sent',
    make('a'),
    get(configmaps()),
    watch(watching('&allowWatchBookmarks=true'), { events: 2 }),
    watch(watching('&allowWatchBookmarks=maybe'), { events: 2 }),
    watch(watching('&allowWatchBookmarks=true&resourceVersion=0'), { events: 2 }),
    watch(watching(`&allowWatchBookmarks=true&resourceVersion={a.rv}${briefly}`)),
    watch(watching('&allowWatchBookmarks=true&labelSelector=nobody'), { events: 1 }),
    watch('/apis/coordination.k8s.io/v1/namespaces/{ns}/leases?watch=true&allowWatchBookmarks=true', {
      events: 1,
    }),
    watch(watching(`&allowWatchBookmarks=false${briefly}`)),
  ),
  ask(
    'combinations that are not allowed',
    [
      '&sendInitialEvents=true',
      '&sendInitialEvents=false',
      '&sendInitialEvents=true&resourceVersionMatch=Exact',
      '&sendInitialEvents=maybe',
      '&resourceVersionMatch=NotOlderThan',
      '&resourceVersionMatch=Exact',
      '&resourceVersionMatch=Exact&resourceVersion=0',
      '&resourceVersionMatch=Nope',
      '&sendInitialEvents=true&continue=x',
      '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&continue=x',
      '&sendInitialEvents=true&resourceVersionMatch=Exact&continue=x',
      '&resourceVersionMatch=NotOlderThan&continue=x',
      '&resourceVersion=x',
      '&resourceVersion=-1',
      '&resourceVersion=18446744073709551616',
      '&continue=x',
      '&limit=x',
      '&timeoutSeconds=x',
      '&timeoutSeconds=1.5',
      '&labelSelector=a%20b',
      '&fieldSelector=a%3Db',
      '&fieldSelector=a',
    ].map((query) => watch(watching(query))),
  ),
  ask(
    'a limit means nothing, nor does a timeout of 0',
    make('a'),
    watch(watching('&limit=1&timeoutSeconds=1')),
    watch(watching('&timeoutSeconds=0'), { events: 1 }),
  ),
  ask(
    'a version that is yet to come',
    watch(watching(`&resourceVersion=999999999${briefly}`)),
    watch(watching(`&resourceVersion=999999999&allowWatchBookmarks=true${briefly}`)),
  ),
  ask(
    'pretty and compressed',
    make('a'),
    watch(watching('&pretty=true'), { events: 1 }),
    watch(watching(), { events: 1 }, { headers: { 'accept-encoding': 'gzip' } }),
  ),
  ask(
    'what the client accepts',
    make('a'),
    ['*/*', 'application/json', 'application/json;stream=watch', 'application/json, text/html;q=0.1'].map(
      (accept) => watch(watching(), { events: 1 }, { headers: { accept } }),
    ),
    ['text/html', 'application/json;stream=nope', 'application/json;as=Nope;v=v1;g=meta.k8s.io'].map(
      (accept) => watch(watching(), { events: 1 }, { headers: { accept } }),
    ),
  ),
  ask(
    'finalizers: a delete is a change first',
    make('a', { finalizers: ['example.com/x'] }),
    del(configmaps('a')),
    put(configmaps('a'), configMap('a', {}, { finalizers: [] })),
    watch(watching('&resourceVersion={a.rv}'), { events: 2 }),
  ),
  ask(
    'a dry run is not seen',
    make('a'),
    post(configmaps('?dryRun=All'), configMap('b')),
    del(configmaps('a?dryRun=All')),
    watch(watching(`&resourceVersion={a.rv}${briefly}`)),
  ),
  ask(
    'over a WebSocket, which needs an origin',
    make('a'),
    watch(watching(), { events: 2, over: 'websocket', during: [make('b')] }, origin),
    watch(watching('&resourceVersion={a.rv}'), { events: 1, over: 'websocket' }, origin),
    watch(watching(briefly), { over: 'websocket' }, origin),
    watch(watching('&resourceVersion=x'), { events: 1, over: 'websocket' }, origin),
    watch(watching('&labelSelector=a%20b'), { events: 1, over: 'websocket' }, origin),
    watch(watching(), { events: 1, over: 'websocket' }, { ...origin, token: 'nobody' }),
    watch(watching(), { events: 1, over: 'websocket' }, { ...origin, token: 'alice-token' }),
    watch(configmaps(), { events: 1, over: 'websocket' }, origin),
    watch(watching(), { events: 1, over: 'websocket' }),
  ),
]);
