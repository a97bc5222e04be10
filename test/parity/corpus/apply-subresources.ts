import { ask, del, get, type JsonObject, post, put, subject } from '../case.ts';
import { apply, intent, patchBy } from './applies.ts';
import { object, paths } from './objects.ts';

const deployments = paths('/apis/apps/v1/namespaces/{ns}/deployments');
const statefulsets = paths('/apis/apps/v1/namespaces/{ns}/statefulsets');
const controllers = paths('/api/v1/namespaces/{ns}/replicationcontrollers');
const services = paths('/api/v1/namespaces/{ns}/services');
const volumes = paths('/api/v1/persistentvolumes');
const budgets = paths('/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets');

const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const workload = { selector: { matchLabels: { a: 'b' } }, template };
const deployment = (fields: JsonObject, metadata: JsonObject = {}) =>
  intent('apps/v1', 'Deployment', 'a', fields, metadata);
const made = apply(deployments('a'), deployment({ spec: workload }), { by: 'one' });
const scale = (fields: JsonObject, metadata: JsonObject = {}) =>
  intent('autoscaling/v1', 'Scale', 'a', fields, metadata);
const condition = (type: string, status = 'True') => ({ type, status });

/** What lies below an object is owned apart. */
export const applySubresources = subject('apply-subresources', [
  ask(
    'a status has owners of its own',
    made,
    apply(deployments('a/status'), deployment({ status: { replicas: 1 } }), { by: 'one' }),
    apply(deployments('a/status'), deployment({ status: { replicas: 2, readyReplicas: 1 } }), { by: 'two' }),
    apply(deployments('a/status'), deployment({ status: { replicas: 2 } }), { by: 'two', force: true }),
    apply(deployments('a'), deployment({ spec: workload }), { by: 'one' }),
    apply(deployments('a'), deployment({ spec: workload, status: { replicas: 9 } }), {
      by: 'one',
      after: 1.1,
    }),
    apply(deployments('a/status'), deployment({}), { by: 'two' }),
    get(deployments('a')),
  ),
  ask(
    'what a status write leaves as it was is not owned',
    made,
    apply(
      deployments('a/status'),
      deployment(
        { spec: { replicas: 7 }, status: { conditions: [condition('A')] } },
        { labels: { l: 'm' }, annotations: { n: 'o' }, finalizers: ['example.com/a'] },
      ),
      { by: 'two' },
    ),
    apply(deployments('a/status'), deployment({ spec: { nope: 1 } }), { by: 'two' }),
    apply(deployments('a/status'), deployment({ spec: { replicas: 'x' } }), { by: 'two' }),
    apply(deployments('a/status'), deployment({ status: { replicas: -1 } }), { by: 'two' }),
  ),
  ask(
    'conditions are elements by their type',
    made,
    apply(deployments('a/status'), deployment({ status: { conditions: [condition('A')] } }), { by: 'one' }),
    apply(deployments('a/status'), deployment({ status: { conditions: [condition('B'), condition('A')] } }), {
      by: 'two',
    }),
    apply(deployments('a/status'), deployment({ status: { conditions: [condition('A', 'False')] } }), {
      by: 'two',
    }),
    apply(deployments('a/status'), deployment({ status: { conditions: [condition('A'), condition('A')] } }), {
      by: 'two',
    }),
    apply(deployments('a/status'), deployment({ status: { conditions: [{ status: 'True' }] } }), {
      by: 'two',
    }),
    apply(deployments('a/status'), deployment({ status: { conditions: [] } }), { by: 'two' }),
    apply(deployments('a/status'), deployment({ status: {} }), { by: 'one' }),
  ),
  ask(
    'nothing is created below what is not there',
    apply(deployments('a/status'), deployment({ status: { replicas: 1 } }), { by: 'one' }),
    apply(deployments('a/scale'), scale({ spec: { replicas: 1 } }), { by: 'one' }),
    apply('/api/v1/namespaces/{ns}/pods/a/ephemeralcontainers', intent('v1', 'Pod', 'a'), { by: 'one' }),
    apply('/api/v1/namespaces/{ns}/pods/a/binding', intent('v1', 'Binding', 'a'), { by: 'one' }),
    apply('/api/v1/namespaces/{ns}/pods/a/nope', intent('v1', 'Pod', 'a'), { by: 'one' }),
    apply('/api/v1/namespaces/{ns}/configmaps/a/status', intent('v1', 'ConfigMap', 'a'), { by: 'one' }),
    apply(
      '/api/v1/namespaces/{ns}/status',
      intent('v1', 'Namespace', '{ns}', { status: { phase: 'Active' } }),
      {
        by: 'one',
      },
    ),
    apply('/api/v1/namespaces/{ns}/finalize', intent('v1', 'Namespace', '{ns}'), { by: 'one' }),
  ),
  ask(
    'scale: what is written there is owned in the object',
    made,
    put(deployments('a/scale?fieldManager=scaler'), scale({ spec: { replicas: 3 } })),
    get(deployments('a')),
    put(deployments('a/scale?fieldManager=scaler'), scale({ spec: { replicas: 3 } })),
    put(deployments('a/scale?fieldManager=other'), scale({ spec: { replicas: 4 } })),
    get(deployments('a')),
    patchBy('patcher', deployments('a/scale'), { spec: { replicas: 5 } }),
    get(deployments('a')),
    apply(deployments('a'), deployment({ spec: { ...workload, replicas: 6 } }), { by: 'one' }),
    apply(deployments('a'), deployment({ spec: { ...workload, replicas: 5 } }), { by: 'one' }),
  ),
  ask(
    'scale: applied',
    apply(deployments('a'), deployment({ spec: { ...workload, replicas: 2 } }), { by: 'one' }),
    apply(deployments('a/scale'), scale({ spec: { replicas: 3 } }), { by: 'scaler' }),
    apply(deployments('a/scale'), scale({ spec: { replicas: 3 } }), { by: 'scaler', force: true }),
    get(deployments('a')),
    apply(deployments('a'), deployment({ spec: { ...workload, replicas: 2 } }), { by: 'one' }),
    apply(deployments('a'), deployment({ spec: workload }), { by: 'one' }),
    apply(deployments('a/scale'), scale({ spec: { replicas: 3 } }), { by: 'scaler' }),
    apply(deployments('a/scale'), scale({}), { by: 'scaler' }),
    get(deployments('a')),
  ),
  ask(
    'scale: refusals',
    made,
    apply(deployments('a/scale'), scale({ spec: { replicas: 3 } })),
    apply(deployments('a/scale'), scale({ spec: { replicas: -3 } }), { by: 'one' }),
    apply(deployments('a/scale'), scale({ spec: { replicas: 'x' } }), { by: 'one' }),
    apply(deployments('a/scale'), scale({ spec: { nope: 1 } }), { by: 'one' }),
    apply(deployments('a/scale'), deployment({ spec: { replicas: 1 } }), { by: 'one' }),
    apply(deployments('a/scale'), intent('apps/v1', 'Scale', 'a', { spec: { replicas: 1 } }), { by: 'one' }),
    apply(deployments('a/scale'), scale({ spec: { replicas: 3 } }, { managedFields: [{}] }), { by: 'one' }),
    apply(deployments('a/scale'), scale({ spec: { replicas: 3 } }, { labels: { a: 'b' } }), { by: 'one' }),
    apply(deployments('a/scale'), scale({ spec: { replicas: 4 } }, { resourceVersion: '1' }), { by: 'one' }),
    apply(deployments('a/scale'), scale({ spec: { replicas: 4 }, status: { replicas: 9 } }), { by: 'one' }),
    put(deployments('a/scale'), scale({ spec: { replicas: 4 } }, { resourceVersion: '1' })),
    apply(deployments('a'), scale({ spec: { replicas: 4 } }), { by: 'one' }),
    get(deployments('a')),
  ),
  ask(
    'scale of other kinds',
    apply(statefulsets('a'), intent('apps/v1', 'StatefulSet', 'a', { spec: workload }), { by: 'one' }),
    put(statefulsets('a/scale?fieldManager=scaler'), scale({ spec: { replicas: 3 } })),
    apply(statefulsets('a/scale'), scale({ spec: { replicas: 4 } }), { by: 'applier' }),
    get(statefulsets('a')),
    apply(
      controllers('a'),
      intent('v1', 'ReplicationController', 'a', { spec: { selector: { a: 'b' }, template } }),
      {
        by: 'one',
      },
    ),
    put(controllers('a/scale?fieldManager=scaler'), scale({ spec: { replicas: 3 } })),
    apply(controllers('a/scale'), scale({ spec: { replicas: 4 } }), { by: 'applier', force: true }),
    get(controllers('a')),
  ),
  ask(
    'an update of a status is owned apart too',
    post(
      services('?fieldManager=maker'),
      object('a', { spec: { ports: [{ port: 1 }], type: 'LoadBalancer', clusterIP: 'None' } }),
    ),
    post(
      services('?fieldManager=maker'),
      object('a', { spec: { ports: [{ port: 1 }], type: 'LoadBalancer' } }),
      { as: 'a' },
    ),
    patchBy('balancer', services('a/status'), {
      status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } },
    }),
    patchBy('balancer', services('a/status'), {
      metadata: { labels: { l: 'm' }, annotations: { n: 'o' } },
      spec: { type: 'ClusterIP' },
    }),
    apply(
      services('a/status'),
      intent('v1', 'Service', 'a', { status: { loadBalancer: { ingress: [{ ip: '192.0.2.2' }] } } }),
      { by: 'balancer' },
    ),
    apply(
      services('a/status'),
      intent('v1', 'Service', 'a', {
        status: {
          conditions: [
            {
              type: 'A',
              status: 'True',
              reason: 'R',
              message: '',
              lastTransitionTime: '2020-01-01T00:00:00Z',
            },
          ],
        },
      }),
      { by: 'other' },
    ),
  ),
  ask(
    'the status of a volume and of a budget',
    apply(
      volumes('{name}'),
      intent(
        'v1',
        'PersistentVolume',
        '{name}',
        { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } } },
        { finalizers: ['kubernetes.io/pv-protection'] },
      ),
      { by: 'one' },
    ),
    apply(
      volumes('{name}/status'),
      intent('v1', 'PersistentVolume', '{name}', {
        spec: { capacity: { storage: '2Gi' } },
        status: { phase: 'Bound' },
      }),
      { by: 'two' },
    ),
    apply(budgets('a'), intent('policy/v1', 'PodDisruptionBudget', 'a', { spec: { maxUnavailable: 1 } }), {
      by: 'one',
    }),
    apply(
      budgets('a/status'),
      intent('policy/v1', 'PodDisruptionBudget', 'a', {
        status: { currentHealthy: 1, desiredHealthy: 1, disruptionsAllowed: 1, expectedPods: 1 },
      }),
      { by: 'two' },
    ),
    apply(
      budgets('a/status'),
      intent('policy/v1', 'PodDisruptionBudget', 'a', { status: { currentHealthy: 1 } }),
      {
        by: 'two',
      },
    ),
  ),
  ask(
    'the status of newer kinds leaves metadata as it is, and unowned',
    apply(
      '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/{name}',
      intent('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', '{name}', {
        spec: {
          validations: [{ expression: 'true' }],
          matchConstraints: {
            resourceRules: [
              {
                apiGroups: ['apps'],
                apiVersions: ['v1'],
                operations: ['CREATE'],
                resources: ['deployments'],
              },
            ],
          },
        },
      }),
      { by: 'one' },
    ),
    apply(
      '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/{name}/status',
      intent(
        'admissionregistration.k8s.io/v1',
        'ValidatingAdmissionPolicy',
        '{name}',
        { status: { observedGeneration: 1 } },
        { labels: { l: 'm' }, finalizers: ['example.com/a'] },
      ),
      { by: 'two' },
    ),
    patchBy('three', '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/{name}/status', {
      metadata: { annotations: { n: 'o' } },
      status: { observedGeneration: 2 },
    }),
    apply(
      '/apis/storagemigration.k8s.io/v1alpha1/storageversionmigrations/{name}',
      intent('storagemigration.k8s.io/v1alpha1', 'StorageVersionMigration', '{name}', {
        spec: { resource: { group: 'a', version: 'v1', resource: 'b' } },
      }),
      { by: 'one' },
    ),
    apply(
      '/apis/storagemigration.k8s.io/v1alpha1/storageversionmigrations/{name}/status',
      intent(
        'storagemigration.k8s.io/v1alpha1',
        'StorageVersionMigration',
        '{name}',
        { status: { resourceVersion: '1' } },
        { labels: { l: 'm' } },
      ),
      { by: 'two' },
    ),
    del('/apis/storagemigration.k8s.io/v1alpha1/storageversionmigrations/{name}'),
  ),
  ask(
    'scale: who keeps the replicas that an update gave',
    post(deployments('?fieldManager=maker'), object('a', { spec: { ...workload, replicas: 2 } })),
    put(deployments('a/scale?fieldManager=scaler'), scale({ spec: { replicas: 2 } })),
    get(deployments('a')),
    patchBy('later', deployments('a'), { metadata: { labels: { l: 'm' } } }),
  ),
]);
