import { ask, del, get, type JsonObject, post, put, type Step, subject } from '../case.ts';
import { apply } from './applies.ts';
import { configMap, configmaps, leases, namespaces, object } from './objects.ts';
import { merge } from './patch-bodies.ts';
import { pod, pods, serviceaccounts, withAccount } from './pod-spec-cases.ts';

const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } };
const binding = object('p', { target: { name: 'n' } });
const review: JsonObject = { spec: { user: 'x', resourceAttributes: { verb: 'get', resource: 'pods' } } };
const intent = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'new' } };
const reviews = (namespace: string) =>
  `/apis/authorization.k8s.io/v1/namespaces/${namespace}/localsubjectaccessreviews`;
/** The namespace of a review is its own business too. */
const reviewIn = (namespace: string, options: Parameters<typeof post>[2] = {}): Step =>
  post(
    reviews(namespace),
    {
      spec: {
        ...(review.spec as JsonObject),
        resourceAttributes: { namespace, verb: 'get', resource: 'pods' },
      },
    },
    options,
  );
/**
 * The reference looks up the namespace of every write while its informers have a webhook configuration or a policy. Those of
 * earlier cases were deleted a moment ago.
 */
const untilNoPolicies = reviewIn('nowhere', { until: (_, { status }) => status === 201 });
const nowhere = (rest: string) => `/api/v1/namespaces/nowhere/${rest}`;

export const namespaceLifecycle = subject(
  'admission-namespaces',
  [
    ask(
      'in a namespace that is not there',
      untilNoPolicies,
      post(nowhere('configmaps'), configMap('a')),
      post(nowhere('configmaps?dryRun=All'), configMap('a')),
      put(nowhere('configmaps/a'), configMap('a')),
      merge(nowhere('configmaps/a'), {}),
      apply(nowhere('configmaps/new'), intent, { by: 'm' }),
      del(nowhere('configmaps/a')),
      put('/apis/coordination.k8s.io/v1/namespaces/nowhere/leases/a', object('a')),
      post(nowhere('pods/p/binding'), binding),
      post(nowhere('bindings'), binding),
      post(nowhere('pods/p/eviction'), eviction),
      post(nowhere('serviceaccounts/a/token'), { spec: {} }),
      reviewIn('nowhere'),
    ),
    ask(
      'in a namespace that is on its way out',
      withAccount,
      post(configmaps(), configMap('a')),
      post(pods(), pod('p', {}, { finalizers: ['a.b/c'] })),
      del(namespaces('{ns}')),
      post(configmaps(), configMap('b')),
      post(configmaps(), { metadata: { generateName: 'gen-' } }),
      post(configmaps(), { metadata: {} }),
      post(configmaps('?dryRun=All'), configMap('b')),
      apply(configmaps('new'), intent, { by: 'm' }),
      put(leases('a'), object('a')),
      put(configmaps('a'), configMap('a', { other: 'v' })),
      merge(configmaps('a'), { data: { more: 'v' } }),
      post(pods('p/binding'), binding),
      post('/api/v1/namespaces/{ns}/bindings', binding),
      post(pods('p/eviction'), eviction),
      post(serviceaccounts('default/token'), { spec: {} }),
      reviewIn('{ns}'),
      del(configmaps('a')),
      get(configmaps('a')),
    ),
    ask(
      'what a namespace leaves behind can only be deleted',
      untilNoPolicies,
      post(configmaps(), configMap('a')),
      del(namespaces('{ns}')),
      put(namespaces('{ns}/finalize'), object('{ns}', { spec: { finalizers: [] } })),
      get(configmaps('a')),
      // Admission of the reference hears from an informer that the namespace is gone.
      put(configmaps('a?dryRun=All'), configMap('a', { other: 'v' }), {
        until: (_, { status }) => status === 404,
      }),
      put(configmaps('a'), configMap('a', { other: 'v' })),
      merge(configmaps('a'), { data: { more: 'v' } }),
      del(configmaps('a')),
    ),
    ask(
      'namespaces that stay',
      ['default', 'kube-system', 'kube-public'].map((name) => del(namespaces(name))),
      del(namespaces('default?dryRun=All')),
      del(namespaces('kube-node-lease?dryRun=All'), undefined, { pick: ({ kind }) => kind ?? null }),
      del(namespaces('default'), { preconditions: { uid: 'x' } }, { pick: ({ reason }) => reason ?? null }),
    ),
  ],
  { alone: true },
);
