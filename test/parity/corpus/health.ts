import { ask, get, type Json, type JsonObject, subject } from '../case.ts';

const keysOf = (body: JsonObject): Json => Object.keys(body).sort();

const releaseNumbers = (body: JsonObject): Json =>
  Object.fromEntries(Object.entries(body).filter(([key]) => /major|minor/i.test(key)));

export const health = subject('health', [
  ask(
    'the version has these parts',
    get('/version', { pick: keysOf }),
    get('/version', { pick: releaseNumbers }),
  ),
  ask(
    'healthy, said short',
    [
      '/healthz',
      '/livez',
      '/readyz',
      '/healthz/ping',
      '/healthz/log',
      '/livez/ping',
      '/readyz/ping',
      '/readyz/shutdown',
      '/healthz?exclude=nope',
      '/livez?exclude=ping',
      '/readyz?exclude=ping&exclude=log',
      '/healthz/ping?verbose',
      '/livez/ping?exclude=ping',
    ].map((path) => get(path)),
  ),
  ask(
    'checks nobody knows',
    ['/healthz/nope', '/livez/nope', '/readyz/nope', '/healthz/ping/x', '/livez/'].map((path) => get(path)),
  ),
]);

const byText = (items: Json): Json =>
  Array.isArray(items) ? items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : items;

export const componentStatus = subject('component-status', [
  ask(
    'is a list of conditions, and deprecated',
    get('/api/v1/componentstatuses', {
      pick: ({ items, ...rest }) => ({ ...rest, kinds: Array.isArray(items) ? 'a list' : null }),
    }),
    // The reference lists them in any order.
    get('/api/v1/componentstatuses', { pick: ({ items }) => byText(items ?? null) }),
    ...['scheduler', 'controller-manager', 'etcd-0', 'nope'].map((name) =>
      get(`/api/v1/componentstatuses/${name}`),
    ),
    get('/api/v1/componentstatuses?labelSelector=a%3Db', {
      pick: ({ items, ...rest }) => ({ ...rest, items: items ?? null }),
    }),
    get('/api/v1/componentstatuses?limit=x'),
    get('/api/v1/componentstatuses?labelSelector=a%20b'),
    get('/api/v1/componentstatuses?fieldSelector=metadata.name%3Dnope'),
    get('/api/v1/componentstatuses?fieldSelector=nope%3Dnope'),
    get('/api/v1/componentstatuses?watch=true'),
    get('/api/v1/watch/componentstatuses'),
    get('/api/v1/componentstatuses/etcd-0/status'),
  ),
]);
