import { ask, get, type JsonObject, post, subject } from '../case.ts';
import { apply, configMapIntent, intent, patchBy } from './applies.ts';
import { configMap, configmaps, object, paths } from './objects.ts';

const a = configmaps('a');
const deployments = paths('/apis/apps/v1/namespaces/{ns}/deployments');
const workload = (spec: JsonObject = {}, pod: JsonObject = {}) => ({
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }], ...pod } },
    ...spec,
  },
});
const deployment = (fields: JsonObject, metadata: JsonObject = {}) =>
  intent('apps/v1', 'Deployment', 'a', fields, metadata);
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** Who is in the way, in words. */
export const applyConflicts = subject('apply-conflicts', [
  ask(
    'several managers and several fields',
    post(configmaps('?fieldManager=maker'), configMap('a', { k: 'v', l: 'w', m: 'x' })),
    apply(a, configMapIntent('a', { k: 'v', n: 'y' }), { by: 'zeta' }),
    apply(a, configMapIntent('a', { k: 'v', n: 'y' }), { by: 'alpha' }),
    patchBy('zeta', a, { data: { o: 'z' } }),
    apply(a, configMapIntent('a', { k: '1', l: '2', m: '3', n: '4', o: '5' }), { by: 'one' }),
    apply(a, configMapIntent('a', { o: '5' }), { by: 'one' }),
    apply(a, configMapIntent('a', { n: '5' }), { by: 'one' }),
    apply(a, configMapIntent('a', { k: '1', l: '2', m: '3', n: '4', o: '5' }), { by: 'one', force: true }),
    get(a),
  ),
  ask(
    'names that need quoting, and fields that do',
    apply(a, configMapIntent('a', { 'a.b': 'v', 'c-d': 'w' }, { annotations: { 'example.com/x': 'y' } }), {
      by: 'some "one"',
    }),
    apply(a, configMapIntent('a', { 'a.b': 'x', 'c-d': 'y' }, { annotations: { 'example.com/x': 'z' } }), {
      by: 'two',
    }),
    apply(a, configMapIntent('a', {}, { labels: { l: 'm' } }), { by: 'über\u00a0x' }),
    apply(a, configMapIntent('a', {}, { labels: { l: 'n' } }), { by: 'two' }),
  ),
  ask(
    'elements of lists',
    apply(
      deployments('a'),
      deployment(
        workload(
          { replicas: 1 },
          {
            containers: [
              {
                name: 'c',
                image: 'i',
                ports: [{ containerPort: 80, name: 'web' }],
                env: [{ name: 'E', value: '1' }],
                args: ['x'],
              },
            ],
          },
        ),
        {
          finalizers: ['example.com/a'],
          ownerReferences: [{ apiVersion: 'v1', kind: 'K', name: 'n', uid: 'u' }],
        },
      ),
      { by: 'one' },
    ),
    apply(
      deployments('a'),
      deployment(
        workload(
          { replicas: 2 },
          {
            containers: [
              {
                name: 'c',
                image: 'j',
                ports: [{ containerPort: 80, name: 'www' }],
                env: [{ name: 'E', value: '2' }],
                args: ['y'],
              },
            ],
          },
        ),
        { ownerReferences: [{ apiVersion: 'v1', kind: 'K', name: 'm', uid: 'u' }] },
      ),
      { by: 'two' },
    ),
    apply(deployments('a'), deployment({}, { finalizers: ['example.com/a'] }), { by: 'two' }),
  ),
  ask(
    'owners of a status, and of a scale',
    apply(deployments('a'), deployment(workload({ replicas: 1 })), { by: 'one' }),
    patchBy('controller', deployments('a/status'), {
      status: { replicas: 1 },
      metadata: { annotations: { x: 'y' } },
    }),
    apply(deployments('a/status'), deployment({ status: { replicas: 2 } }), { by: 'two' }),
    apply(deployments('a'), deployment(workload({ replicas: 1 }), { annotations: { x: 'z' } }), {
      by: 'one',
    }),
    patchBy('scaler', deployments('a/scale'), { spec: { replicas: 5 } }),
    apply(deployments('a'), deployment(workload({ replicas: 1 })), { by: 'one' }),
    apply(deployments('a'), deployment(workload({ replicas: 1 })), { by: 'one', force: true }),
    get(deployments('a')),
  ),
  ask(
    'a list or map as one',
    apply(
      deployments('a'),
      deployment(workload({}, { nodeSelector: { a: 'b' }, tolerations: [{ key: 'x' }] })),
      { by: 'one' },
    ),
    apply(deployments('a'), deployment({ spec: { template: { spec: { nodeSelector: { a: 'c' } } } } }), {
      by: 'two',
    }),
    apply(deployments('a'), deployment({ spec: { template: { spec: { nodeSelector: null } } } }), {
      by: 'two',
    }),
    apply(deployments('a'), deployment({ spec: { template: { spec: { tolerations: null } } } }), {
      by: 'two',
    }),
    apply(deployments('a'), deployment({ spec: { selector: { matchLabels: { c: 'd' } } } }), { by: 'two' }),
    apply(deployments('a'), deployment({ spec: { template: { spec: { containers: null } } } }), {
      by: 'two',
    }),
    apply(deployments('a'), deployment({ spec: { template: null } }), { by: 'two' }),
    get(deployments('a')),
  ),
  ask(
    'defaults that somebody came to own by creating',
    post(deployments('?fieldManager=maker'), object('a', workload())),
    apply(deployments('a'), deployment({ spec: { replicas: 3 } }), { by: 'one' }),
    apply(deployments('a'), deployment({ spec: { replicas: 1 } }), { by: 'one' }),
    apply(deployments('a'), deployment({ spec: { template: { spec: { dnsPolicy: 'Default' } } } }), {
      by: 'one',
    }),
    apply(deployments('a'), deployment({ spec: { strategy: { type: 'Recreate' } } }), { by: 'one' }),
    apply(deployments('a'), deployment({ spec: { strategy: { type: 'Recreate' } } }), {
      by: 'one',
      force: true,
    }),
    apply(deployments('a'), deployment({ spec: { strategy: { type: 'Recreate', rollingUpdate: null } } }), {
      by: 'one',
      force: true,
    }),
  ),
  ask(
    'from kubectl apply on the client to kubectl apply on the server',
    post(
      configmaps('?fieldManager=kubectl-client-side-apply'),
      configMap(
        'a',
        { k: 'v', l: 'w' },
        {
          annotations: {
            [lastApplied]:
              '{"apiVersion":"v1","data":{"k":"v","l":"w"},"kind":"ConfigMap","metadata":{"annotations":{},"name":"a","namespace":"{ns}"}}\n',
          },
        },
      ),
    ),
    apply(a, configMapIntent('a', { k: 'new' }), { by: 'kubectl' }),
    apply(a, configMapIntent('a', { k: 'new' }), { by: 'other' }),
    apply(a, configMapIntent('a', { k: 'new' }), { by: 'kubectl', query: 'dryRun=All' }),
    apply(a, configMapIntent('a', { k: 'newer' }), { by: 'kubectl' }),
    get(a),
  ),
  ask(
    'a last-applied-configuration that kubectl on the server keeps up to date, and what is wrong with others',
    post(
      configmaps('?fieldManager=kubectl-client-side-apply'),
      configMap('a', { k: 'v' }, { annotations: { [lastApplied]: 'nonsense' } }),
    ),
    apply(a, configMapIntent('a', { k: 'new' }), { by: 'kubectl' }),
    post(
      configmaps('?fieldManager=kubectl-client-side-apply'),
      configMap('b', { k: 'v' }, { annotations: { [lastApplied]: '' } }),
    ),
    apply(configmaps('b'), configMapIntent('b', { k: 'new' }), { by: 'kubectl' }),
    post(
      configmaps('?fieldManager=someone'),
      configMap(
        'c',
        { k: 'v' },
        {
          annotations: {
            [lastApplied]: '{"apiVersion":"v1","data":{"k":"v"},"kind":"ConfigMap","metadata":{"name":"c"}}',
          },
        },
      ),
    ),
    apply(configmaps('c'), configMapIntent('c', { k: 'new' }), { by: 'kubectl' }),
    apply(configmaps('c'), configMapIntent('c', { k: 'newest' }, { annotations: { [lastApplied]: '{}' } }), {
      by: 'kubectl',
      force: true,
    }),
    post(
      configmaps('?fieldManager=kubectl-client-side-apply'),
      configMap(
        'd',
        { k: 'v' },
        {
          annotations: {
            [lastApplied]: '{"apiVersion":"v2","data":{"k":"v"},"kind":"ConfigMap","metadata":{"name":"c"}}',
          },
        },
      ),
    ),
    apply(configmaps('d'), configMapIntent('d', { k: 'new' }), { by: 'kubectl' }),
  ),
]);
