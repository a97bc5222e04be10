import { ask, get, post, put, send, subject } from '../case.ts';
import { configMap, configmaps, secrets } from './objects.ts';

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
    'a large object is stored and read',
    post(
      configmaps(),
      `{"metadata":{"name":"a","ownerReferences":[${Array.from({ length: 12000 }, (_, n) => `{"apiVersion":"v1","kind":"ConfigMap","name":"owner-${n}-${'x'.repeat(60)}","uid":"u-${n}"}`).join()}]}}`,
    ),
    get(configmaps()),
  ),
]);
