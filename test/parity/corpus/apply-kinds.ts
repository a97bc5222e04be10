import { ask, type Case, del, get, type JsonObject, subject } from '../case.ts';
import { apply, intent, patchBy } from './applies.ts';

interface Kind {
  apiVersion: string;
  kind: string;
  plural: string;
  /** What the first manager wants. */
  wanted: JsonObject;
  /** What the second one wants otherwise. */
  otherwise: JsonObject;
  clusterScoped?: true;
  /** What admission would add otherwise. */
  metadata?: JsonObject;
}

const pod = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const once = {
  metadata: { labels: { a: 'b' } },
  spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] },
};
const selector = { matchLabels: { a: 'b' } };
const rbac = 'rbac.authorization.k8s.io/v1';
const rule = (verb: string) => ({ verbs: [verb], apiGroups: [''], resources: ['pods'] });
const webhook = (url: string) => ({
  name: 'a.example.com',
  clientConfig: { url },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
});

const kinds: Kind[] = [
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    plural: 'configmaps',
    wanted: { data: { k: 'v' } },
    otherwise: { data: { k: 'w' } },
  },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    plural: 'secrets',
    wanted: { stringData: { k: 'v' }, data: { l: 'YQ==' } },
    otherwise: { stringData: { k: 'w' }, data: { l: 'Yg==' } },
  },
  {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    plural: 'serviceaccounts',
    wanted: { secrets: [{ name: 'x' }], automountServiceAccountToken: false },
    otherwise: {
      secrets: [{ name: 'y' }, { name: 'x', namespace: 'z' }],
      automountServiceAccountToken: true,
    },
  },
  {
    apiVersion: 'v1',
    kind: 'LimitRange',
    plural: 'limitranges',
    wanted: { spec: { limits: [{ type: 'Container', max: { cpu: '1' } }] } },
    otherwise: { spec: { limits: [{ type: 'Container', max: { cpu: '2' } }] } },
  },
  {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    plural: 'resourcequotas',
    wanted: { spec: { hard: { cpu: '1', pods: '2' } } },
    otherwise: { spec: { hard: { cpu: '2', 'requests.memory': '1Gi' } } },
  },
  {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { finalizers: ['kubernetes.io/pvc-protection'] },
    plural: 'persistentvolumeclaims',
    wanted: {
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
        storageClassName: 's',
      },
    },
    otherwise: { spec: { resources: { requests: { storage: '2Gi' } } } },
  },
  {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { finalizers: ['kubernetes.io/pv-protection'] },
    plural: 'persistentvolumes',
    clusterScoped: true,
    wanted: {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        hostPath: { path: '/x' },
        claimRef: { name: 'a', namespace: 'b' },
      },
    },
    otherwise: {
      spec: {
        capacity: { storage: '1024Mi' },
        claimRef: { name: 'c' },
        persistentVolumeReclaimPolicy: 'Delete',
      },
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Node',
    plural: 'nodes',
    clusterScoped: true,
    wanted: {
      spec: {
        podCIDR: '10.0.0.0/24',
        taints: [
          { key: 'a', effect: 'NoSchedule' },
          { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' },
        ],
        unschedulable: true,
      },
    },
    otherwise: { spec: { taints: [{ key: 'b', effect: 'NoSchedule' }], unschedulable: false } },
  },
  {
    apiVersion: 'v1',
    kind: 'Namespace',
    plural: 'namespaces',
    clusterScoped: true,
    wanted: { spec: { finalizers: ['example.com/a', 'kubernetes'] } },
    otherwise: { spec: { finalizers: ['example.com/b'] } },
  },
  {
    apiVersion: 'v1',
    kind: 'Endpoints',
    plural: 'endpoints',
    wanted: { subsets: [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 80 }] }] },
    otherwise: { subsets: [{ addresses: [{ ip: '192.0.2.2' }], ports: [{ port: 80 }] }] },
  },
  {
    apiVersion: 'v1',
    kind: 'PodTemplate',
    plural: 'podtemplates',
    wanted: { template: pod },
    otherwise: { template: { spec: { hostname: 'h', containers: [{ name: 'c', image: 'j' }] } } },
  },
  {
    apiVersion: 'v1',
    kind: 'ReplicationController',
    plural: 'replicationcontrollers',
    wanted: { spec: { replicas: 1, selector: { a: 'b' }, template: pod } },
    otherwise: {
      spec: { replicas: 2, selector: { a: 'b', c: 'd' }, template: { metadata: { labels: { c: 'd' } } } },
    },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    plural: 'statefulsets',
    wanted: {
      spec: {
        replicas: 1,
        selector,
        template: pod,
        serviceName: 's',
        volumeClaimTemplates: [
          {
            metadata: { name: 'v' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        ],
      },
    },
    otherwise: { spec: { replicas: 2, updateStrategy: { type: 'OnDelete' }, volumeClaimTemplates: [] } },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    plural: 'daemonsets',
    wanted: { spec: { selector, template: pod, minReadySeconds: 1 } },
    otherwise: { spec: { minReadySeconds: 2, updateStrategy: { type: 'OnDelete' } } },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    plural: 'replicasets',
    wanted: { spec: { selector, template: pod, replicas: 1 } },
    otherwise: { spec: { replicas: 2 } },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    plural: 'controllerrevisions',
    wanted: { revision: 1, data: { a: { b: 'c' } } },
    otherwise: { revision: 2 },
  },
  {
    apiVersion: 'batch/v1',
    kind: 'Job',
    plural: 'jobs',
    wanted: { spec: { template: once, parallelism: 1 } },
    otherwise: { spec: { parallelism: 2, suspend: true } },
  },
  {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    plural: 'cronjobs',
    wanted: { spec: { schedule: '* * * * *', jobTemplate: { spec: { template: once } } } },
    otherwise: {
      spec: {
        schedule: '@daily',
        jobTemplate: { metadata: { labels: { a: 'b' } }, spec: { parallelism: 3 } },
      },
    },
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    plural: 'ingresses',
    wanted: {
      spec: {
        defaultBackend: { service: { name: 'a', port: { number: 80 } } },
        tls: [{ hosts: ['a.example.com'], secretName: 's' }],
      },
    },
    otherwise: {
      spec: { defaultBackend: { service: { port: { number: 81 } } }, tls: [{ hosts: ['b.example.com'] }] },
    },
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    plural: 'networkpolicies',
    wanted: { spec: { podSelector: selector, ingress: [{ from: [{ podSelector: {} }] }] } },
    otherwise: { spec: { podSelector: { matchLabels: { c: 'd' } }, ingress: [], policyTypes: ['Egress'] } },
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IngressClass',
    plural: 'ingressclasses',
    clusterScoped: true,
    wanted: { spec: { controller: 'example.com/c', parameters: { kind: 'K', name: 'n', scope: 'Cluster' } } },
    otherwise: { spec: { parameters: { name: 'm' } } },
  },
  {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    plural: 'horizontalpodautoscalers',
    wanted: {
      spec: {
        maxReplicas: 3,
        scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' },
        metrics: [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
          },
        ],
      },
    },
    otherwise: { spec: { maxReplicas: 4, scaleTargetRef: { name: 'e' }, metrics: [] } },
  },
  {
    apiVersion: rbac,
    kind: 'Role',
    plural: 'roles',
    wanted: { rules: [rule('get')] },
    otherwise: { rules: [rule('get'), rule('list')] },
  },
  {
    apiVersion: rbac,
    kind: 'RoleBinding',
    plural: 'rolebindings',
    wanted: {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
      subjects: [{ kind: 'User', name: 'u' }],
    },
    otherwise: {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'other' },
      subjects: [{ kind: 'User', name: 'v' }],
    },
  },
  {
    apiVersion: rbac,
    kind: 'ClusterRole',
    plural: 'clusterroles',
    clusterScoped: true,
    wanted: { aggregationRule: { clusterRoleSelectors: [selector] } },
    otherwise: { aggregationRule: { clusterRoleSelectors: [] } },
  },
  {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    plural: 'leases',
    wanted: {
      spec: { holderIdentity: 'a', leaseDurationSeconds: 5, renewTime: '2020-01-01T00:00:00.000000Z' },
    },
    otherwise: { spec: { holderIdentity: 'b', renewTime: '2020-01-01T00:00:01Z' } },
  },
  {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    plural: 'poddisruptionbudgets',
    wanted: { spec: { selector, maxUnavailable: 1 } },
    otherwise: { spec: { selector: { matchLabels: { c: 'd' } }, maxUnavailable: '50%' } },
  },
  {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    plural: 'endpointslices',
    wanted: { addressType: 'IPv4', endpoints: [{ addresses: ['192.0.2.1'] }], ports: [{ port: 80 }] },
    otherwise: { endpoints: [{ addresses: ['192.0.2.2'] }], ports: [{ port: 81, name: 'a' }] },
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    plural: 'storageclasses',
    clusterScoped: true,
    wanted: { provisioner: 'example.com/p', parameters: { a: 'b' }, mountOptions: ['ro'] },
    otherwise: { parameters: { a: 'c' }, mountOptions: ['rw'], allowVolumeExpansion: true },
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    plural: 'csinodes',
    clusterScoped: true,
    wanted: { spec: { drivers: [{ name: 'd.example.com', nodeID: 'n', topologyKeys: ['a'] }] } },
    otherwise: {
      spec: {
        drivers: [
          { name: 'e.example.com', nodeID: 'n' },
          { name: 'd.example.com', allocatable: { count: 5 } },
        ],
      },
    },
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIDriver',
    plural: 'csidrivers',
    clusterScoped: true,
    wanted: {
      spec: {
        attachRequired: true,
        volumeLifecycleModes: ['Persistent'],
        tokenRequests: [{ audience: 'a' }],
      },
    },
    otherwise: { spec: { podInfoOnMount: true, tokenRequests: [{ audience: 'b' }] } },
  },
  {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    plural: 'priorityclasses',
    clusterScoped: true,
    wanted: { value: 5, description: 'a' },
    otherwise: { description: 'b' },
  },
  {
    apiVersion: 'node.k8s.io/v1',
    kind: 'RuntimeClass',
    plural: 'runtimeclasses',
    clusterScoped: true,
    wanted: { handler: 'h', scheduling: { nodeSelector: { a: 'b' } }, overhead: { podFixed: { cpu: '1' } } },
    otherwise: { scheduling: { nodeSelector: { c: 'd' }, tolerations: [{ key: 'k', operator: 'Exists' }] } },
  },
  {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'PriorityLevelConfiguration',
    plural: 'prioritylevelconfigurations',
    clusterScoped: true,
    wanted: {
      spec: { type: 'Limited', limited: { nominalConcurrencyShares: 5, limitResponse: { type: 'Reject' } } },
    },
    otherwise: { spec: { limited: { nominalConcurrencyShares: 6, lendablePercent: 10 } } },
  },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    plural: 'validatingwebhookconfigurations',
    clusterScoped: true,
    wanted: { webhooks: [webhook('https://a.example.com/x')] },
    otherwise: {
      webhooks: [
        webhook('https://b.example.com/x'),
        { ...webhook('https://c.example.com'), name: 'b.example.com' },
      ],
    },
  },
];

function caseOf({
  apiVersion,
  kind,
  plural,
  metadata: always,
  wanted,
  otherwise,
  clusterScoped,
}: Kind): Case {
  const root = `${apiVersion.includes('/') ? '/apis' : '/api'}/${apiVersion}${clusterScoped ? '' : '/namespaces/{ns}'}/${plural}`;
  const name = clusterScoped ? '{name}' : 'a';
  const path = `${root}/${name}`;
  const made = (fields: JsonObject, metadata: JsonObject = {}) =>
    intent(apiVersion, kind, name, fields, { ...always, ...metadata });
  return ask(
    kind,
    apply(path, made(wanted, { labels: { l: 'm' } }), { by: 'one' }),
    apply(path, made(wanted, { labels: { l: 'm' } }), { by: 'one' }),
    apply(path, made(otherwise, { labels: { l: 'n' } }), { by: 'two' }),
    apply(path, made(otherwise, { annotations: { n: 'o' } }), { by: 'two', force: true }),
    apply(path, made(wanted), { by: 'one' }),
    patchBy('editor', path, { metadata: { labels: { e: 'f' } }, ...otherwise }),
    apply(path, made({}), { by: 'two' }),
    get(path),
    del(path),
  );
}

/** The same for every kind: create, agree, fight, take, give up. */
export const applyKinds = subject('apply-kinds', kinds.map(caseOf));
