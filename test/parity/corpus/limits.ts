import { ask, get, post, put, send, subject } from '../case.ts';
import { configMap, configmaps, labelled, secrets } from './objects.ts';

const MiB = 1024 * 1024;
const padded = (length: number) => JSON.stringify(configMap('a')).padEnd(length, ' ');

export const limits = subject('limits', [
  ask(
    'a body of 3 MiB is read, a longer one is not',
    post(configmaps('?dryRun=All'), padded(3 * MiB)),
    post(configmaps('?dryRun=All'), padded(3 * MiB + 1)),
    post(configmaps('?dryRun=All'), padded(4 * MiB)),
    put(configmaps('a?dryRun=All'), padded(3 * MiB + 1)),
    send('DELETE', configmaps('a'), padded(3 * MiB + 1)),
    post(configmaps('?dryRun=All'), `{"metadata":{"name":"a"},"data":{"k":"${'x'.repeat(3 * MiB)}"}}`),
    post(secrets('?dryRun=All'), `{"metadata":{"name":"a"},"unknown":"${'x'.repeat(2 * MiB)}"}`),
  ),
  ask(
    'labels have a limit together, as annotations have',
    post(
      configmaps('?dryRun=All'),
      labelled('a', Object.fromEntries([...Array(6000).keys()].map((n) => [`label-${n}`, 'x'.repeat(60)]))),
    ),
  ),
  ask(
    'finalizers have a limit together',
    post(configmaps('?dryRun=All'), {
      metadata: {
        name: 'a',
        finalizers: Array.from({ length: 4_800 }, (_, n) => `a.b/${'x'.repeat(50)}-${n}`),
      },
    }),
  ),
  ask(
    'metadata has limits by number',
    ...(['labels', 'annotations'] as const).map((field) =>
      post(configmaps('?dryRun=All'), {
        metadata: {
          name: 'a',
          [field]: Object.fromEntries(Array.from({ length: 5_001 }, (_, n) => [`a${n}`, ''])),
        },
      }),
    ),
    post(configmaps('?dryRun=All'), {
      metadata: { name: 'a', finalizers: Array.from({ length: 5_001 }, (_, n) => `a.b/c${n}`) },
    }),
    post(configmaps('?dryRun=All'), {
      metadata: {
        name: 'a',
        ownerReferences: Array.from({ length: 5_001 }, (_, n) => ({
          apiVersion: 'v1',
          kind: 'Pod',
          name: 'a',
          uid: `u${n}`,
        })),
      },
    }),
  ),
  ask(
    'a large object is stored and read',
    post(
      configmaps(),
      `{"metadata":{"name":"a","ownerReferences":[${Array.from({ length: 4_900 }, (_, n) => `{"apiVersion":"v1","kind":"ConfigMap","name":"owner-${n}-${'x'.repeat(190)}","uid":"u-${n}"}`).join()}]}}`,
    ),
    get(configmaps()),
  ),
  ask(
    'a long query and long headers are read',
    post(configmaps(), labelled('a', { a: 'value-7' })),
    get(
      configmaps(
        `?labelSelector=${encodeURIComponent(`a in (${[...Array(3000).keys()].map((n) => `value-${n}`).join()})`)}`,
      ),
    ),
    get(configmaps('a'), { headers: { 'x-long': 'x'.repeat(60 * 1024) } }),
    get(configmaps('a'), {
      headers: Object.fromEntries([...Array(80).keys()].map((n) => [`x-header-${n}`, 'x'])),
    }),
    get(configmaps('a'), {
      headers: Object.fromEntries([...Array(200).keys()].map((n) => [`x-header-${n}`, 'x'])),
    }),
    get(configmaps('a'), { headers: { accept: `${'text/html, '.repeat(500)}application/json` } }),
  ),
  ask(
    'ways to send a body',
    post(configmaps('?dryRun=All'), configMap('a'), { headers: { expect: '100-continue' } }),
    post(configmaps('?dryRun=All'), configMap('a'), { headers: { 'content-encoding': 'gzip' } }),
    post(configmaps('?dryRun=All'), configMap('a'), { headers: { 'content-encoding': 'identity' } }),
    get(configmaps('?limit=1'), { headers: { 'content-type': 'application/json', 'content-length': '0' } }),
    send('GET', configmaps(), '{"a body":"of a get"}'),
    send('GET', configmaps('a'), '{'),
    post(configmaps('?dryRun=All'), configMap('a'), { headers: { 'x-http-method-override': 'DELETE' } }),
  ),
]);
