import { ask, get, type JsonObject, post, subject } from '../case.ts';
import { controllerrevisions, coreEvent, coreEvents, events, object, paths, revision } from './objects.ts';
import { add, jsonPatch, merge, remove, replace, strategic, withoutRevision } from './patch-bodies.ts';
import { autoscalers, autoscalersV1 } from './workloads.ts';

const policies = (version: string) =>
  paths(`/apis/admissionregistration.k8s.io/${version}/validatingadmissionpolicies`);
const scaled = object('a', {
  spec: {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
    maxReplicas: 5,
    metrics: [
      {
        type: 'Resource',
        resource: { name: 'memory', target: { type: 'Utilization', averageUtilization: 50 } },
      },
    ],
  },
});
const policy = object('{name}', {
  spec: {
    matchConstraints: {
      resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
    },
    validations: [{ expression: 'true' }],
    variables: [
      { name: 'a', expression: '1' },
      { name: 'b', expression: '2' },
    ],
  },
});

export const patchVersions = subject('patch-versions', [
  ask(
    'an autoscaler in both versions',
    post(autoscalers('?fieldManager=two'), scaled),
    merge(autoscalersV1('a?fieldManager=one'), { spec: { maxReplicas: 6 } }),
    strategic(autoscalersV1('a'), { spec: { targetCPUUtilizationPercentage: 70 } }),
    jsonPatch(autoscalersV1('a'), [replace('/spec/minReplicas', 2)]),
    strategic(autoscalers('a?fieldManager=two'), {
      spec: { behavior: { scaleDown: { stabilizationWindowSeconds: 5 } } },
    }),
    merge(autoscalersV1('a?dryRun=All'), { spec: { maxReplicas: 0 } }),
    merge(autoscalersV1('a?dryRun=All'), { spec: { metrics: [] } }),
    strategic(autoscalersV1('a?dryRun=All'), { spec: { metrics: [] } }),
    merge(autoscalersV1('a?dryRun=All'), { apiVersion: 'autoscaling/v2' }),
    strategic(autoscalersV1('a?dryRun=All'), { apiVersion: 'autoscaling/v2' }),
    merge(autoscalersV1('a?dryRun=All'), { metadata: { annotations: null } }),
    strategic(autoscalersV1('a/status'), { status: { currentReplicas: 1, desiredReplicas: 2 } }),
    strategic(autoscalers('a/status'), { status: { conditions: [{ type: 'A', status: 'True' }] } }),
    strategic(autoscalers('a/status'), {
      status: {
        conditions: [
          { type: 'B', status: 'True' },
          { type: 'A', $patch: 'delete' },
        ],
      },
    }),
    get(autoscalers('a')),
    get(autoscalersV1('a')),
  ),
  ask(
    'an event in both groups',
    post(coreEvents(), coreEvent('a', { reason: 'r', message: 'm', type: 'Normal' })),
    merge(coreEvents('a'), { count: 2, message: 'n' }),
    strategic(coreEvents('a'), { series: { count: 3 } }),
    jsonPatch(coreEvents('a'), [add('/metadata/labels', { a: 'b' })]),
    merge(events('a?dryRun=All'), { note: 'x' }),
    strategic(events('a?dryRun=All'), {
      series: { count: 4, lastObservedTime: '2024-01-01T00:00:00.000000Z' },
    }),
    merge(coreEvents('a?dryRun=All'), { involvedObject: { namespace: 'other' } }),
    merge(coreEvents('a?dryRun=All'), { firstTimestamp: 'x' }),
    strategic(coreEvents('a?dryRun=All'), { eventTime: 'x' }),
  ),
  ask(
    'a policy in three versions',
    post(policies('v1')(), policy),
    strategic(policies('v1beta1')('{name}?fieldManager=beta'), {
      spec: { variables: [{ name: 'c', expression: '3' }] },
    }),
    strategic(policies('v1')('{name}'), { spec: { variables: [{ name: 'a', $patch: 'delete' }] } }),
    strategic(policies('v1alpha1')('{name}?dryRun=All'), { spec: { variables: [{ expression: '4' }] } }),
    strategic(policies('v1')('{name}?dryRun=All'), {
      spec: { '$setElementOrder/variables': [{ name: 'c' }, { name: 'b' }] },
    }),
    merge(policies('v1')('{name}?dryRun=All'), { spec: { variables: null } }),
    merge(policies('v1beta1')('{name}?dryRun=All'), { spec: { failurePolicy: 'X' } }),
    jsonPatch(policies('v1alpha1')('{name}?dryRun=All'), [remove('/spec/variables/0')]),
    get(policies('v1')('{name}')),
  ),
  ask(
    'free JSON in an object',
    post(controllerrevisions(), revision('a', { revision: 1, data: { d: { x: 1 }, l: [1], s: 't' } })),
    [
      { revision: 2 },
      { data: { d: { x: 2 } } },
      { data: { l: [2] } },
      { data: { s: 'u' } },
      { data: { '$setElementOrder/l': [1] } },
      { data: { $patch: 'bogus' } },
      { data: {} },
      { metadata: { labels: { a: 'b' } } },
    ].map((patch) => strategic(controllerrevisions('a?dryRun=All'), patch as JsonObject)),
    [{ revision: 2 }, { data: {} }, { metadata: { labels: { a: 'b' } } }].map((patch) =>
      merge(controllerrevisions('a?dryRun=All'), patch as JsonObject),
    ),
    jsonPatch(controllerrevisions('a?dryRun=All'), [{ op: 'test', path: '/data/d/x', value: 1 }]),
    withoutRevision(jsonPatch(controllerrevisions('a?dryRun=All'), [replace('/revision', 'x')])),
  ),
]);
