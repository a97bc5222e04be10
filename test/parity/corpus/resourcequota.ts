import { ask, del, get, type JsonObject, type Kept, post, put, type Step, subject } from '../case.ts';
import { configMap, configmaps, object, paths, secrets, services } from './objects.ts';
import { container, pod, pods, withAccount } from './pod-spec-cases.ts';

const quotas = paths('/api/v1/namespaces/{ns}/resourcequotas');
const claims = paths('/api/v1/namespaces/{ns}/persistentvolumeclaims');
const deployments = paths('/apis/apps/v1/namespaces/{ns}/deployments');
const leases = paths('/apis/coordination.k8s.io/v1/namespaces/{ns}/leases');
const deviceClaims = paths('/apis/resource.k8s.io/v1beta2/namespaces/{ns}/resourceclaims');

/** No controller says what is used: the case does. The second wait is for the reference to have heard of it. */
const quota = (hard: JsonObject, spec: JsonObject = {}, name = 'q', used?: JsonObject): Step[] => [
  post(quotas(), object(name, { spec: { hard, ...spec } }), { as: name }),
  put(quotas(`${name}/status`), (kept: Kept) => ({
    ...kept[name],
    status: { hard, used: used ?? Object.fromEntries(Object.keys(hard).map((each) => [each, '0'])) },
  })),
];
const heard: Step = get('/api/v1/namespaces/{ns}', { after: 1 });
const used = (name = 'q'): Step => get(quotas(name));
/** Without the revision: which of several quotas is charged first is left to chance there. */
const status = (name: string): Step => get(quotas(name), { pick: (body) => body.status ?? null });

const using = (name: string, limits?: JsonObject, requests?: JsonObject, fields: JsonObject = {}) =>
  container({ name, resources: { ...(limits && { limits }), ...(requests && { requests }) }, ...fields });
const make = (name: string, fields: JsonObject = {}, metadata: JsonObject = {}): Step =>
  post(pods(), pod(name, fields, metadata));
const of = (...containers: JsonObject[]): JsonObject => ({ containers });

const claim = (name: string, storage: string, fields: JsonObject = {}, metadata: JsonObject = {}): Step =>
  post(
    claims(),
    object(
      name,
      {
        spec: {
          accessModes: ['ReadWriteOnce'],
          storageClassName: 'none',
          resources: { requests: { storage } },
          ...fields,
        },
      },
      { finalizers: ['kubernetes.io/pvc-protection'], ...metadata },
    ),
  );
const ports = (count: number): JsonObject[] =>
  Array.from({ length: count }, (_, i) => ({ name: `p${i}`, port: 80 + i }));
const service = (name: string, spec: JsonObject, count = 2): JsonObject =>
  object(name, { spec: { ports: ports(count), ...spec } });
const asked = (name: string, ...requests: JsonObject[]): Step =>
  post(deviceClaims(), object(name, { spec: { devices: { requests } } }));
const elsewhere = (fields: JsonObject): JsonObject => ({
  affinity: {
    podAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'x', labelSelector: {}, ...fields }],
    },
  },
});
const byClass = (operator: string, values?: string[]): JsonObject => ({
  scopeSelector: {
    matchExpressions: [{ scopeName: 'PriorityClass', operator, ...(values && { values }) }],
  },
});
const ofNodes = { priorityClassName: 'system-node-critical', priority: 2000001000 };
const ofCluster = { priorityClassName: 'system-cluster-critical', priority: 2000000000 };
const resized = (name: string, resources: JsonObject) => (kept: Kept) => {
  const { spec, ...rest } = kept[name] ?? {};
  const [first] = (spec as JsonObject).containers as JsonObject[];
  return { ...rest, spec: { ...(spec as JsonObject), containers: [{ ...first, resources }] } };
};

export const resourceQuota = subject('resourcequota', [
  ask(
    'what is limited must be said, and by which container it is not',
    withAccount,
    quota({ pods: '1', cpu: '2', 'requests.memory': '1Gi', 'limits.cpu': '3' }),
    heard,
    make('a'),
    make('a', of(using('a', { cpu: '1' }))),
    make('a', { ...of(using('b'), using('a', { cpu: '1' })), initContainers: [using('i')] }),
    make('a', { resources: { requests: { cpu: '1' } } }),
    used(),
  ),
  ask(
    'what goes beyond is refused with all that does, what fits is charged, and a dry run is not',
    withAccount,
    quota({ pods: '1', cpu: '2', 'requests.memory': '1Gi', 'limits.cpu': '3' }),
    heard,
    make('a', of(using('a', { cpu: '4' }, { cpu: '3', memory: '2Gi' }))),
    post(pods('?dryRun=All'), pod('a', of(using('a', { cpu: '1' }, { cpu: '500m', memory: '1Mi' })))),
    used(),
    make('a', of(using('a', { cpu: '1' }, { cpu: '500m', memory: '1Mi' }))),
    used(),
    make('a', of(using('a', { cpu: '1' }, { cpu: '500m', memory: '1Mi' }))),
    make('b', of(using('a', { cpu: '1' }, { cpu: '500m', memory: '1Mi' }))),
    make('b', { containers: [container({ name: 'Bad' })] }),
    post(pods('?dryRun=All'), pod('b', of(using('a', { cpu: '1' }, { memory: '1Mi' })))),
    used(),
  ),
  ask(
    'a quota whose status does not say what holds does not hold, and one that does not say what is used lets nothing through',
    withAccount,
    post(quotas(), object('q', { spec: { hard: { pods: '0' } } })),
    quota({ configmaps: '5', secrets: '1' }, {}, 'r', { secrets: '0' }),
    heard,
    make('a'),
    used(),
    post(configmaps(), configMap('a')),
    post(secrets(), object('a')),
    post(secrets(), object('b')),
  ),
  ask(
    'a status that says only a part of what is used of pods',
    withAccount,
    quota({ cpu: '5', pods: '1' }, {}, 'q', { pods: '0' }),
    heard,
    make('a', of(using('a', { cpu: '1' }))),
  ),
  ask(
    'every quota counts',
    withAccount,
    quota({ pods: '1' }),
    quota({ pods: '2', configmaps: '1' }, {}, 'r'),
    heard,
    make('a'),
    make('b'),
    status('q'),
    status('r'),
    post(configmaps(), configMap('a')),
    post(configmaps(), configMap('b')),
    status('r'),
  ),
  ask(
    'what is deleted stays charged until somebody counts',
    quota({ configmaps: '1' }),
    heard,
    post(configmaps(), configMap('a')),
    del(configmaps('a')),
    used(),
    post(configmaps(), configMap('b')),
  ),
  ask(
    'more than a quota allows is there already',
    quota({ 'services.nodeports': '1', services: '5' }, {}, 'q', {
      'services.nodeports': '2',
      services: '0',
    }),
    heard,
    post(services(), service('a', {}), { pick: (body) => body.kind ?? '' }),
    post(services(), service('b', { type: 'NodePort' }), { pick: (body) => body.message ?? '' }),
    used(),
  ),
  ask(
    'how many there are of anything, by both names',
    withAccount,
    quota({
      'count/deployments.apps': '0',
      'count/configmaps': '1',
      'count/pods': '1',
      resourcequotas: '1',
      secrets: '0',
      'count/leases.coordination.k8s.io': '0',
      'count/events': '0',
      'count/widgets.example.com': '0',
      'count/serviceaccounts': '0',
    }),
    heard,
    make('a'),
    make('b'),
    post(configmaps(), configMap('a')),
    post(configmaps(), configMap('b')),
    post(secrets(), object('a')),
    post(leases(), object('a')),
    post('/api/v1/namespaces/{ns}/serviceaccounts', object('other')),
    post(
      deployments(),
      object('d', {
        spec: {
          selector: { matchLabels: { a: 'b' } },
          template: { metadata: { labels: { a: 'b' } }, spec: { containers: [container()] } },
        },
      }),
    ),
    post('/api/v1/namespaces/{ns}/events', object('e', { involvedObject: { namespace: '{ns}' } }), {
      pick: (body) => body.kind ?? '',
    }),
    post(quotas(), object('second', { spec: { hard: {} } })),
    post(quotas(), object('third', { spec: { hard: {} } })),
    used(),
  ),
  ask(
    'storage of claims, in all and of a class',
    quota({
      'requests.storage': '5Gi',
      persistentvolumeclaims: '2',
      'count/persistentvolumeclaims': '2',
      'gold.storageclass.storage.k8s.io/requests.storage': '2Gi',
      'gold.storageclass.storage.k8s.io/persistentvolumeclaims': '1',
    }),
    heard,
    claim('a', '1Gi'),
    claim('b', '3Gi', { storageClassName: 'gold' }),
    claim('b', '2Gi', { storageClassName: 'gold' }),
    used(),
    claim('c', '3Gi', { storageClassName: 'gold' }),
    claim('c', '1Gi', {}, { annotations: { 'volume.beta.kubernetes.io/storage-class': 'gold' } }),
  ),
  ask(
    'ports on nodes and load balancers',
    quota({ services: '3', 'services.nodeports': '3', 'services.loadbalancers': '1', 'count/services': '9' }),
    heard,
    post(services(), service('a', { type: 'LoadBalancer' }), { pick: (body) => body.kind ?? '' }),
    used(),
    post(services(), service('b', { type: 'NodePort' })),
    post(services(), service('b', { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false })),
    get(services('a'), { as: 'a', pick: (body) => body.kind ?? '' }),
    put(
      services('a'),
      (kept) => ({ ...kept.a, spec: { ...(kept.a?.spec as JsonObject), ports: ports(4) } }),
      { pick: (body) => body.message ?? '' },
    ),
    put(
      services('a'),
      (kept) => ({ ...kept.a, spec: { ...(kept.a?.spec as JsonObject), ports: ports(3) } }),
      { pick: (body) => body.kind ?? '' },
    ),
    used(),
    post(services(), service('c', {}), { pick: (body) => body.kind ?? '' }),
    used(),
    post(services(), service('d', {}), { pick: (body) => body.kind ?? '' }),
    post(services(), service('e', {}), { pick: (body) => body.message ?? '' }),
  ),
  ask(
    'resources of every sort',
    withAccount,
    quota({
      'requests.example.com/gpu': '1',
      'hugepages-2Mi': '10Mi',
      'requests.hugepages-1Gi': '1Gi',
      'requests.ephemeral-storage': '1Gi',
      'limits.ephemeral-storage': '1Gi',
      'ephemeral-storage': '1Gi',
      memory: '1Gi',
    }),
    heard,
    make('a'),
    make(
      'a',
      of(
        using('c', {
          'example.com/gpu': '2',
          'hugepages-2Mi': '20Mi',
          'hugepages-1Gi': '2Gi',
          'ephemeral-storage': '2Gi',
          memory: '2Gi',
          cpu: '1',
        }),
      ),
    ),
    make(
      'a',
      of(
        using('c', {
          'example.com/gpu': '1',
          'hugepages-2Mi': '10Mi',
          'hugepages-1Gi': '1Gi',
          'ephemeral-storage': '1Gi',
          memory: '1Gi',
          cpu: '1',
        }),
      ),
    ),
    used(),
  ),
  ask(
    'init containers, sidecars and the pod as a whole',
    withAccount,
    quota({ cpu: '2', 'limits.memory': '10Gi' }),
    heard,
    make('a', {
      ...of(using('a', { cpu: '100m', memory: '1Gi' })),
      initContainers: [
        using('i', { cpu: '400m', memory: '3Gi' }),
        using('s', { cpu: '200m', memory: '1Gi' }, undefined, { restartPolicy: 'Always' }),
      ],
    }),
    used(),
    make('b', { resources: { requests: { cpu: '1' }, limits: { memory: '1Gi' } } }),
    used(),
    make('c', {
      ...of(using('a', { cpu: '1', memory: '1Gi' })),
      resources: { requests: { cpu: '1' }, limits: { memory: '1Gi' } },
    }),
  ),
  ask(
    'a resize is charged with what it adds',
    withAccount,
    quota({ cpu: '10' }),
    heard,
    post(pods(), pod('a', of(using('c', { cpu: '2', memory: '1Gi' }, { cpu: '1' }))), { as: 'a' }),
    put(
      pods('a/resize'),
      resized('a', { limits: { cpu: '30', memory: '1Gi' }, requests: { cpu: '20', memory: '1Gi' } }),
    ),
    put(
      pods('a/resize'),
      resized('a', { limits: { cpu: '30', memory: '1Gi' }, requests: { cpu: '2', memory: '1Gi' } }),
      { as: 'b' },
    ),
    used(),
    put(
      pods('a/resize'),
      resized('b', { limits: { cpu: '30', memory: '1Gi' }, requests: { cpu: '1', memory: '1Gi' } }),
      { as: 'c' },
    ),
    used(),
  ),
  ask(
    'pods that ask for nothing, and those that do',
    withAccount,
    quota({ pods: '1' }, { scopes: ['BestEffort'] }),
    quota({ pods: '1', cpu: '1' }, { scopes: ['NotBestEffort'] }, 'r'),
    heard,
    make('a'),
    make('b'),
    make('c', of(using('c', undefined, { memory: '1' }))),
    make('c', of(using('c', { cpu: '1' }))),
    make('d', of(using('c', { cpu: '1' }))),
    used(),
    used('r'),
  ),
  ask(
    'pods that end by themselves, and those that do not',
    withAccount,
    quota({ pods: '1' }, { scopes: ['Terminating'] }),
    quota({ pods: '1' }, { scopes: ['NotTerminating'] }, 'r'),
    heard,
    make('a'),
    make('b'),
    make('c', { activeDeadlineSeconds: 5 }),
    make('d', { activeDeadlineSeconds: 5 }),
    used(),
    used('r'),
  ),
  ...(
    [
      ['In', ['system-node-critical']],
      ['NotIn', ['system-node-critical']],
      ['Exists', undefined],
      ['DoesNotExist', undefined],
    ] as const
  ).map(([operator, values]) =>
    ask(
      `pods by their class: ${operator}`,
      withAccount,
      quota({ pods: '1' }, byClass(operator, values && [...values])),
      heard,
      make('a'),
      make('b'),
      make('c', ofNodes),
      make('d', ofNodes),
      make('e', ofCluster),
      make('f', ofCluster),
      used(),
    ),
  ),
  ask(
    'pods that look at other namespaces',
    withAccount,
    quota({ pods: '1' }, { scopes: ['CrossNamespacePodAffinity'] }),
    heard,
    make('a', elsewhere({})),
    make('b', elsewhere({ namespaces: ['x'] })),
    make('c', elsewhere({ namespaceSelector: {} })),
    used(),
  ),
  ask(
    'scopes and the selector must both be met',
    withAccount,
    quota(
      { pods: '1' },
      {
        scopes: ['NotTerminating'],
        scopeSelector: { matchExpressions: [{ scopeName: 'BestEffort', operator: 'Exists' }] },
      },
    ),
    heard,
    make('a', { activeDeadlineSeconds: 5 }),
    make('b', of(using('c', { cpu: '1' }))),
    make('c'),
    make('d'),
    used(),
  ),
  ask(
    'claims by the class of their attributes',
    quota(
      { persistentvolumeclaims: '1' },
      {
        scopeSelector: {
          matchExpressions: [{ scopeName: 'VolumeAttributesClass', operator: 'In', values: ['gold'] }],
        },
      },
    ),
    heard,
    claim('a', '1Gi'),
    claim('b', '1Gi', { volumeAttributesClassName: 'gold' }),
    claim('c', '1Gi', { volumeAttributesClassName: 'gold' }),
    claim('d', '1Gi', { volumeAttributesClassName: 'silver' }),
    used(),
  ),
  ask(
    'devices by their class',
    quota({ 'count/resourceclaims.resource.k8s.io': '9', 'gpu.deviceclass.resource.k8s.io/devices': '3' }),
    heard,
    asked('a', { name: 'x', exactly: { deviceClassName: 'gpu', count: 1 } }),
    asked('b', { name: 'x', exactly: { deviceClassName: 'gpu', allocationMode: 'All' } }),
    asked('c', {
      name: 'x',
      firstAvailable: [
        { name: 's', deviceClassName: 'gpu', count: 3 },
        { name: 't', deviceClassName: 'other', count: 1 },
      ],
    }),
    asked('d', { name: 'x', exactly: { deviceClassName: 'other', count: 5 } }),
    asked(
      'e',
      { name: 'x', exactly: { deviceClassName: 'gpu', count: 1 } },
      { name: 'y', exactly: { deviceClassName: 'gpu', count: 1 } },
    ),
    used(),
  ),
  ask(
    'a quota counts in whole, and has no fractions of what it counts',
    post(quotas(), object('a', { spec: { hard: { storage: '1' } } })),
    post(quotas(), object('b', { spec: { hard: { pods: '1500m' } } })),
  ),
]);
