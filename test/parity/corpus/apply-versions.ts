import { ask, del, get, type JsonObject, post, put, subject } from '../case.ts';
import { apply, intent, patchBy } from './applies.ts';
import { object, paths } from './objects.ts';

const hpa = (version: string) =>
  paths(`/apis/autoscaling/${version}/namespaces/{ns}/horizontalpodautoscalers`);
const autoscaler = (version: string, spec: JsonObject, metadata: JsonObject = {}) =>
  intent(`autoscaling/${version}`, 'HorizontalPodAutoscaler', 'a', { spec }, metadata);
const target = { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' };
const cpu = (averageUtilization: number) => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});
const v1 = hpa('v1')('a');
const v2 = hpa('v2')('a');
const policies = (version: string) =>
  `/apis/admissionregistration.k8s.io/${version}/validatingadmissionpolicies/{name}`;
const policy = (version: string, spec: JsonObject) =>
  intent(`admissionregistration.k8s.io/${version}`, 'ValidatingAdmissionPolicy', '{name}', { spec });
const claims = (version: string) => paths(`/apis/resource.k8s.io/${version}/namespaces/{ns}/resourceclaims`);
const addresses = (version: string) => paths(`/apis/networking.k8s.io/${version}/servicecidrs`);
const slice = paths('/apis/resource.k8s.io/v1beta2/resourceslices');
const sliceIntent = (spec: JsonObject) =>
  intent('resource.k8s.io/v1beta2', 'ResourceSlice', '{name}', { spec });
const pool = { name: 'p', generation: 1, resourceSliceCount: 1 };

/** Owners know the version that they wrote in. */
export const applyVersions = subject('apply-versions', [
  ask(
    'an autoscaler that is applied in one version and in the other',
    apply(v2, autoscaler('v2', { maxReplicas: 3, scaleTargetRef: target, metrics: [cpu(50)] }), {
      by: 'one',
    }),
    get(v1),
    apply(v1, autoscaler('v1', { maxReplicas: 3, scaleTargetRef: target }), { by: 'two' }),
    apply(v1, autoscaler('v1', { maxReplicas: 4 }), { by: 'two' }),
    apply(v1, autoscaler('v1', { maxReplicas: 4, targetCPUUtilizationPercentage: 60 }), {
      by: 'three',
      force: true,
    }),
    apply(v2, autoscaler('v2', { maxReplicas: 3, scaleTargetRef: target, metrics: [cpu(50)] }), {
      by: 'one',
    }),
    apply(v2, autoscaler('v2', { minReplicas: 1 }), { by: 'three' }),
    get(v1),
    get(v2),
  ),
  ask(
    'the same manager in another version',
    apply(
      v1,
      autoscaler('v1', { maxReplicas: 3, scaleTargetRef: target, targetCPUUtilizationPercentage: 60 }),
      { by: 'one' },
    ),
    get(v2),
    apply(v2, autoscaler('v2', { maxReplicas: 3, scaleTargetRef: target, metrics: [cpu(60)] }), {
      by: 'one',
    }),
    get(v1),
    apply(v2, autoscaler('v2', { maxReplicas: 3, scaleTargetRef: target }), { by: 'one' }),
    apply(v1, autoscaler('v1', { maxReplicas: 3, scaleTargetRef: target }), { by: 'one' }),
    get(v2),
  ),
  ask(
    'updates in two versions',
    post(
      hpa('v1')('?fieldManager=maker'),
      object('a', { spec: { maxReplicas: 3, scaleTargetRef: target } }),
      { as: 'a' },
    ),
    get(v2, { as: 'b' }),
    put(`${v2}?fieldManager=second`, (kept) => ({
      ...kept.b,
      spec: { ...(kept.b?.spec as JsonObject), maxReplicas: 5, metrics: [cpu(70)] },
    })),
    patchBy('maker', v2, { spec: { minReplicas: 2 } }),
    patchBy('maker', v1, { spec: { targetCPUUtilizationPercentage: 30 } }),
    apply(v1, autoscaler('v1', { maxReplicas: 9, minReplicas: 9 }), { by: 'one' }),
    apply(v2, autoscaler('v2', { maxReplicas: 9, minReplicas: 9 }), { by: 'one' }),
    get(v1),
  ),
  ask(
    'the body in another version than the path',
    apply(v2, autoscaler('v1', { maxReplicas: 3, scaleTargetRef: target }), { by: 'one' }),
    apply(v1, autoscaler('v2', { maxReplicas: 3, scaleTargetRef: target }), { by: 'one' }),
    apply(v1, autoscaler('v1beta1', { maxReplicas: 3, scaleTargetRef: target }), { by: 'one' }),
    apply(v1, autoscaler('v1', { maxReplicas: 3, scaleTargetRef: target, metrics: [] }), { by: 'one' }),
    apply(
      v2,
      autoscaler('v2', { maxReplicas: 3, scaleTargetRef: target, targetCPUUtilizationPercentage: 1 }),
      { by: 'one' },
    ),
  ),
  ask(
    'a policy in both versions',
    apply(
      policies('v1'),
      policy('v1', {
        failurePolicy: 'Ignore',
        validations: [{ expression: 'true' }],
        matchConstraints: {
          resourceRules: [
            { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['deployments'] },
          ],
        },
      }),
      { by: 'one' },
    ),
    apply(policies('v1beta1'), policy('v1beta1', { failurePolicy: 'Fail' }), { by: 'two' }),
    apply(policies('v1beta1'), policy('v1beta1', { failurePolicy: 'Fail' }), { by: 'two', force: true }),
    apply(policies('v1'), policy('v1', { failurePolicy: 'Ignore' }), { by: 'two' }),
    get(policies('v1')),
    get(policies('v1beta1')),
  ),
  ask(
    'a claim for devices, whose fields moved between versions',
    apply(
      claims('v1beta1')('a'),
      intent('resource.k8s.io/v1beta1', 'ResourceClaim', 'a', {
        spec: { devices: { requests: [{ name: 'r', deviceClassName: 'c', count: 2 }] } },
      }),
      { by: 'one' },
    ),
    get(claims('v1beta2')('a')),
    apply(
      claims('v1beta2')('a'),
      intent('resource.k8s.io/v1beta2', 'ResourceClaim', 'a', {
        spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c', count: 2 } }] } },
      }),
      { by: 'two' },
    ),
    apply(
      claims('v1beta2')('a'),
      intent('resource.k8s.io/v1beta2', 'ResourceClaim', 'a', {
        spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'other' } }] } },
      }),
      { by: 'three' },
    ),
    apply(
      claims('v1alpha3')('a/status'),
      intent('resource.k8s.io/v1alpha3', 'ResourceClaim', 'a', {
        status: {
          allocation: {
            devices: { results: [{ request: 'r', driver: 'd.example.com', pool: 'p', device: 'd' }] },
          },
          reservedFor: [{ resource: 'pods', name: 'p', uid: 'u' }],
        },
      }),
      { by: 'three' },
    ),
    get(claims('v1alpha3')('a')),
  ),
  ask(
    'a claim that is changed is looked at as new, and as changed',
    apply(
      claims('v1beta2')('a'),
      intent('resource.k8s.io/v1beta2', 'ResourceClaim', 'a', {
        spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c' } }] } },
      }),
      { by: 'one' },
    ),
    apply(
      claims('v1beta2')('a'),
      intent(
        'resource.k8s.io/v1beta2',
        'ResourceClaim',
        'a',
        { spec: { devices: { requests: [{ name: 'r' }] } } },
        { finalizers: ['unqualified'] },
      ),
      { by: 'one' },
    ),
    apply(
      '/apis/resource.k8s.io/v1beta1/namespaces/{ns}/resourceclaimtemplates/a',
      intent('resource.k8s.io/v1beta1', 'ResourceClaimTemplate', 'a', {
        spec: { spec: { devices: { requests: [{ name: 'r', deviceClassName: 'c' }] } } },
      }),
      { by: 'one' },
    ),
    apply(
      '/apis/resource.k8s.io/v1beta1/namespaces/{ns}/resourceclaimtemplates/a',
      intent('resource.k8s.io/v1beta1', 'ResourceClaimTemplate', 'a', {
        spec: {
          metadata: { name: 'x', labels: { 'b b': 'c' } },
          spec: { devices: { requests: [{ name: 'r' }] } },
        },
      }),
      { by: 'one' },
    ),
  ),
  ask(
    'a slice of devices that is changed in what it is selected by',
    apply(
      slice('{name}'),
      sliceIntent({ driver: 'd.example.com', nodeName: 'n', pool, devices: [{ name: 'd' }] }),
      { by: 'one' },
    ),
    apply(
      slice('{name}'),
      sliceIntent({ driver: 'e.example.com', nodeName: 'm', pool: { name: 'q' }, devices: [{}] }),
      { by: 'one' },
    ),
    apply(slice('{name}'), sliceIntent({ pool: {}, devices: [] }), { by: 'one' }),
    del(slice('{name}')),
  ),
  ask(
    'ranges of addresses in both versions',
    apply(
      addresses('v1')('{name}'),
      intent('networking.k8s.io/v1', 'ServiceCIDR', '{name}', { spec: { cidrs: ['2001:db8:111::/112'] } }),
      { by: 'one' },
    ),
    apply(
      addresses('v1beta1')('{name}'),
      intent('networking.k8s.io/v1beta1', 'ServiceCIDR', '{name}', {
        spec: { cidrs: ['2001:db8:112::/112'] },
      }),
      { by: 'two' },
    ),
    apply(
      addresses('v1beta1')('{name}/status'),
      intent('networking.k8s.io/v1beta1', 'ServiceCIDR', '{name}', {
        spec: { cidrs: ['2001:db8:111::/112'] },
        status: {
          conditions: [
            {
              type: 'A',
              status: 'True',
              reason: 'R',
              message: 'm',
              lastTransitionTime: '2020-01-01T00:00:00Z',
            },
          ],
        },
      }),
      { by: 'two' },
    ),
    del(addresses('v1')('{name}')),
  ),
  ask(
    'events in the old version and the new',
    apply(
      '/api/v1/namespaces/{ns}/events/a',
      intent('v1', 'Event', 'a', {
        involvedObject: { kind: 'Pod', name: 'p', namespace: '{ns}' },
        reason: 'R',
        message: 'm',
        count: 1,
        series: { count: 2, lastObservedTime: '2020-01-01T00:00:00.000000Z' },
      }),
      { by: 'one' },
    ),
    get('/apis/events.k8s.io/v1/namespaces/{ns}/events/a'),
    apply(
      '/apis/events.k8s.io/v1/namespaces/{ns}/events/a',
      intent('events.k8s.io/v1', 'Event', 'a', { note: 'm' }),
      {
        by: 'two',
      },
    ),
    apply(
      '/apis/events.k8s.io/v1/namespaces/{ns}/events/a',
      intent('events.k8s.io/v1', 'Event', 'a', { note: 'n' }),
      {
        by: 'three',
      },
    ),
    apply(
      '/apis/events.k8s.io/v1/namespaces/{ns}/events/a',
      intent('events.k8s.io/v1', 'Event', 'a', {
        series: { count: 3, lastObservedTime: '2020-01-01T00:00:01.000000Z' },
      }),
      { by: 'three', force: true },
    ),
    apply('/api/v1/namespaces/{ns}/events/a', intent('v1', 'Event', 'a', { count: 2 }), { by: 'four' }),
    get('/api/v1/namespaces/{ns}/events/a'),
  ),
]);
