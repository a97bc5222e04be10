import { ask, del, get, post, put, type Step, subject } from '../case.ts';
import { configMap, configmaps, labelled, namespacedKinds, namespaces } from './objects.ts';

/** A read from any version may lag behind; after a consistent list it does not. */
const caughtUp = get(configmaps());
const five: Step[] = ['a', 'b', 'c', 'd', 'e'].map((name) =>
  post(configmaps(), configMap(name), { as: name }),
);
const versions = ['', '0', '{b.rv}', '{e.rv}', 'x', '-1', '1.5', '999999999', '18446744073709551616'];
const matches = ['', 'Exact', 'NotOlderThan', 'Nope', 'exact'];

export const lists = subject('list', [
  ...namespacedKinds.map(({ kind, path, make }) =>
    ask(
      `${kind}: empty, then two, and across namespaces`,
      get(path()),
      post(path(), make('b')),
      post(path(), make('a')),
      get(path()),
      get(`${path().replace('/namespaces/{ns}', '')}?fieldSelector=metadata.namespace%3D{ns}`),
    ),
  ),
  ask(
    'order is by namespace and name',
    ['b', 'a', '0', 'a-b', 'a.b', 'a0', 'aa', 'z.a'].map((name) => post(configmaps(), configMap(name))),
    get(configmaps()),
  ),
  ask('a namespace without objects lists nothing', get('/api/v1/namespaces/{other}/configmaps')),
]);

export const listResourceVersion = subject('list-resource-version', [
  // Too large a version is waited for: those cases stand alone, the rest is quick.
  ask(
    'every resourceVersion with every resourceVersionMatch',
    five,
    versions
      .filter((version) => version !== '999999999')
      .flatMap((version) =>
        matches.map((match) => get(configmaps(`?resourceVersion=${version}&resourceVersionMatch=${match}`))),
      ),
  ),
  ask(
    'the same with a limit',
    five,
    versions
      .filter((version) => version !== '999999999')
      .flatMap((version) =>
        matches.map((match) =>
          get(configmaps(`?limit=2&resourceVersion=${version}&resourceVersionMatch=${match}`)),
        ),
      ),
  ),
  ask(
    'too large, not older than',
    get(configmaps('?resourceVersion=999999999&resourceVersionMatch=NotOlderThan')),
  ),
  ask('too large, without a match', get(configmaps('?resourceVersion=999999999'))),
  ask('too large, exact', get(configmaps('?resourceVersion=999999999&resourceVersionMatch=Exact'))),
  ask(
    'too large, exact, with a limit',
    get(configmaps('?resourceVersion=999999999&resourceVersionMatch=Exact&limit=1')),
  ),
  ask('too large, with a limit', get(configmaps('?resourceVersion=999999999&limit=1'))),
  ask(
    'too large, for one object',
    post(configmaps(), configMap('a')),
    get(configmaps('a?resourceVersion=999999999')),
  ),
  ask(
    'Exact shows the past',
    five,
    del(configmaps('a')),
    put(configmaps('b'), configMap('b', { k: 'changed' })),
    get(configmaps('?resourceVersion={c.rv}&resourceVersionMatch=Exact')),
    get(configmaps('?resourceVersion={e.rv}&resourceVersionMatch=Exact')),
    get(configmaps('?resourceVersion={e.rv}&resourceVersionMatch=NotOlderThan')),
    get(configmaps('?resourceVersion={e.rv}&resourceVersionMatch=Exact&labelSelector=nobody')),
  ),
  ask(
    'for one object',
    post(configmaps(), configMap('a'), { as: 'a' }),
    put(configmaps('a'), configMap('a', { k: 'changed' })),
    caughtUp,
    ['', '0', '{a.rv}', '1', 'x', '-1'].map((version) => get(configmaps(`a?resourceVersion=${version}`))),
    get(configmaps('a?resourceVersion={a.rv}&resourceVersionMatch=Exact')),
    get(configmaps('nope?resourceVersion=0')),
    get(configmaps('nope?resourceVersion=x')),
  ),
  ask(
    'sendInitialEvents is for watches',
    get(configmaps('?sendInitialEvents=true')),
    get(configmaps('?sendInitialEvents=false')),
    get(configmaps('?sendInitialEvents=true&resourceVersionMatch=NotOlderThan')),
    get(configmaps('?sendInitialEvents=maybe')),
  ),
]);

export const paging = subject('list-paging', [
  ask(
    'page by page to the end',
    five,
    get(configmaps('?limit=2'), { as: 'first' }),
    get(configmaps('?limit=2&continue={first.continue}'), { as: 'second' }),
    get(configmaps('?limit=2&continue={second.continue}')),
  ),
  ask(
    'a page is of the first page’s state',
    five,
    get(configmaps('?limit=2'), { as: 'first' }),
    del(configmaps('c')),
    put(configmaps('d'), configMap('d', { k: 'changed' })),
    post(configmaps(), configMap('cc')),
    get(configmaps('?limit=2&continue={first.continue}'), { as: 'second' }),
    get(configmaps('?continue={first.continue}')),
    get(configmaps('?limit=2&continue={second.continue}')),
  ),
  ask(
    'limits of every size',
    five,
    [
      '0',
      '1',
      '4',
      '5',
      '6',
      '9223372036854775807',
      '-1',
      '',
      'x',
      '1.5',
      '9223372036854775808',
      '1e2',
      '+2',
    ].map((limit) => get(configmaps(`?limit=${limit}`))),
  ),
  ask(
    'with a selector the rest is not counted',
    ['a', 'b', 'c', 'd', 'e'].map((name) =>
      post(configmaps(), labelled(name, { odd: String('ace'.includes(name)) })),
    ),
    get(configmaps('?limit=2&labelSelector=odd%3Dtrue'), { as: 'first' }),
    get(configmaps('?limit=2&labelSelector=odd%3Dtrue&continue={first.continue}')),
    get(configmaps('?limit=1&fieldSelector=metadata.name%3Dc')),
    get(configmaps('?limit=1&labelSelector=odd%3Dnobody')),
    get(configmaps('?limit=2&labelSelector=odd%3Dfalse')),
  ),
  ask(
    'a continue token that is none',
    five,
    [
      'x',
      '%20',
      'e30',
      Buffer.from('{"v":"meta.k8s.io/v1","rv":1,"start":"../../x\\u0000"}').toString('base64url'),
      Buffer.from('{"v":"meta.k8s.io/v1","rv":0,"start":"b\\u0000"}').toString('base64url'),
      Buffer.from('{"v":"meta.k8s.io/v1","rv":"x","start":"b"}').toString('base64url'),
      Buffer.from('{"v":"meta.k8s.io/v1","rv":1,"start":""}').toString('base64url'),
      Buffer.from('{"v":"nope","rv":1,"start":"b"}').toString('base64url'),
      Buffer.from('{}').toString('base64'),
    ].map((token) => get(configmaps(`?limit=2&continue=${token}`))),
  ),
  ask(
    'continue with other options',
    five,
    get(configmaps('?limit=2'), { as: 'first' }),
    [
      'resourceVersion=0',
      'resourceVersion={a.rv}',
      'resourceVersion={a.rv}&resourceVersionMatch=Exact',
      'resourceVersionMatch=NotOlderThan',
      'resourceVersion=0&resourceVersionMatch=NotOlderThan',
      'resourceVersion=x',
    ].map((query) => get(configmaps(`?limit=2&continue={first.continue}&${query}`))),
  ),
  ask(
    'limit with a version',
    five,
    get(configmaps('?limit=2&resourceVersion={c.rv}&resourceVersionMatch=Exact'), { as: 'first' }),
    get(configmaps('?limit=2&continue={first.continue}')),
    caughtUp,
    get(configmaps('?limit=2&resourceVersion=0'), { as: 'any' }),
    get(configmaps('?limit=2&resourceVersion=0&resourceVersionMatch=NotOlderThan')),
  ),
  ask(
    'across namespaces',
    ['a', 'b', 'c'].map((name) => post(configmaps(), labelled(name, { run: '{ns}' }))),
    get('/api/v1/configmaps?limit=2&labelSelector=run%3D{ns}', { as: 'first' }),
    get('/api/v1/configmaps?limit=2&labelSelector=run%3D{ns}&continue={first.continue}'),
    get('/api/v1/namespaces/{ns}/configmaps?limit=2&continue={first.continue}'),
  ),
  ask(
    'one namespace by its field, in pages',
    ['a', 'b', 'c'].map((name) => post(configmaps(), configMap(name))),
    get('/api/v1/configmaps?limit=2&fieldSelector=metadata.namespace%3D{ns}', { as: 'first' }),
    get('/api/v1/configmaps?limit=10&fieldSelector=metadata.namespace%3D{ns}&continue={first.continue}'),
  ),
  ask('namespaces', get(namespaces('?limit=1&fieldSelector=metadata.name%3Dkube-system'))),
]);
