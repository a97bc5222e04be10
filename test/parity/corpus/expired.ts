import { ask, get, post, put, type Step, subject, watch } from '../case.ts';
import { configMap, configmaps } from './objects.ts';

/** The reference drops the past when it is old enough (it looks every five minutes) and newer writes have pushed it out. */
const longAfter = { after: 11 * 60 };
const churn: Step[] = Array.from({ length: 250 }, (_, n) =>
  put(configmaps('e'), configMap('e', { k: `${n}` })),
);

const five: Step[] = ['a', 'b', 'c', 'd', 'e'].map((name) =>
  post(configmaps(), configMap(name), { as: name }),
);

export const expired = subject(
  'expired',
  [
    ask(
      'a past that is gone',
      five,
      get(configmaps('?limit=2'), { as: 'first' }),
      put(configmaps('c'), configMap('c', { k: 'changed' })),
      get(configmaps(), longAfter),
      churn,
      get(configmaps('?limit=2&continue={first.continue}'), { as: 'inconsistent' }),
      get(configmaps('?limit=2&continue={inconsistent.continue}')),
      get(configmaps('?resourceVersion={b.rv}&resourceVersionMatch=Exact')),
      get(configmaps('?resourceVersion={b.rv}&resourceVersionMatch=Exact&limit=1')),
      get(configmaps('?resourceVersion={b.rv}&limit=1')),
      get(configmaps('?resourceVersion={b.rv}')),
      get(configmaps('?resourceVersion={b.rv}&resourceVersionMatch=NotOlderThan')),
      get(configmaps('b?resourceVersion={a.rv}')),
      watch(configmaps('?watch=true&resourceVersion=1&timeoutSeconds=1')),
      watch(configmaps('?watch=true&resourceVersion=1&allowWatchBookmarks=true&timeoutSeconds=1')),
      watch(
        configmaps('?watch=true&resourceVersion=1'),
        { over: 'websocket' },
        { headers: { origin: 'https://example.com' } },
      ),
    ),
  ],
  { slow: true },
);
