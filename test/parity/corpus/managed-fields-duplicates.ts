import { ask, get, type Json, type JsonObject, post, put, remade, subject } from '../case.ts';
import { apply, intent, patchBy } from './applies.ts';
import { configMap, configmaps, object, paths } from './objects.ts';

const deployments = paths('/apis/apps/v1/namespaces/{ns}/deployments');
const accounts = paths('/api/v1/namespaces/{ns}/serviceaccounts');
const a = deployments('a');

const workload = (container: JsonObject, pod: JsonObject = {}) => ({
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: {
      metadata: { labels: { a: 'b' } },
      spec: { containers: [{ name: 'c', image: 'i', ...container }], ...pod },
    },
  },
});
const only = (pod: JsonObject) => intent('apps/v1', 'Deployment', 'a', { spec: { template: { spec: pod } } });
const env = (...pairs: [string, string][]): Json[] => pairs.map(([name, value]) => ({ name, value }));
const made = (fields: JsonObject) =>
  post(deployments('?fieldManager=maker'), object('a', fields), { as: 'a' });

/** Elements of a list that should be told apart, and cannot: whoever updates may write them, whoever applies may not. */
export const managedFieldsDuplicates = subject('managed-fields-duplicates', [
  ask(
    'an element that is twice there is owned as one',
    made(workload({ env: env(['A', '1'], ['B', '2'], ['A', '3']) })),
    put(`${a}?fieldManager=second`, remade('a', { labels: { l: 'm' } })),
    put(
      `${a}?fieldManager=second`,
      remade('a', { resourceVersion: '' }, workload({ env: env(['A', '1'], ['B', '2'], ['A', '4']) })),
    ),
    put(
      `${a}?fieldManager=third`,
      remade('a', { resourceVersion: '' }, workload({ env: env(['A', '4'], ['A', '1'], ['B', '2']) })),
    ),
    put(
      `${a}?fieldManager=fourth`,
      remade('a', { resourceVersion: '' }, workload({ env: env(['A', '1'], ['B', '2']) })),
    ),
    put(
      `${a}?fieldManager=fifth`,
      remade('a', { resourceVersion: '' }, workload({ env: env(['A', '1'], ['A', '1'], ['B', '2']) })),
    ),
    get(a),
  ),
  ask(
    'applies beside an element that is twice there',
    made(workload({ env: env(['A', '1'], ['B', '2'], ['A', '3']) })),
    apply(a, only({ containers: [{ name: 'c', env: env(['C', '5']) }] }), { by: 'one' }),
    apply(a, only({ containers: [{ name: 'c', env: env(['C', '5'], ['B', '6']) }] }), { by: 'one' }),
    apply(a, only({ containers: [{ name: 'c', env: env(['A', '1']) }] }), { by: 'two' }),
    apply(a, only({ containers: [{ name: 'c', env: env(['A', '9']) }] }), { by: 'two' }),
    apply(a, only({ containers: [{ name: 'c', env: env(['A', '9']) }] }), { by: 'two', force: true }),
    apply(a, only({ containers: [{ name: 'c', env: env(['A', '9'], ['A', '8']) }] }), {
      by: 'two',
      force: true,
    }),
    apply(a, only({ containers: [{ name: 'c' }] }), { by: 'two' }),
    apply(a, only({ containers: [{ name: 'c' }] }), { by: 'one' }),
  ),
  ask(
    'ports and pull secrets',
    made(
      workload(
        {
          ports: [{ containerPort: 80, name: 'a' }, { containerPort: 80, name: 'b' }, { containerPort: 81 }],
        },
        { imagePullSecrets: [{ name: 's' }, { name: 's' }, {}] },
      ),
    ),
    patchBy('patcher', a, { metadata: { labels: { l: 'm' } } }),
    patchBy(
      'patcher',
      a,
      {
        spec: {
          template: { spec: { containers: [{ name: 'c', ports: [{ containerPort: 80, name: 'z' }] }] } },
        },
      },
      'strategic-merge-patch+json',
    ),
    apply(a, only({ containers: [{ name: 'c', ports: [{ containerPort: 80, name: 'q' }] }] }), { by: 'one' }),
    apply(a, only({ containers: [{ name: 'c', ports: [{ containerPort: 82 }] }] }), { by: 'one' }),
    apply(a, only({ imagePullSecrets: [{ name: 's' }] }), { by: 'one' }),
  ),
  ask(
    'ports of several containers, in the way of each other by place and by name',
    post(
      deployments('?fieldManager=maker'),
      object(
        'a',
        workload(
          {},
          {
            containers: [
              {
                name: 'c',
                image: 'i',
                ports: [
                  { containerPort: 80, name: 'x' },
                  { containerPort: 81, name: 'y' },
                ],
              },
              {
                name: 'd',
                image: 'i',
                ports: [
                  { containerPort: 80, name: 'x' },
                  { containerPort: 82, name: 'y' },
                ],
              },
              { name: 'e', image: 'i', ports: [{ containerPort: 81, name: 'x' }, { containerPort: 82 }] },
            ],
          },
        ),
      ),
    ),
  ),
  ask(
    'an element without its key takes all owners away',
    post(
      accounts('?fieldManager=maker'),
      object('a', { secrets: [{ name: 'x', namespace: 'z' }, { name: 'x' }] }),
      { as: 'a' },
    ),
    put(
      accounts('a?fieldManager=second'),
      remade('a', { resourceVersion: '' }, { secrets: [{ name: 'x' }, { namespace: 'n' }] }),
    ),
    patchBy('third', accounts('a'), { metadata: { labels: { l: 'm' } } }),
    apply(accounts('a'), intent('v1', 'ServiceAccount', 'a', { automountServiceAccountToken: true }), {
      by: 'one',
    }),
    put(
      accounts('a?fieldManager=second'),
      remade('a', { resourceVersion: '' }, { secrets: [{ name: 'x' }] }),
    ),
    post(accounts('?fieldManager=maker'), object('b', { secrets: [{ namespace: 'n' }] })),
  ),
  ask(
    'finalizers and owners',
    post(
      configmaps('?fieldManager=maker'),
      configMap('a', {}, { finalizers: ['example.com/a', 'example.com/a'] }),
      {
        as: 'a',
      },
    ),
    put(configmaps('a?fieldManager=second'), remade('a', { finalizers: ['example.com/a', 'example.com/b'] })),
    apply(configmaps('a'), intent('v1', 'ConfigMap', 'a', {}, { finalizers: ['example.com/a'] }), {
      by: 'one',
    }),
    post(
      configmaps('?fieldManager=maker'),
      configMap(
        'b',
        {},
        {
          ownerReferences: [
            { apiVersion: 'v1', kind: 'K', name: 'n', uid: 'u' },
            { apiVersion: 'v1', kind: 'K', name: 'n', uid: 'u' },
            { apiVersion: 'v1', kind: 'K', name: 'm', uid: 'u' },
          ],
        },
      ),
    ),
  ),
  ask(
    'conditions',
    made(workload({})),
    patchBy('controller', deployments('a/status'), {
      status: {
        conditions: [
          { type: 'A', status: 'True' },
          { type: 'A', status: 'False' },
          { type: 'B', status: 'True' },
        ],
      },
    }),
    apply(
      deployments('a/status'),
      intent('apps/v1', 'Deployment', 'a', { status: { conditions: [{ type: 'B', status: 'True' }] } }),
      { by: 'one' },
    ),
    apply(
      deployments('a/status'),
      intent('apps/v1', 'Deployment', 'a', { status: { conditions: [{ type: 'A', status: 'Unknown' }] } }),
      { by: 'one', force: true },
    ),
    get(a),
  ),
]);
