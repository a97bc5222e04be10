import { ask, get, post, put, type Step, subject, watch } from '../case.ts';
import { configMap, configmaps } from './objects.ts';

/** Both servers keep the past for at least five minutes, and take their time to drop it. */
const longAfter = { after: 16 * 60 };

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
      get(configmaps('?limit=2&continue={first.continue}'), { ...longAfter, as: 'inconsistent' }),
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
