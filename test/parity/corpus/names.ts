import { ask, get, post, put, subject } from '../case.ts';
import { configMap, configmaps, namespacedKinds, namespaces, object } from './objects.ts';

const long = (length: number) => 'a'.repeat(length);
const badNames = [
  'UPPER',
  'under_score',
  '-dash',
  'dash-',
  'dot.',
  '.dot',
  'two..dots',
  'a b',
  'a/b',
  'a%b',
  '.',
  '..',
  'ünï',
  long(254),
  'a:b',
];

export const names = subject('names', [
  ask(
    'refused for a ConfigMap',
    [...badNames, ''].map((name) => post(configmaps(), configMap(name))),
  ),
  ask(
    'allowed for a ConfigMap',
    ['0', 'a.b-c.0', long(253), '1.2.3.4', 'a--b'].map((name) => post(configmaps(), configMap(name))),
  ),
  ...namespacedKinds.slice(1).map(({ kind, path, make }) =>
    ask(
      `refused for ${kind}`,
      ['UPPER', 'under_score', 'dot.', 'a/b', 'a%b', '..', long(254)].map((name) => post(path(), make(name))),
      post(path(), { ...make(''), metadata: {} }),
      post(path(), make(long(253))),
    ),
  ),
  ask(
    'refused for a Namespace: it must be a DNS label',
    ['UPPER', 'a.b', '-dash', 'under_score', long(64), '', 'a/b'].map((name) =>
      post(namespaces(), object(name)),
    ),
  ),
  ask(
    'generateName makes a name of it and five letters',
    post(configmaps(), object('', {}, { generateName: 'gen-' }), { as: 'g' }),
    get(configmaps('{g.name}')),
    post(configmaps(), { metadata: { generateName: 'gen-' } }, { as: 'h' }),
    post(configmaps(), { metadata: { generateName: 'gen.' } }),
    post(configmaps('?dryRun=All'), { metadata: { generateName: 'dry-' } }),
    post(configmaps(), { metadata: { generateName: 'unused-', name: 'given' } }),
    post(configmaps(), { metadata: { generateName: '' } }),
  ),
  ask(
    'a bad generateName',
    ['UPPER-', '-dash', 'under_', '..'].map((generateName) =>
      post(configmaps(), { metadata: { generateName } }),
    ),
    post(configmaps(), { metadata: { generateName: 'UPPER', name: 'good' } }),
    post(namespaces(), { metadata: { generateName: 'dot.' } }),
  ),
  ask(
    'a namespace in the body must be the one in the path',
    post(configmaps(), configMap('a', {}, { namespace: '{ns}' })),
    post(configmaps(), configMap('b', {}, { namespace: 'elsewhere' })),
    post(configmaps(), configMap('c', {}, { namespace: '' })),
    put(configmaps('a'), configMap('a', {}, { namespace: 'elsewhere' })),
    post('/api/v1/configmaps', configMap('d', {}, { namespace: '{ns}' })),
    post('/api/v1/configmaps', configMap('d')),
    post(namespaces(), object('{name}', {}, { namespace: 'default' })),
  ),
  ask(
    'a name in the body of an update must be the one in the path',
    post(configmaps(), configMap('a')),
    put(configmaps('a'), configMap('b')),
    put(configmaps('a'), { data: { k: 'nameless' } }),
    put(configmaps('a'), configMap('')),
  ),
  ask(
    'a namespace that does not exist',
    post('/api/v1/namespaces/{other}/configmaps', configMap('a')),
    post('/api/v1/namespaces/{other}/configmaps?dryRun=All', configMap('a')),
    get('/api/v1/namespaces/{other}/configmaps'),
    get('/api/v1/namespaces/{other}/configmaps/a'),
    post('/apis/coordination.k8s.io/v1/namespaces/{other}/leases', object('a')),
    put('/api/v1/namespaces/{other}/configmaps/a', configMap('a')),
    post('/api/v1/namespaces/UPPER/configmaps', configMap('a')),
    get('/api/v1/namespaces/UPPER/configmaps'),
  ),
]);
