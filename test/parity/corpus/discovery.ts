import { ask, get, type Json, type JsonObject, subject } from '../case.ts';

/** Every group with its versions, served by default or not; both servers are asked for each. */
export const groups: Readonly<Record<string, readonly string[]>> = {
  'admissionregistration.k8s.io': ['v1', 'v1beta1', 'v1alpha1'],
  'apiextensions.k8s.io': ['v1'],
  'apiregistration.k8s.io': ['v1'],
  apps: ['v1'],
  'authentication.k8s.io': ['v1'],
  'authorization.k8s.io': ['v1'],
  autoscaling: ['v2', 'v1'],
  batch: ['v1'],
  'certificates.k8s.io': ['v1', 'v1beta1', 'v1alpha1'],
  'coordination.k8s.io': ['v1', 'v1beta1', 'v1alpha2'],
  'discovery.k8s.io': ['v1'],
  'events.k8s.io': ['v1'],
  'flowcontrol.apiserver.k8s.io': ['v1'],
  'internal.apiserver.k8s.io': ['v1alpha1'],
  'networking.k8s.io': ['v1', 'v1beta1'],
  'node.k8s.io': ['v1'],
  policy: ['v1'],
  'rbac.authorization.k8s.io': ['v1'],
  'resource.k8s.io': ['v1beta2', 'v1beta1', 'v1alpha3'],
  'scheduling.k8s.io': ['v1'],
  'storage.k8s.io': ['v1', 'v1beta1', 'v1alpha1'],
  'storagemigration.k8s.io': ['v1alpha1'],
};

/** One resource of every version that a release has removed. */
const removed = [
  'flowcontrol.apiserver.k8s.io/v1beta3/flowschemas',
  'flowcontrol.apiserver.k8s.io/v1beta2/prioritylevelconfigurations',
  'flowcontrol.apiserver.k8s.io/v1beta1/flowschemas',
  'storage.k8s.io/v1beta1/csistoragecapacities',
  'storage.k8s.io/v1beta1/csidrivers',
  'autoscaling/v2beta2/horizontalpodautoscalers',
  'autoscaling/v2beta1/horizontalpodautoscalers',
  'batch/v1beta1/cronjobs',
  'discovery.k8s.io/v1beta1/endpointslices',
  'events.k8s.io/v1beta1/events',
  'policy/v1beta1/poddisruptionbudgets',
  'policy/v1beta1/podsecuritypolicies',
  'node.k8s.io/v1beta1/runtimeclasses',
  'admissionregistration.k8s.io/v1beta1/validatingwebhookconfigurations',
  'apiextensions.k8s.io/v1beta1/customresourcedefinitions',
  'apiregistration.k8s.io/v1beta1/apiservices',
  'authentication.k8s.io/v1beta1/tokenreviews',
  'authorization.k8s.io/v1beta1/subjectaccessreviews',
  'certificates.k8s.io/v1beta1/certificatesigningrequests',
  'coordination.k8s.io/v1beta1/leases',
  'networking.k8s.io/v1beta1/ingresses',
  'rbac.authorization.k8s.io/v1beta1/roles',
  'scheduling.k8s.io/v1beta1/priorityclasses',
  'extensions/v1beta1/networkpolicies',
  'apps/v1beta2/daemonsets',
];

const isBuiltIn = (name: Json | undefined) => typeof name === 'string' && Object.hasOwn(groups, name);
const list = (items: Json | undefined) => (Array.isArray(items) ? (items as JsonObject[]) : []);

/** Without the groups of custom resources, which other cases make at the same time. */
const groupList = {
  pick: (body: JsonObject): Json => ({
    ...body,
    groups: list(body.groups).filter(({ name }) => isBuiltIn(name)),
  }),
};
const aggregated = (accept: string) => ({
  headers: { accept },
  pick: (body: JsonObject): Json => ({
    ...body,
    items: list(body.items).filter(({ metadata }) => {
      const { name } = metadata as JsonObject;
      return name === undefined || isBuiltIn(name);
    }),
  }),
});

const v2 = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const v2beta1 = 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList';

export const discovery = subject('discovery', [
  ask('the core versions', get('/api'), get('/api/')),
  ask('the groups', get('/apis', groupList), get('/apis/', groupList)),
  ask('the core resources', get('/api/v1'), get('/api/v1/')),
  ...Object.entries(groups).map(([group, versions]) =>
    ask(
      `the group ${group}`,
      get(`/apis/${group}`),
      get(`/apis/${group}/`),
      versions.map((version) => get(`/apis/${group}/${version}`)),
      get(`/apis/${group}/v9`),
    ),
  ),
  ask(
    'aggregated',
    [v2, v2beta1, `${v2},${v2beta1},application/json`].flatMap((accept) => [
      get('/api', aggregated(accept)),
      get('/apis', aggregated(accept)),
    ]),
    get('/apis', {
      ...groupList,
      headers: { accept: 'application/json;g=apidiscovery.k8s.io;v=v9;as=APIGroupDiscoveryList' },
    }),
    get('/apis', aggregated(`application/json,${v2}`)),
  ),
  ask(
    'unchanged since',
    get('/api', { ...aggregated(v2), as: 'before' }),
    get('/api', { headers: { accept: v2, 'if-none-match': '{before.etag}' } }),
    ['/api', '/apis'].flatMap((path) => [
      get(path, { headers: { accept: v2, 'if-none-match': '*' }, pick: ({ kind }) => kind ?? null }),
      get(path, { headers: { accept: v2, 'if-none-match': '"nope"' }, pick: ({ kind }) => kind ?? null }),
    ]),
  ),
  ask(
    'removed versions',
    removed.map((path) => get(`/apis/${path}`)),
  ),
  // With --defaults these are the versions that are off.
  ask(
    'versions that are not stable',
    Object.entries(groups).flatMap(([group, versions]) =>
      versions
        .filter((version) => version !== 'v1')
        .map((version) => get(`/apis/${group}/${version}/nosuch`)),
    ),
    get('/apis/certificates.k8s.io/v1alpha1/clustertrustbundles', { pick: ({ kind }) => kind ?? null }),
    get('/apis/storagemigration.k8s.io/v1alpha1/storageversionmigrations', {
      pick: ({ kind }) => kind ?? null,
    }),
    get('/apis/resource.k8s.io/v1beta1/deviceclasses', { pick: ({ kind }) => kind ?? null }),
    get('/apis/internal.apiserver.k8s.io/v1alpha1/storageversions', { pick: ({ kind }) => kind ?? null }),
  ),
]);
