import { ask, del, get, post, put, send, subject, watch } from '../case.ts';
import { configMap, configmaps, namespacedKinds, object } from './objects.ts';

const bad = { token: 'not-a-token' };
const alice = { token: 'alice-token' };
const nobody = { token: null };

export const access = subject('access', [
  ask(
    'a bad token is 401 everywhere',
    [
      configmaps(),
      configmaps('a'),
      '/api',
      '/apis/apps/v1',
      '/version',
      '/healthz',
      '/readyz',
      '/nope',
      '/',
      '/api/v1/nope',
      '/metrics',
    ].map((path) => get(path, bad)),
    post(configmaps(), configMap('a'), bad),
    post(configmaps(), '{', bad),
    del(configmaps('a'), undefined, bad),
    watch(configmaps('?watch=true'), {}, bad),
    [
      'Basic YTpi',
      'Bearer',
      'Bearer ',
      'Bearer  admin-token',
      'bearer admin-token',
      'BEARER admin-token',
      'Bearer admin-token x',
      'Token admin-token',
      'admin-token',
    ].map((authorization) => get(configmaps(), { token: null, headers: { authorization } })),
  ),
  ask(
    'a caller without rights is 403',
    get(configmaps(), alice),
    get(configmaps('a'), alice),
    get('/api/v1/configmaps', alice),
    post(configmaps(), configMap('a'), alice),
    post(configmaps(), '{', alice),
    put(configmaps('a'), configMap('a'), alice),
    del(configmaps('a'), undefined, alice),
    del(configmaps(), undefined, alice),
    watch(configmaps('?watch=true'), {}, alice),
    watch('/api/v1/watch/namespaces/{ns}/configmaps', {}, alice),
    get(configmaps('?watch=maybe'), alice),
    get('/api/v1/namespaces', alice),
    get('/api/v1/namespaces/{ns}', alice),
    put('/api/v1/namespaces/{ns}/finalize', object('{ns}'), alice),
    get('/api/v1/namespaces/{ns}/status', alice),
    get('/api/v1/componentstatuses', alice),
    get('/apis/coordination.k8s.io/v1/namespaces/{ns}/leases/a', alice),
    get('/api/v1/nope', alice),
    get('/api/v1/namespaces/{ns}/nope/a', alice),
    get('/apis/nope.example.com/v1/things/a/b', alice),
    send('OPTIONS', configmaps(), undefined, alice),
    send('HEAD', configmaps(), undefined, alice),
    send('PURGE', configmaps('a'), undefined, alice),
    get('/metrics', alice),
    get('/nope', alice),
    get('/logs', alice),
    post('/version', {}, alice),
  ),
  ask(
    'what every known caller may read',
    ['/version', '/healthz', '/livez', '/readyz', '/healthz/ping', '/livez/ping', '/readyz/ping'].map(
      (path) => get(path, { ...alice, pick: () => null }),
    ),
  ),
  ask(
    'and what anyone may',
    ['/version', '/healthz', '/livez', '/readyz'].map((path) => get(path, { ...nobody, pick: () => null })),
  ),
  ask(
    'a caller without credentials is 403',
    [configmaps(), configmaps('a'), '/api', '/apis', '/nope', '/metrics', '/healthz/ping'].map((path) =>
      get(path, nobody),
    ),
    post(configmaps(), configMap('a'), nobody),
  ),
  ...namespacedKinds
    .slice(1)
    .map(({ kind, path, make }) =>
      ask(
        `${kind}: 403 names it`,
        get(path(), alice),
        post(path(), make('a'), alice),
        del(path('a'), undefined, alice),
      ),
    ),
]);
