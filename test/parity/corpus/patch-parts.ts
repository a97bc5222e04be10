import { ask, get, type JsonObject, post, subject } from '../case.ts';
import { signingRequest } from './certificates-data.ts';
import { namespaces, object, paths } from './objects.ts';
import { add, jsonPatch, merge, remove, replace, strategic, withoutRevision } from './patch-bodies.ts';
import { container, pod, pods, withAccount } from './pod-spec-cases.ts';
import {
  controllers,
  deployments,
  jobs,
  labels,
  replicasets,
  statefulsets,
  template,
  workload,
} from './workloads.ts';

const requests = paths('/apis/certificates.k8s.io/v1/certificatesigningrequests');
const claims = paths('/api/v1/namespaces/{ns}/persistentvolumeclaims');

const scalable = {
  deployments: { path: deployments, make: workload() },
  replicasets: { path: replicasets, make: workload() },
  statefulsets: { path: statefulsets, make: workload() },
  replicationcontrollers: {
    path: controllers,
    make: object('a', { spec: { selector: labels, template: template() } }),
  },
};

const condition = (type: string, status: string, more: JsonObject = {}) => ({
  type,
  status,
  lastTransitionTime: '2024-01-01T00:00:00Z',
  ...more,
});

export const patchParts = subject('patch-parts', [
  ...Object.entries(scalable).map(([kind, { path, make }]) =>
    ask(
      `scale of ${kind}`,
      post(path(), make, { as: 'a' }),
      merge(path('a/scale'), { spec: { replicas: 3 } }),
      strategic(path('a/scale?fieldManager=scaler'), { spec: { replicas: 4 } }),
      jsonPatch(path('a/scale'), [replace('/spec/replicas', 5)]),
      merge(path('a/scale'), { spec: { replicas: 5 } }),
      merge(path('a/scale?dryRun=All'), { spec: { replicas: 6 } }),
      merge(path('a/scale'), { spec: { replicas: -1 } }),
      merge(path('a/scale'), { spec: { replicas: null } }),
      strategic(path('a/scale'), { spec: { replicas: 'x' } }),
      withoutRevision(merge(path('a/scale'), { spec: { replicas: 'x' } })),
      merge(path('a/scale'), { metadata: { resourceVersion: '1' }, spec: { replicas: 2 } }),
      merge(path('a/scale'), { metadata: { resourceVersion: null }, spec: { replicas: 2 } }),
      merge(path('a/scale'), { metadata: { uid: 'other' } }),
      merge(path('a/scale'), { metadata: { name: 'b' } }),
      merge(path('a/scale'), { metadata: { labels: { x: 'y' } }, status: { replicas: 7 } }),
      merge(path('a/scale'), { bogus: 1, spec: { bogus: 2 } }),
      strategic(path('a/scale'), { bogus: 1, spec: { bogus: 2 } }),
      jsonPatch(path('a/scale'), [{ op: 'test', path: '/spec/replicas', value: 9 }]),
      get(path('a/scale')),
      get(path('a')),
    ),
  ),
  ask(
    'status of workloads',
    post(deployments(), workload(), { as: 'a' }),
    strategic(deployments('a/status'), {
      status: { replicas: 1, conditions: [condition('Available', 'True')] },
    }),
    strategic(deployments('a/status'), { status: { conditions: [condition('Progressing', 'True')] } }),
    strategic(deployments('a/status'), { status: { conditions: [{ type: 'Available', status: 'False' }] } }),
    strategic(deployments('a/status'), { status: { conditions: [{ type: 'Available', $patch: 'delete' }] } }),
    strategic(deployments('a/status'), { status: { conditions: [{ status: 'True' }] } }),
    merge(deployments('a/status'), { status: { conditions: [condition('Other', 'Unknown')] } }),
    merge(deployments('a/status'), { status: { replicas: -1 } }),
    merge(deployments('a/status'), { spec: { replicas: 9 }, metadata: { labels: { a: 'b' } } }),
    merge(deployments('a/status'), { status: null }),
    jsonPatch(deployments('a/status'), [add('/status', { replicas: 2, readyReplicas: 3 })]),
    jsonPatch(deployments('a/status'), [add('/status/observedGeneration', 1)]),
    jsonPatch(deployments('a/status'), [remove('/status/none')]),
    strategic(deployments('a/status?fieldManager=s'), { status: { bogus: 1 } }),
    strategic(deployments('a'), { status: { replicas: 5 } }),
    get(deployments('a/status')),
    post(jobs(), object('j', { spec: { template: template({ restartPolicy: 'Never' }) } })),
    merge(jobs('j/status'), { status: { active: 1, startTime: '2024-01-01T00:00:00Z' } }),
    strategic(jobs('j/status'), { status: { conditions: [condition('Failed', 'True')] } }),
    merge(jobs('j/status'), { status: { active: -1 } }),
  ),
  ask(
    'parts of a pod',
    withAccount,
    post(pods(), pod('a'), { as: 'a' }),
    strategic(pods('a/ephemeralcontainers'), { spec: { ephemeralContainers: [{ name: 'e', image: 'e' }] } }),
    strategic(pods('a/ephemeralcontainers?dryRun=All'), {
      spec: { ephemeralContainers: [{ name: 'f', image: 'f' }] },
    }),
    strategic(pods('a/ephemeralcontainers?dryRun=All'), {
      spec: { ephemeralContainers: [{ name: 'e', image: 'new' }] },
    }),
    strategic(pods('a/ephemeralcontainers?dryRun=All'), {
      spec: { ephemeralContainers: [{ name: 'e', $patch: 'delete' }] },
    }),
    strategic(pods('a/ephemeralcontainers?dryRun=All'), {
      spec: { containers: [{ name: 'c', image: 'new' }] },
    }),
    merge(pods('a/ephemeralcontainers?dryRun=All'), { spec: { ephemeralContainers: [] } }),
    jsonPatch(pods('a/ephemeralcontainers?dryRun=All'), [
      add('/spec/ephemeralContainers/-', { name: 'g', image: 'g' }),
    ]),
    jsonPatch(pods('a/ephemeralcontainers?dryRun=All'), [
      add('/spec/ephemeralContainers/-', { name: 'c', image: 'g' }),
    ]),
    jsonPatch(pods('a/ephemeralcontainers?dryRun=All'), [remove('/spec/ephemeralContainers/0')]),
    strategic(pods('a/status'), {
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
    }),
    strategic(pods('a/status'), { status: { conditions: [{ type: 'Initialized', status: 'True' }] } }),
    strategic(pods('a/status'), { status: { podIPs: [{ ip: '10.1.1.1' }], podIP: '10.1.1.1' } }),
    strategic(pods('a/status'), { status: { podIPs: [{ ip: 'x' }] } }),
    strategic(pods('a/status'), { status: { containerStatuses: [{ name: 'c', ready: true }] } }),
    strategic(pods('a/status?dryRun=All'), { spec: { nodeName: 'n' } }),
    strategic(pods('a?dryRun=All'), { spec: { nodeName: 'n' } }),
    strategic(pods('a?dryRun=All'), { spec: { containers: [{ name: 'c', image: 'new' }] } }),
    strategic(pods('a?dryRun=All'), { spec: { containers: [{ name: 'd', image: 'new' }] } }),
    strategic(pods('a?dryRun=All'), { spec: { activeDeadlineSeconds: 5 } }),
    jsonPatch(pods('a?dryRun=All'), [add('/spec/tolerations/-', { key: 'new', operator: 'Exists' })]),
    strategic(pods('a?dryRun=All'), { metadata: { labels: { a: 'b' } } }),
    merge(pods('a/binding'), { target: { name: 'n' } }),
    merge(pods('a/eviction'), {}),
    merge(pods('a/log'), {}),
  ),
  ask(
    'resources of a pod',
    withAccount,
    post(
      pods(),
      pod('a', { containers: [container({ resources: { requests: { cpu: '1' }, limits: { cpu: '2' } } })] }),
    ),
    strategic(pods('a/resize'), {
      spec: { containers: [{ name: 'c', resources: { requests: { cpu: '500m' } } }] },
    }),
    strategic(pods('a/resize?dryRun=All'), {
      spec: { containers: [{ name: 'c', resources: { requests: { cpu: '5' } } }] },
    }),
    strategic(pods('a/resize?dryRun=All'), { spec: { containers: [{ name: 'c', image: 'other' }] } }),
    strategic(pods('a/resize?dryRun=All'), {
      spec: { containers: [{ name: 'c', resources: { limits: { cpu: null } } }] },
    }),
    strategic(pods('a/resize?dryRun=All'), { spec: { containers: [{ resources: {} }] } }),
    jsonPatch(pods('a/resize?dryRun=All'), [replace('/spec/containers/0/resources/limits/cpu', '3')]),
    withoutRevision(
      jsonPatch(pods('a/resize?dryRun=All'), [replace('/spec/containers/0/resources/limits/cpu', 'x')]),
    ),
  ),
  ask(
    'a namespace, its status and its end',
    post(namespaces(), object('{name}'), { as: 'n' }),
    merge(namespaces('{name}'), { metadata: { labels: { a: 'b' } } }),
    strategic(namespaces('{name}'), { metadata: { annotations: { a: 'b' } } }),
    merge(namespaces('{name}?dryRun=All'), { metadata: { labels: { 'kubernetes.io/metadata.name': 'x' } } }),
    merge(namespaces('{name}?dryRun=All'), { metadata: { labels: null } }),
    merge(namespaces('{name}?dryRun=All'), { spec: { finalizers: ['a.b/c'] } }),
    merge(namespaces('{name}?dryRun=All'), { spec: { finalizers: [] } }),
    strategic(namespaces('{name}/status?dryRun=All'), { status: { conditions: [condition('X', 'True')] } }),
    strategic(namespaces('{name}/status?dryRun=All'), { status: { phase: 'Terminating' } }),
    strategic(namespaces('{name}/status?dryRun=All'), { status: { conditions: [{ status: 'True' }] } }),
    merge(namespaces('{name}/finalize'), { spec: { finalizers: [] } }),
    jsonPatch(namespaces('{name}?dryRun=All'), [replace('/metadata/name', 'x')]),
    jsonPatch(namespaces('{name}?dryRun=All'), [add('/metadata/labels/x', 'y')]),
  ),
  ask(
    'a request for a certificate, and its approval',
    post(
      requests(),
      object('{name}', { spec: { request: signingRequest, signerName: 'a.b/c', usages: ['client auth'] } }),
      { as: 'r' },
    ),
    strategic(requests('{name}/approval?dryRun=All'), {
      status: { conditions: [{ type: 'Approved', status: 'True', reason: 'x' }] },
    }),
    merge(requests('{name}/approval?dryRun=All'), {
      status: { conditions: [{ type: 'Denied', status: 'True' }] },
    }),
    jsonPatch(requests('{name}/approval?dryRun=All'), [
      add('/status/conditions', [{ type: 'Approved', status: 'False' }]),
    ]),
    jsonPatch(requests('{name}/approval?dryRun=All'), [
      add('/status/conditions', [{ type: 'Other', status: 'True' }]),
    ]),
    strategic(requests('{name}/approval?dryRun=All'), { spec: { usages: ['server auth'] } }),
    merge(requests('{name}/status?dryRun=All'), { status: { certificate: 'eA==' } }),
    merge(requests('{name}/status?dryRun=All'), {
      status: { conditions: [{ type: 'Failed', status: 'True' }] },
    }),
    merge(requests('{name}?dryRun=All'), { spec: { signerName: 'd.e/f' } }),
    merge(requests('{name}?dryRun=All'), { metadata: { labels: { a: 'b' } } }),
  ),
  ask(
    'status written by one, spec by another',
    post(
      claims(),
      object(
        'a',
        {
          spec: {
            accessModes: ['ReadWriteOnce'],
            resources: { requests: { storage: '1Gi' } },
            storageClassName: '',
            volumeMode: 'Filesystem',
          },
        },
        { finalizers: ['kubernetes.io/pvc-protection'] },
      ),
      { as: 'a' },
    ),
    merge(claims('a/status?fieldManager=one'), { status: { phase: 'Bound', capacity: { storage: '1Gi' } } }),
    strategic(claims('a/status?fieldManager=one'), {
      status: { conditions: [condition('Resizing', 'True')] },
    }),
    strategic(claims('a/status?fieldManager=two'), {
      status: { conditions: [condition('Resizing', 'False')] },
    }),
    merge(claims('a/status?dryRun=All'), { status: { phase: 'Nope' } }),
    merge(claims('a?dryRun=All'), { spec: { resources: { requests: { storage: '1Mi' } } } }),
    merge(claims('a?dryRun=All'), { spec: { accessModes: ['ReadOnlyMany'] } }),
    strategic(claims('a?dryRun=All'), { spec: { storageClassName: 'x' } }),
    get(claims('a')),
  ),
]);
