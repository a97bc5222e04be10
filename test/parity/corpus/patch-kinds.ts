import { ask, get, type JsonObject, post, subject } from '../case.ts';
import {
  configMap,
  configmaps,
  endpointslices,
  ingresses,
  leases,
  networkpolicies,
  object,
  paths,
  secrets,
  services,
} from './objects.ts';
import { add, jsonPatch, merge, remove, replace, strategic } from './patch-bodies.ts';
import { withoutRevision } from './patch-json.ts';
import { pod, pods, serviceaccounts, withAccount } from './pod-spec-cases.ts';
import {
  autoscalers,
  budgets,
  cronjobs,
  daemonsets,
  deployments,
  endingTemplate,
  jobs,
  replicasets,
  statefulsets,
  workload,
} from './workloads.ts';

const nodes = paths('/api/v1/nodes');
const volumes = paths('/api/v1/persistentvolumes');
const claims = paths('/api/v1/namespaces/{ns}/persistentvolumeclaims');
const roles = paths('/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles');
const bindings = paths('/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/rolebindings');
const classes = paths('/apis/storage.k8s.io/v1/storageclasses');
const priorities = paths('/apis/scheduling.k8s.io/v1/priorityclasses');
const quotas = paths('/api/v1/namespaces/{ns}/resourcequotas');
const webhooks = paths('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations');

interface PatchedKind {
  path: (rest?: string) => string;
  make: JsonObject;
  /** Merged with a merge patch and strategically. */
  patches: JsonObject[];
  /** Only strategically: what is about keys and directives. */
  strategic?: JsonObject[];
  steps: JsonObject[][];
}

const port = (port: number, more: JsonObject = {}) => ({ port, protocol: 'TCP', targetPort: port, ...more });
const rule = (resources: string[]) => ({ apiGroups: [''], resources, verbs: ['get'] });
const subjectOf = (name: string) => ({ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name });
const backend = (name: string) => ({ service: { name, port: { number: 80 } } });
const webhook = (name: string) => ({
  name,
  clientConfig: { url: 'https://example.com' },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
});

const kinds: Record<string, PatchedKind> = {
  Pod: {
    path: pods,
    make: pod('a', { volumes: [{ name: 'v', emptyDir: {} }] }),
    patches: [
      { metadata: { labels: { x: 'y' } } },
      { spec: { activeDeadlineSeconds: 60 } },
      { spec: { hostname: 'other' } },
      { spec: { terminationGracePeriodSeconds: -1 } },
    ],
    strategic: [
      { spec: { volumes: [{ name: 'w', emptyDir: {} }] } },
      { spec: { imagePullSecrets: [{ name: 's' }] } },
      { spec: { schedulingGates: [{ name: 'g.h/i' }] } },
    ],
    steps: [
      [replace('/spec/containers/0/image', 'new')],
      [remove('/spec/containers')],
      [add('/spec/nodeName', 'n')],
    ],
  },
  Deployment: {
    path: deployments,
    make: workload(),
    patches: [
      { spec: { replicas: 5 } },
      { spec: { minReadySeconds: -1 } },
      { spec: { template: { spec: { restartPolicy: 'Never' } } } },
    ],
    strategic: [
      { spec: { template: { spec: { containers: [{ name: 'c', ports: [{ containerPort: 1 }] }] } } } },
    ],
    steps: [[replace('/spec/paused', true)], [remove('/spec/template/spec/containers/0/image')]],
  },
  StatefulSet: {
    path: statefulsets,
    make: workload({
      volumeClaimTemplates: [
        {
          metadata: { name: 'v' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
    }),
    patches: [
      { spec: { replicas: 5 } },
      { spec: { serviceName: 'other' } },
      { spec: { updateStrategy: { type: 'OnDelete' } } },
      { spec: { volumeClaimTemplates: null } },
    ],
    strategic: [
      { spec: { updateStrategy: { $patch: 'replace', type: 'OnDelete' } } },
      { spec: { template: { spec: { containers: [{ name: 'd', image: 'd' }] } } } },
    ],
    steps: [[add('/spec/ordinals', { start: 3 })], [replace('/spec/podManagementPolicy', 'Parallel')]],
  },
  DaemonSet: {
    path: daemonsets,
    make: workload(),
    patches: [
      { spec: { updateStrategy: { type: 'OnDelete', rollingUpdate: null } } },
      { spec: { revisionHistoryLimit: -1 } },
    ],
    strategic: [
      { spec: { template: { spec: { tolerations: [{ operator: 'Exists' }] } } } },
      { spec: { template: { spec: { containers: [{ $patch: 'replace' }, { name: 'x', image: 'x' }] } } } },
    ],
    steps: [
      [replace('/spec/updateStrategy/type', 'OnDelete')],
      [replace('/spec/selector/matchLabels/app', 'x')],
    ],
  },
  ReplicaSet: {
    path: replicasets,
    make: workload(),
    patches: [
      { spec: { replicas: 2 } },
      { spec: { replicas: -2 } },
      { spec: { selector: { matchLabels: { b: 'c' } } } },
    ],
    strategic: [{ spec: { template: { metadata: { labels: { $patch: 'replace', other: 'x' } } } } }],
    steps: [[add('/spec/template/metadata/labels/more', 'x')], [remove('/spec/selector/matchLabels/app')]],
  },
  Job: {
    path: jobs,
    make: object('a', { spec: { template: endingTemplate() } }),
    patches: [
      { spec: { parallelism: 3 } },
      { spec: { completions: 5 } },
      { spec: { suspend: true } },
      { spec: { ttlSecondsAfterFinished: -5 } },
    ],
    strategic: [{ spec: { template: { spec: { containers: [{ name: 'c', image: 'new' }] } } } }],
    steps: [[add('/spec/activeDeadlineSeconds', 60)], [replace('/spec/backoffLimit', 'x')]],
  },
  CronJob: {
    path: cronjobs,
    make: object('a', {
      spec: { schedule: '1 2 3 4 5', jobTemplate: { spec: { template: endingTemplate() } } },
    }),
    patches: [
      { spec: { schedule: '* * * * *' } },
      { spec: { schedule: 'never' } },
      { spec: { suspend: null } },
      { spec: { concurrencyPolicy: 'X' } },
    ],
    strategic: [
      {
        spec: {
          jobTemplate: {
            spec: { template: { spec: { containers: [{ name: 'c', image: 'new', args: ['x'] }] } } },
          },
        },
      },
    ],
    steps: [[replace('/spec/suspend', true)], [remove('/spec/schedule')]],
  },
  Service: {
    path: services,
    make: object('a', {
      spec: {
        clusterIP: 'None',
        selector: { a: 'b' },
        ports: [port(80, { name: 'x' }), port(81, { name: 'y' })],
      },
    }),
    patches: [
      { spec: { selector: { a: null, c: 'd' } } },
      { spec: { selector: null } },
      { spec: { type: 'ExternalName' } },
      { spec: { sessionAffinity: 'ClientIP' } },
      { spec: { clusterIP: '1.2.3.4' } },
    ],
    strategic: [
      { spec: { ports: [{ port: 80, targetPort: 'web' }] } },
      { spec: { ports: [{ port: 82, name: 'z' }] } },
      { spec: { ports: [{ port: 82 }] } },
      { spec: { ports: [{ name: 'x', targetPort: 1 }] } },
      { spec: { ports: [{ port: 80, $patch: 'delete' }] } },
      { spec: { '$setElementOrder/ports': [{ port: 81 }, { port: 80 }] } },
      { status: { conditions: [{ type: 'A', status: 'True' }] } },
    ],
    steps: [
      [replace('/spec/ports/0/port', 90)],
      [add('/spec/ports/-', { port: 80, name: 'q' })],
      [remove('/spec/ports')],
    ],
  },
  ConfigMap: {
    path: configmaps,
    make: configMap('a'),
    patches: [{ data: { a: 'b' } }, { data: { a: 5 } }, { immutable: true }],
    strategic: [{ data: { $patch: 'replace' } }],
    steps: [[add('/binaryData', { k: 'eA==' })], [add('/binaryData', { j: 'eA==' })]],
  },
  Secret: {
    path: secrets,
    make: object('a', { data: { k: 'eA==' } }),
    patches: [
      { data: { a: 'eQ==' } },
      { stringData: { k: 'plain' } },
      { type: 'other' },
      { data: { a: 'y' } },
      { immutable: true },
    ],
    strategic: [{ stringData: { $patch: 'replace', k: 'plain' } }, { data: { k: 5 } }],
    steps: [[add('/stringData', { k: 'plain' })], [replace('/data/k', 'no base64!')], [remove('/data')]],
  },
  Node: {
    path: nodes,
    make: object('{name}', {
      spec: {
        taints: [
          { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' },
          { key: 'a', effect: 'NoExecute' },
        ],
      },
    }),
    patches: [
      { spec: { unschedulable: true } },
      { spec: { providerID: 'x' } },
      { spec: { podCIDR: 'x' } },
      { spec: { externalID: 'x' } },
      { metadata: { labels: { 'a b': 'c' } } },
    ],
    strategic: [
      { spec: { taints: [{ key: 'b', effect: 'NoExecute' }] } },
      { spec: { taints: [{ effect: 'NoExecute' }] } },
      { spec: { podCIDRs: ['10.0.0.0/24'], podCIDR: '10.0.0.0/24' } },
      { spec: { podCIDRs: ['x'] } },
      { status: { conditions: [{ type: 'Ready', status: 'True' }] } },
    ],
    steps: [
      [add('/spec/taints/-', { key: 'c', effect: 'X' })],
      [remove('/spec/taints/1')],
      [add('/metadata/labels', { l: 'm' })],
    ],
  },
  PersistentVolume: {
    path: volumes,
    make: object(
      '{name}',
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          hostPath: { path: '/x' },
          claimRef: { namespace: 'x', name: 'y' },
        },
      },
      { finalizers: ['kubernetes.io/pv-protection'] },
    ),
    patches: [
      { spec: { persistentVolumeReclaimPolicy: 'Delete' } },
      { spec: { claimRef: null } },
      { spec: { hostPath: { path: '/y' } } },
      { spec: { capacity: { storage: '2Gi' } } },
      { spec: { capacity: { storage: 'x' } } },
    ],
    strategic: [
      { spec: { $retainKeys: ['capacity', 'accessModes'] } },
      { spec: { hostPath: { $patch: 'replace' } } },
    ],
    steps: [[replace('/spec/persistentVolumeReclaimPolicy', 'X')], [remove('/spec/hostPath')]],
  },
  PersistentVolumeClaim: {
    path: claims,
    make: object(
      'a',
      {
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1Gi' } },
          storageClassName: '',
        },
      },
      { finalizers: ['kubernetes.io/pvc-protection'] },
    ),
    patches: [
      { metadata: { labels: { a: 'b' } } },
      { spec: { volumeName: 'v' } },
      { spec: { volumeMode: 'Block' } },
    ],
    strategic: [{ spec: { accessModes: ['ReadOnlyMany'] } }, { spec: { resources: { $patch: 'delete' } } }],
    steps: [[replace('/spec/resources/requests/storage', '1Mi')], [add('/spec/selector', {})]],
  },
  Ingress: {
    path: ingresses,
    make: object('a', {
      spec: {
        defaultBackend: backend('s'),
        rules: [{ host: 'h', http: { paths: [{ path: '/', pathType: 'Prefix', backend: backend('s') }] } }],
      },
    }),
    patches: [
      { spec: { ingressClassName: 'c' } },
      { spec: { defaultBackend: null } },
      { spec: { rules: null, defaultBackend: null } },
      { spec: { tls: [{ hosts: ['h'] }] } },
    ],
    strategic: [
      { spec: { rules: [{ host: 'i' }] } },
      { spec: { defaultBackend: { $patch: 'replace', service: { name: 't', port: { name: 'x' } } } } },
      { spec: { defaultBackend: { service: { port: { name: 'x' } } } } },
    ],
    steps: [[replace('/spec/rules/0/host', 'H_')], [add('/spec/rules/-', { host: 'k' })]],
  },
  NetworkPolicy: {
    path: networkpolicies,
    make: object('a', {
      spec: { podSelector: { matchLabels: { a: 'b' } }, ingress: [{ ports: [{ port: 80 }] }] },
    }),
    patches: [
      { spec: { podSelector: {} } },
      { spec: { policyTypes: ['Egress'] } },
      { spec: { policyTypes: ['X'] } },
      { spec: { ingress: [{ from: [{}] }] } },
    ],
    strategic: [
      { spec: { podSelector: { $patch: 'replace' } } },
      { spec: { ingress: [{ $patch: 'replace' }] } },
    ],
    steps: [
      [add('/spec/ingress/0/ports/-', { port: 'web' })],
      [replace('/spec/ingress/0/ports/0/port', 99_999)],
    ],
  },
  Role: {
    path: roles,
    make: object('a', { rules: [rule(['pods'])] }),
    patches: [{ rules: [rule(['nodes'])] }, { rules: null }, { rules: [{}] }, { rules: [{ resources: 5 }] }],
    strategic: [{ rules: [{ $patch: 'replace' }] }, { rules: [{ $patch: 'delete', apiGroups: [''] }] }],
    steps: [
      [add('/rules/-', rule(['secrets']))],
      [add('/rules/0/verbs/-', 'list')],
      [remove('/rules/0/verbs')],
    ],
  },
  RoleBinding: {
    path: bindings,
    make: object('a', {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
      subjects: [subjectOf('u')],
    }),
    patches: [{ subjects: [subjectOf('v')] }, { roleRef: { name: 'other' } }, { subjects: null }],
    strategic: [{ subjects: [{ name: 'u', $patch: 'delete' }] }],
    steps: [[add('/subjects/-', subjectOf('w'))], [replace('/subjects/0/kind', 'Nobody')]],
  },
  HorizontalPodAutoscaler: {
    path: autoscalers,
    make: object('a', {
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' }, maxReplicas: 5 },
    }),
    patches: [
      { spec: { minReplicas: 2 } },
      { spec: { maxReplicas: 0 } },
      { spec: { minReplicas: 7 } },
      { spec: { metrics: null } },
    ],
    strategic: [
      {
        spec: {
          metrics: [
            {
              type: 'Resource',
              resource: { name: 'memory', target: { type: 'Utilization', averageUtilization: 50 } },
            },
          ],
        },
      },
      { spec: { scaleTargetRef: { $patch: 'replace', name: 'x' } } },
    ],
    steps: [
      [replace('/spec/maxReplicas', 9)],
      [remove('/spec/maxReplicas')],
      [replace('/spec/metrics/0/resource/target/averageUtilization', 1)],
    ],
  },
  ServiceAccount: {
    path: serviceaccounts,
    make: object('a', { secrets: [{ name: 's' }], imagePullSecrets: [{ name: 'p' }] }),
    patches: [
      { automountServiceAccountToken: false },
      { secrets: [{ name: 't' }] },
      { imagePullSecrets: [{ name: 'q' }] },
    ],
    strategic: [
      { secrets: [{ name: 's', namespace: 'x' }] },
      { secrets: [{ name: 's', $patch: 'delete' }] },
      { secrets: [{ namespace: 'x' }] },
      { imagePullSecrets: [{ name: 'p', $patch: 'delete' }] },
      { '$setElementOrder/secrets': [{ name: 't' }, { name: 's' }], secrets: [{ name: 't' }] },
    ],
    steps: [[add('/secrets/-', { name: 'u' })], [remove('/secrets/0')]],
  },
  Lease: {
    path: leases,
    make: object('a', { spec: { holderIdentity: 'h', leaseDurationSeconds: 5 } }),
    patches: [
      { spec: { renewTime: '2024-01-02T03:04:05.678901Z' } },
      { spec: { leaseDurationSeconds: 0 } },
      { spec: { renewTime: 'x' } },
      { spec: { holderIdentity: null } },
    ],
    strategic: [{ spec: { $patch: 'replace', holderIdentity: 'i' } }, { spec: { leaseTransitions: '5' } }],
    steps: [[replace('/spec/holderIdentity', 'j')], [replace('/spec/leaseDurationSeconds', -1)]],
  },
  PodDisruptionBudget: {
    path: budgets,
    make: object('a', { spec: { minAvailable: 1, selector: { matchLabels: { a: 'b' } } } }),
    patches: [
      { spec: { selector: { matchLabels: { c: 'd' } } } },
      { spec: { minAvailable: null, maxUnavailable: '50%' } },
      { spec: { maxUnavailable: 1 } },
    ],
    strategic: [
      { spec: { selector: { matchLabels: { c: null } } } },
      { spec: { selector: { $patch: 'delete' } } },
      { spec: { selector: { $retainKeys: ['x'] } } },
    ],
    steps: [[replace('/spec/minAvailable', '10%')], [replace('/spec/minAvailable', -1)]],
  },
  EndpointSlice: {
    path: endpointslices,
    make: object('a', {
      addressType: 'IPv4',
      endpoints: [{ addresses: ['1.2.3.4'] }],
      ports: [{ port: 80, name: 'x' }],
    }),
    patches: [{ endpoints: [] }, { addressType: 'IPv6' }, { ports: null }],
    strategic: [{ ports: [{ port: 81, name: 'y' }] }, { endpoints: [{ $patch: 'replace' }] }],
    steps: [[add('/endpoints/-', { addresses: ['1.2.3.5'] })], [add('/endpoints/-', { addresses: ['x'] })]],
  },
  ResourceQuota: {
    path: quotas,
    make: object('a', { spec: { hard: { pods: '5' } } }),
    patches: [
      { spec: { hard: { pods: '6', cpu: 1.5 } } },
      { spec: { hard: { pods: null } } },
      { spec: { hard: { pods: 'x' } } },
      { spec: { scopes: ['X'] } },
    ],
    strategic: [{ spec: { hard: { $patch: 'replace', cpu: '1' } } }],
    steps: [[add('/spec/hard/requests.cpu', '1')], [replace('/spec/hard/pods', true)]],
  },
  StorageClass: {
    path: classes,
    make: object('{name}', { provisioner: 'a.b/c', parameters: { x: 'y' } }),
    patches: [{ allowVolumeExpansion: true }, { provisioner: 'other' }, { parameters: { x: 'z' } }],
    strategic: [{ mountOptions: ['x'] }, { parameters: { $patch: 'delete' } }],
    steps: [[add('/metadata/annotations', { a: 'b' })], [remove('/provisioner')]],
  },
  PriorityClass: {
    path: priorities,
    make: object('{name}', { value: 5 }),
    patches: [{ description: 'x' }, { value: 6 }, { preemptionPolicy: 'Never' }, { value: 'x' }],
    strategic: [{ $retainKeys: ['value'] }],
    steps: [[add('/globalDefault', false)], [replace('/value', 7)]],
  },
  ValidatingWebhookConfiguration: {
    path: webhooks,
    make: object('{name}', { webhooks: [webhook('a.b.c'), webhook('d.e.f')] }),
    patches: [{ webhooks: [webhook('g.h.i')] }, { webhooks: [{ name: 'a.b.c' }] }],
    strategic: [
      { webhooks: [{ name: 'a.b.c', failurePolicy: 'Ignore' }] },
      { webhooks: [{ name: 'a.b.c', $patch: 'delete' }] },
      { webhooks: [{ failurePolicy: 'Ignore' }] },
      { '$setElementOrder/webhooks': [{ name: 'd.e.f' }, { name: 'a.b.c' }] },
    ],
    steps: [
      [replace('/webhooks/0/timeoutSeconds', 5)],
      [remove('/webhooks/1')],
      [remove('/webhooks/0/name')],
    ],
  },
};

export const patchedKinds = subject('patch-kinds', [
  ...Object.entries(kinds).map(([kind, { path, make, patches, strategic: keyed = [], steps }]) => {
    const name = make.metadata && (make.metadata as JsonObject).name === '{name}' ? '{name}' : 'a';
    const dry = path(`${name}?dryRun=All`);
    return ask(
      kind,
      kind === 'Pod' ? [withAccount] : [],
      post(path(), make),
      patches.map((patch) => merge(dry, patch)).map(withoutRevision),
      [...patches, ...keyed].map((patch) => strategic(dry, patch)),
      steps.map((patch) => jsonPatch(dry, patch)).map(withoutRevision),
      strategic(path(`${name}?fieldManager=first`), {
        metadata: { labels: { a: 'b' }, finalizers: ['x.y/z'] },
      }),
      jsonPatch(path(`${name}?fieldManager=second`), [add('/metadata/labels/c', 'd')]),
      merge(path(name), { metadata: { labels: { a: null }, finalizers: null } }),
      merge(path(name), { metadata: { labels: null } }),
      get(path(name)),
    );
  }),
]);
