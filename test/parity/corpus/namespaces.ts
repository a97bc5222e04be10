import { ask, changed, del, get, post, put, remade, subject } from '../case.ts';
import { configMap, namespaces, object } from './objects.ts';

const named = (fields = {}, metadata = {}) => object('{name}', fields, metadata);
const make = post(namespaces(), named(), { as: 'n' });

export const namespaceLife = subject('namespaces', [
  ask(
    'are made active, with a finalizer and a label of their name',
    make,
    get(namespaces('{name}')),
    get(namespaces('{name}/status')),
    get(namespaces('?fieldSelector=metadata.name%3D{name}')),
    post(namespaces(), named()),
    get(namespaces('{other}')),
    get(namespaces('{other}/status')),
  ),
  ask(
    'what the client says of spec and status at creation',
    post(
      namespaces('?dryRun=All'),
      named({ spec: { finalizers: ['example.com/x'] }, status: { phase: 'Terminating' } }),
    ),
    post(namespaces('?dryRun=All'), named({ spec: { finalizers: ['kubernetes', 'example.com/x'] } })),
    ['plain', 'b b', '', 'example.com/'].map((finalizer) =>
      post(namespaces('?dryRun=All'), named({ spec: { finalizers: [finalizer] } })),
    ),
    post(namespaces('?dryRun=All'), named({ status: { phase: 'Nope' } })),
    post(namespaces('?dryRun=All'), named({}, { labels: { 'kubernetes.io/metadata.name': 'wrong' } })),
    post(namespaces('?dryRun=All'), { metadata: { generateName: 'parity-gen-' } }),
    post(namespaces('?dryRun=All'), object('kube-system')),
    post(namespaces('?dryRun=All'), object('kube-anything')),
  ),
  ask(
    'an update keeps spec and status, and the label',
    make,
    put(
      namespaces('{name}'),
      named(
        { spec: { finalizers: [] }, status: { phase: 'Terminating' } },
        { labels: { a: 'b' }, annotations: { c: 'd' } },
      ),
    ),
    put(namespaces('{name}'), changed('n', { spec: {} })),
    put(namespaces('{name}'), named({}, { labels: { 'kubernetes.io/metadata.name': 'wrong' } })),
    put(namespaces('{other}'), object('{other}')),
    put(namespaces('{name}'), object('{other}')),
    get(namespaces('{name}')),
  ),
  ask(
    'status is written through its own path, which leaves the spec alone',
    make,
    put(
      namespaces('{name}/status'),
      named(
        {
          status: {
            phase: 'Active',
            conditions: [
              {
                type: 'Example',
                status: 'True',
                reason: 'R',
                message: 'M',
                lastTransitionTime: '2024-01-02T03:04:05Z',
              },
            ],
          },
        },
        { labels: { written: 'too' } },
      ),
    ),
    put(namespaces('{name}/status'), named({ status: { phase: 'Terminating' } })),
    put(namespaces('{name}/status'), named({ status: { phase: 'Nope' } })),
    put(namespaces('{name}/status'), named({ status: { conditions: [{}] } })),
    put(namespaces('{name}/status'), named({ status: {} })),
    put(namespaces('{name}/status'), remade('n', {}, { status: { phase: 'Active' } })),
    put(namespaces('{name}/status'), named({ spec: { finalizers: ['example.com/x'] } })),
    put(namespaces('{other}/status'), object('{other}')),
    put(namespaces('{name}/status'), object('{other}')),
    get(namespaces('{name}')),
  ),
  ask(
    'finalize replaces the finalizers',
    make,
    put(namespaces('{name}/finalize'), named({ spec: { finalizers: ['kubernetes', 'example.com/x'] } })),
    put(namespaces('{name}/finalize'), named({ spec: { finalizers: ['plain'] } })),
    put(namespaces('{name}/finalize'), named({ spec: { finalizers: [] } }, { labels: { written: 'too' } })),
    put(namespaces('{name}/finalize'), remade('n', {}, { spec: { finalizers: ['kubernetes'] } })),
    put(
      namespaces('{name}/finalize'),
      named({ spec: { finalizers: ['kubernetes'] }, status: { phase: 'Terminating' } }),
    ),
    put(namespaces('{other}/finalize'), object('{other}')),
    put(namespaces('{name}/finalize'), object('{other}')),
    put(namespaces('{name}/finalize?dryRun=All'), named({ spec: {} })),
    get(namespaces('{name}')),
  ),
  ask(
    'delete begins termination; the last finalizer ends it',
    make,
    del(namespaces('{name}?dryRun=All')),
    del(namespaces('{name}')),
    get(namespaces('{name}'), { as: 'doomed' }),
    del(namespaces('{name}')),
    post(namespaces(), named()),
    post('/api/v1/namespaces/{name}/configmaps', configMap('late')),
    post('/apis/coordination.k8s.io/v1/namespaces/{name}/leases', object('late')),
    get('/api/v1/namespaces/{name}/configmaps'),
    put(namespaces('{name}'), remade('doomed', { labels: { still: 'writable' } })),
    put(namespaces('{name}/status'), named({ status: { phase: 'Active' } })),
    put(namespaces('{name}/finalize'), named({ spec: { finalizers: ['kubernetes', 'example.com/x'] } })),
    put(namespaces('{name}/finalize'), named({ spec: {} })),
    get(namespaces('{name}')),
    del(namespaces('{name}')),
  ),
  ask(
    'without finalizers the first delete marks, the second removes',
    make,
    put(namespaces('{name}/finalize'), named({ spec: {} })),
    del(namespaces('{name}')),
    get(namespaces('{name}')),
    del(namespaces('{name}')),
    get(namespaces('{name}')),
  ),
  ask(
    'delete with options',
    make,
    del(namespaces('{name}'), { preconditions: { uid: '6f1c2a50-0000-4000-8000-000000000001' } }),
    del(namespaces('{name}'), { preconditions: { resourceVersion: '1' } }),
    del(namespaces('{name}?propagationPolicy=foo')),
    del(namespaces('{name}?propagationPolicy=Orphan')),
    get(namespaces('{name}')),
  ),
  ask(
    'metadata finalizers as well',
    post(namespaces(), named({}, { finalizers: ['example.com/x'] })),
    del(namespaces('{name}'), undefined, { as: 'doomed' }),
    put(namespaces('{name}/finalize'), named({ spec: {} }, { finalizers: ['example.com/x'] })),
    get(namespaces('{name}')),
    put(namespaces('{name}'), named({}, { finalizers: [] })),
    get(namespaces('{name}')),
  ),
  ask(
    'the system’s own cannot go',
    ['default', 'kube-system', 'kube-public'].map((name) => del(namespaces(`${name}?dryRun=All`))),
    del(namespaces('kube-node-lease?dryRun=All')),
  ),
]);
