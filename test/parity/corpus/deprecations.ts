import {
  ask,
  type Case,
  changed,
  del,
  get,
  type JsonObject,
  post,
  put,
  type Step,
  send,
  subject,
  watch,
} from '../case.ts';
import { endpoints, ingresses, object, paths, services } from './objects.ts';

const alice = { token: 'alice-token' };
const dryRun = '?dryRun=All';

/** Everything that can be done to a deprecated kind: each answer carries the warning, or none where it never got so far. */
function used(
  at: (rest?: string) => string,
  name: string,
  body: JsonObject,
  change: JsonObject,
  parts: string[],
): Step[] {
  const accepted = (accept: string) => ({ headers: { accept } });
  return [
    get(at(`?labelSelector=none=such`)),
    get(at(`?labelSelector=none=such&limit=1&pretty=true`)),
    get(at('?labelSelector=none=such'), accepted('application/json;as=Table;g=meta.k8s.io;v=v1')),
    get(at('?labelSelector=none=such'), accepted('application/vnd.kubernetes.protobuf')),
    get(at('?labelSelector=none=such'), accepted('application/yaml')),
    get(at('?labelSelector=none=such'), accepted('text/html')),
    get(at('?limit=x')),
    get(at('none')),
    get(at('none'), alice),
    get(at(), alice),
    post(at(dryRun), body),
    post(at(`${dryRun}&fieldValidation=Warn`), { ...body, unknownField: 1 }),
    post(at(`${dryRun}&fieldValidation=Strict`), { ...body, unknownField: 1 }),
    post(at(dryRun), body, alice),
    post(at(dryRun), '{'),
    post(at(), body, { as: 'a' }),
    post(at(), body),
    put(at(name), changed('a', change)),
    put(at(`none${dryRun}`), body),
    send('PATCH', at(name), '{"metadata":{"labels":{"a":"b"}}}', {
      headers: { 'content-type': 'application/merge-patch+json' },
    }),
    send('PATCH', at(name), '{"metadata":', { headers: { 'content-type': 'application/merge-patch+json' } }),
    send('PATCH', at(`${name}?fieldManager=x&force=true`), body, {
      headers: { 'content-type': 'application/apply-patch+yaml' },
    }),
    get(at(name), accepted('application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1')),
    ...parts.flatMap((part) => [get(at(`${name}/${part}`)), put(at(`${name}/${part}`), changed('a', {}))]),
    get(at(`${name}/nope`)),
    send('POST', at(name), '{}'),
    send('OPTIONS', at()),
    send('HEAD', at()),
    watch(at('?labelSelector=none=such&watch=1&timeoutSeconds=1')),
    watch(at('?labelSelector=none=such&watch=1&timeoutSeconds=1'), {}, alice),
    del(at('?labelSelector=none=such')),
    del(at(`${name}${dryRun}`)),
    del(at(name)),
    del(at(name)),
  ];
}

const kinds: readonly [path: string, name: string, body: JsonObject, change: JsonObject, parts: string[]][] =
  [
    [
      '/apis/storage.k8s.io/v1alpha1/volumeattributesclasses',
      '{name}',
      object(
        '{name}',
        { driverName: 'd', parameters: { a: 'b' } },
        { finalizers: ['kubernetes.io/vac-protection'] },
      ),
      { metadata: { name: '{name}', labels: { x: 'y' } } },
      [],
    ],
    [
      '/apis/admissionregistration.k8s.io/v1beta1/validatingadmissionpolicies',
      '{name}',
      object('{name}', {
        spec: {
          matchConstraints: {
            resourceRules: [
              { apiGroups: ['none.example'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['a'] },
            ],
          },
          validations: [{ expression: 'true' }],
        },
      }),
      {},
      ['status'],
    ],
    [
      '/apis/admissionregistration.k8s.io/v1beta1/validatingadmissionpolicybindings',
      '{name}',
      object('{name}', { spec: { policyName: 'none', validationActions: ['Deny'] } }),
      {},
      [],
    ],
    [
      '/apis/storagemigration.k8s.io/v1alpha1/storageversionmigrations',
      '{name}',
      object('{name}', { spec: { resource: { version: 'v1', resource: 'configmaps' } } }),
      {},
      ['status'],
    ],
  ];

const replaced = kinds
  .filter(([path]) => !path.includes('storagemigration'))
  .map(([path]) =>
    path
      .replace('v1alpha1', 'v1beta1')
      .replace('admissionregistration.k8s.io/v1beta1', 'admissionregistration.k8s.io/v1'),
  );

const pods = paths('/api/v1/namespaces/{ns}/podtemplates');
const template = (spec: JsonObject, annotations: JsonObject = {}): Step =>
  post(
    pods(dryRun),
    object('a', {
      template: {
        metadata: { annotations },
        spec: { containers: [{ name: 'c', image: 'i', terminationMessagePolicy: 'File' }], ...spec },
      },
    }),
  );
const volume = (source: JsonObject): Step => template({ volumes: [{ name: 'v', ...source }] });
const service = (fields: JsonObject, annotations: JsonObject = {}): Step =>
  post(services(dryRun), object('a', { spec: { ports: [{ port: 80 }], ...fields } }, { annotations }));
const volumeClass = (key: string): Step =>
  post(
    `/apis/storage.k8s.io/v1/storageclasses${dryRun}`,
    object('{name}', {
      provisioner: 'p',
      allowedTopologies: [{ matchLabelExpressions: [{ key, values: ['a'] }] }],
    }),
  );
const disk = (fields: JsonObject, annotations: JsonObject = {}): Step =>
  post(
    `/api/v1/persistentvolumes${dryRun}`,
    object(
      '{name}',
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          ...(fields.csi === undefined &&
            Object.keys(fields).every((key) => !sources.has(key)) && { nfs: { server: 's', path: '/p' } }),
          ...fields,
        },
      },
      { annotations, finalizers: ['kubernetes.io/pv-protection'] },
    ),
  );
const sources = new Set([
  'glusterfs',
  'rbd',
  'cephfs',
  'photonPersistentDisk',
  'scaleIO',
  'storageos',
  'quobyte',
  'flocker',
]);
const oldLabels = [
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/instance-type',
  'failure-domain.beta.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'kubernetes.io/os',
];
const monitors = { monitors: ['m'], image: 'i' };

const whole: Case[] = kinds.map(([path, ...rest]) =>
  ask(path.split('/').slice(2).join('/'), used(paths(path), ...rest)),
);

export const deprecations = subject('deprecations', [
  ...whole,
  ask(
    'v1/endpoints',
    used(endpoints, 'a', object('a', { subsets: [] }), {}, []),
    get('/api/v1/endpoints?labelSelector=none=such'),
  ),
  ask(
    'v1/componentstatuses',
    get('/api/v1/componentstatuses/none'),
    get('/api/v1/componentstatuses/etcd-0'),
    get('/api/v1/componentstatuses', alice),
    get('/api/v1/componentstatuses?watch=1'),
    get('/api/v1/componentstatuses?labelSelector=none=such'),
    del('/api/v1/componentstatuses/etcd-0'),
  ),
  ask(
    'what takes their place is not warned of',
    ...replaced.map((path) => get(`${path}/none`)),
    get('/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices'),
    get('/apis/admissionregistration.k8s.io/v1beta1'),
    get('/apis/storage.k8s.io/v1alpha1'),
    get('/apis/storagemigration.k8s.io/v1alpha1'),
    get('/apis/storage.k8s.io/v1alpha1/nope'),
  ),
  ask(
    'labels of nodes that go by another name now',
    ...oldLabels.flatMap((key) => [
      template({ nodeSelector: { [key]: 'a' } }),
      template({
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'Exists' }] }],
            },
          },
        },
      }),
      template({
        topologySpreadConstraints: [
          { maxSkew: 1, topologyKey: key, whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} },
        ],
      }),
      volumeClass(key),
    ]),
  ),
  ask(
    'volumes that nothing mounts any more',
    volume({ gitRepo: { repository: 'r' } }),
    volume({ photonPersistentDisk: { pdID: 'p' } }),
    volume({ scaleIO: { gateway: 'g', system: 's', secretRef: { name: 'n' }, volumeName: 'v' } }),
    volume({ flocker: { datasetName: 'd' } }),
    volume({ storageos: { volumeName: 'v' } }),
    volume({ quobyte: { registry: 'a:1', volume: 'v' } }),
    volume({ glusterfs: { endpoints: 'e', path: 'p' } }),
    volume({ cephfs: { monitors: ['m'] } }),
    volume({ rbd: monitors }),
    disk({ glusterfs: { endpoints: 'e', path: 'p' } }),
    disk({ cephfs: { monitors: ['m'] } }),
    disk({ rbd: monitors }),
    disk({ photonPersistentDisk: { pdID: 'p' } }),
    disk({ scaleIO: { gateway: 'g', system: 's', secretRef: { name: 'n' }, volumeName: 'v' } }),
    disk({ storageos: { volumeName: 'v' } }),
    disk({ quobyte: { registry: 'a:1', volume: 'v' } }),
    disk({ flocker: { datasetName: 'd' } }),
  ),
  ask(
    'annotations that fields have taken the place of',
    template({}, { 'seccomp.security.alpha.kubernetes.io/pod': 'runtime/default' }),
    template({}, { 'container.seccomp.security.alpha.kubernetes.io/c': 'runtime/default' }),
    template({}, { 'container.apparmor.security.beta.kubernetes.io/c': 'runtime/default' }),
    template({}, { 'scheduler.alpha.kubernetes.io/critical-pod': '' }),
    template({}, { 'scheduler.alpha.kubernetes.io/tolerations': '[]' }),
    disk({}, { 'volume.beta.kubernetes.io/storage-class': 's' }),
    disk({}, { 'volume.beta.kubernetes.io/mount-options': 'o' }),
    disk({ persistentVolumeReclaimPolicy: 'Recycle' }),
    disk({
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [
            { matchExpressions: [{ key: 'failure-domain.beta.kubernetes.io/zone', operator: 'Exists' }] },
          ],
        },
      },
    }),
    post(
      `/api/v1/namespaces/{ns}/persistentvolumeclaims${dryRun}`,
      object(
        'a',
        { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
        {
          annotations: { 'volume.beta.kubernetes.io/storage-class': 's' },
          finalizers: ['kubernetes.io/pvc-protection'],
        },
      ),
    ),
    post(
      ingresses(dryRun),
      object(
        'a',
        { spec: { defaultBackend: { service: { name: 's', port: { number: 1 } } } } },
        { annotations: { 'kubernetes.io/ingress.class': 'c' } },
      ),
    ),
    service({}, { 'service.kubernetes.io/topology-aware-hints': 'auto' }),
    service({}, { 'service.kubernetes.io/topology-mode': 'auto' }),
    service({ externalIPs: ['010.0.0.1'] }),
    service({ type: 'LoadBalancer', loadBalancerIP: '1.2.3.4' }),
    post(
      `/api/v1/nodes${dryRun}`,
      object('{name}', {
        spec: { externalID: 'x', taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }] },
      }),
    ),
    post(
      `/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices${dryRun}`,
      object('a', { addressType: 'FQDN', endpoints: [{ addresses: ['a.example'] }] }),
    ),
    post(
      `/apis/node.k8s.io/v1/runtimeclasses${dryRun}`,
      object('{name}', { handler: 'h', scheduling: { nodeSelector: { 'beta.kubernetes.io/os': 'linux' } } }),
    ),
    ...[
      { matchLabels: { 'beta.kubernetes.io/arch': 'a' } },
      {
        matchExpressions: [
          { key: 'a', operator: 'Exists' },
          { key: 'beta.kubernetes.io/os', operator: 'Exists' },
        ],
      },
      { matchLabels: { 'kubernetes.io/arch': 'a' } },
    ].map((nodeTopology) =>
      post(
        `/apis/storage.k8s.io/v1/namespaces/{ns}/csistoragecapacities${dryRun}`,
        object('a', { storageClassName: 's', nodeTopology }),
      ),
    ),
  ),
]);
