import { apiRelease, releasesFrom } from '../../base/release.ts';

/** When a version of a kind came, when it was deprecated and when it goes. What lies ahead is planned. */
export interface Lifecycle {
  readonly introduced: string;
  readonly deprecated?: string;
  /** The first release without it. */
  readonly removed?: string;
  /** What clients are told to use instead. */
  readonly replacement?: ApiKind;
}

export interface ApiKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** A group version, with the kinds that came or go at another time than the rest of it. */
export interface VersionLifecycle extends Omit<Lifecycle, 'replacement'> {
  readonly group: string;
  readonly version: string;
  /** What takes the place of each of its kinds, under the same name. */
  readonly replacedBy?: Pick<ApiKind, 'group' | 'version'>;
  readonly kinds?: Readonly<Record<string, Partial<Lifecycle>>>;
}

/** The kinds that a version had which nobody serves any more. */
const once = (...kinds: string[]): Record<string, Partial<Lifecycle>> =>
  Object.fromEntries(kinds.map((kind) => [kind, {}]));

/** Those of a version that lives on with other kinds. */
const gone = (lifecycle: Lifecycle, ...kinds: string[]): Record<string, Partial<Lifecycle>> =>
  Object.fromEntries(kinds.map((kind) => [kind, lifecycle]));

const replacedByV1 = (group: string) => ({ replacedBy: { group, version: 'v1' } });

/** Every version of every kind that the releases up to this one served and still know by name: the one place for these facts. */
export const apiLifecycles: readonly VersionLifecycle[] = [
  {
    group: '',
    version: 'v1',
    introduced: '1.0',
    kinds: {
      ComponentStatus: { deprecated: '1.19' },
      Endpoints: {
        deprecated: '1.33',
        replacement: { group: 'discovery', version: 'v1', kind: 'EndpointSlice' },
      },
    },
  },
  {
    group: 'admissionregistration',
    version: 'v1',
    introduced: '1.16',
    kinds: {
      ValidatingAdmissionPolicy: { introduced: '1.30' },
      ValidatingAdmissionPolicyBinding: { introduced: '1.30' },
    },
  },
  {
    group: 'admissionregistration',
    version: 'v1beta1',
    introduced: '1.28',
    deprecated: '1.31',
    removed: '1.34',
    kinds: gone(
      { introduced: '1.9', deprecated: '1.16', removed: '1.22' },
      'MutatingWebhookConfiguration',
      'ValidatingWebhookConfiguration',
    ),
  },
  { group: 'admissionregistration', version: 'v1alpha1', introduced: '1.32' },
  { group: 'apiextensions', version: 'v1', introduced: '1.16' },
  {
    group: 'apiextensions',
    version: 'v1beta1',
    introduced: '1.7',
    deprecated: '1.16',
    removed: '1.22',
    ...replacedByV1('apiextensions'),
    kinds: once('CustomResourceDefinition'),
  },
  { group: 'apiregistration', version: 'v1', introduced: '1.10' },
  {
    group: 'apiregistration',
    version: 'v1beta1',
    introduced: '1.7',
    deprecated: '1.19',
    removed: '1.22',
    ...replacedByV1('apiregistration'),
    kinds: once('APIService'),
  },
  { group: 'apps', version: 'v1', introduced: '1.9' },
  {
    group: 'apps',
    version: 'v1beta1',
    introduced: '1.6',
    deprecated: '1.8',
    removed: '1.16',
    ...replacedByV1('apps'),
    kinds: once('ControllerRevision', 'Deployment', 'StatefulSet'),
  },
  {
    group: 'apps',
    version: 'v1beta2',
    introduced: '1.8',
    deprecated: '1.9',
    removed: '1.16',
    ...replacedByV1('apps'),
    kinds: once('ControllerRevision', 'DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'),
  },
  {
    group: 'authentication',
    version: 'v1',
    introduced: '1.6',
    kinds: { SelfSubjectReview: { introduced: '1.28' } },
  },
  {
    group: 'authentication',
    version: 'v1alpha1',
    introduced: '1.26',
    deprecated: '1.27',
    removed: '1.30',
    kinds: once('SelfSubjectReview'),
  },
  {
    group: 'authentication',
    version: 'v1beta1',
    introduced: '1.4',
    deprecated: '1.19',
    removed: '1.22',
    ...replacedByV1('authentication'),
    kinds: {
      TokenReview: {},
      SelfSubjectReview: { introduced: '1.27', deprecated: '1.30', removed: '1.33' },
    },
  },
  { group: 'authorization', version: 'v1', introduced: '1.6' },
  {
    group: 'authorization',
    version: 'v1beta1',
    introduced: '1.2',
    deprecated: '1.19',
    removed: '1.22',
    ...replacedByV1('authorization'),
    kinds: once(
      'LocalSubjectAccessReview',
      'SelfSubjectAccessReview',
      'SelfSubjectRulesReview',
      'SubjectAccessReview',
    ),
  },
  { group: 'autoscaling', version: 'v1', introduced: '1.2' },
  { group: 'autoscaling', version: 'v2', introduced: '1.23' },
  {
    group: 'autoscaling',
    version: 'v2beta1',
    introduced: '1.8',
    deprecated: '1.22',
    removed: '1.25',
    replacedBy: { group: 'autoscaling', version: 'v2' },
    kinds: once('HorizontalPodAutoscaler'),
  },
  {
    group: 'autoscaling',
    version: 'v2beta2',
    introduced: '1.12',
    deprecated: '1.23',
    removed: '1.26',
    replacedBy: { group: 'autoscaling', version: 'v2' },
    kinds: once('HorizontalPodAutoscaler'),
  },
  { group: 'batch', version: 'v1', introduced: '1.2', kinds: { CronJob: { introduced: '1.21' } } },
  {
    group: 'batch',
    version: 'v1beta1',
    introduced: '1.8',
    deprecated: '1.21',
    removed: '1.25',
    ...replacedByV1('batch'),
    kinds: once('CronJob'),
  },
  { group: 'certificates', version: 'v1', introduced: '1.19' },
  { group: 'certificates', version: 'v1alpha1', introduced: '1.26', deprecated: '1.34', removed: '1.37' },
  {
    group: 'certificates',
    version: 'v1beta1',
    introduced: '1.33',
    deprecated: '1.36',
    removed: '1.39',
    kinds: gone({ introduced: '1.4', deprecated: '1.19', removed: '1.22' }, 'CertificateSigningRequest'),
  },
  { group: 'coordination', version: 'v1', introduced: '1.14' },
  { group: 'coordination', version: 'v1alpha2', introduced: '1.32', deprecated: '1.35', removed: '1.38' },
  {
    group: 'coordination',
    version: 'v1beta1',
    introduced: '1.33',
    deprecated: '1.36',
    removed: '1.39',
    kinds: gone({ introduced: '1.12', deprecated: '1.19', removed: '1.22' }, 'Lease'),
  },
  { group: 'discovery', version: 'v1', introduced: '1.21' },
  {
    group: 'discovery',
    version: 'v1beta1',
    introduced: '1.17',
    deprecated: '1.21',
    removed: '1.25',
    ...replacedByV1('discovery'),
    kinds: once('EndpointSlice'),
  },
  { group: 'events', version: 'v1', introduced: '1.19' },
  {
    group: 'events',
    version: 'v1beta1',
    introduced: '1.8',
    deprecated: '1.22',
    removed: '1.25',
    ...replacedByV1('events'),
    kinds: once('Event'),
  },
  {
    group: 'extensions',
    version: 'v1beta1',
    introduced: '1.1',
    deprecated: '1.9',
    removed: '1.16',
    ...replacedByV1('apps'),
    kinds: {
      DaemonSet: {},
      Deployment: {},
      ReplicaSet: {},
      NetworkPolicy: {
        introduced: '1.3',
        replacement: { group: 'networking', version: 'v1', kind: 'NetworkPolicy' },
      },
      Ingress: {
        deprecated: '1.14',
        removed: '1.22',
        replacement: { group: 'networking', version: 'v1', kind: 'Ingress' },
      },
    },
  },
  { group: 'flowcontrol.apiserver', version: 'v1', introduced: '1.29' },
  {
    group: 'flowcontrol.apiserver',
    version: 'v1beta1',
    introduced: '1.20',
    deprecated: '1.23',
    removed: '1.26',
    replacedBy: { group: 'flowcontrol.apiserver', version: 'v1beta2' },
    kinds: once('FlowSchema', 'PriorityLevelConfiguration'),
  },
  {
    group: 'flowcontrol.apiserver',
    version: 'v1beta2',
    introduced: '1.23',
    deprecated: '1.26',
    removed: '1.29',
    replacedBy: { group: 'flowcontrol.apiserver', version: 'v1beta3' },
    kinds: once('FlowSchema', 'PriorityLevelConfiguration'),
  },
  {
    group: 'flowcontrol.apiserver',
    version: 'v1beta3',
    introduced: '1.26',
    deprecated: '1.29',
    removed: '1.32',
    ...replacedByV1('flowcontrol.apiserver'),
    kinds: once('FlowSchema', 'PriorityLevelConfiguration'),
  },
  { group: 'internal.apiserver', version: 'v1alpha1', introduced: '1.20' },
  {
    group: 'networking',
    version: 'v1',
    introduced: '1.19',
    kinds: {
      NetworkPolicy: { introduced: '1.7' },
      IPAddress: { introduced: '1.33' },
      ServiceCIDR: { introduced: '1.33' },
    },
  },
  {
    group: 'networking',
    version: 'v1alpha1',
    introduced: '1.27',
    deprecated: '1.30',
    removed: '1.33',
    kinds: once('IPAddress', 'ServiceCIDR'),
  },
  {
    group: 'networking',
    version: 'v1beta1',
    introduced: '1.31',
    deprecated: '1.34',
    removed: '1.37',
    kinds: {
      ...gone({ introduced: '1.14', deprecated: '1.19', removed: '1.22' }, 'Ingress'),
      ...gone({ introduced: '1.18', deprecated: '1.19', removed: '1.22' }, 'IngressClass'),
    },
  },
  { group: 'node', version: 'v1', introduced: '1.20' },
  {
    group: 'node',
    version: 'v1alpha1',
    introduced: '1.12',
    deprecated: '1.20',
    removed: '1.26',
    kinds: once('RuntimeClass'),
  },
  {
    group: 'node',
    version: 'v1beta1',
    introduced: '1.14',
    deprecated: '1.22',
    removed: '1.25',
    ...replacedByV1('node'),
    kinds: once('RuntimeClass'),
  },
  { group: 'policy', version: 'v1', introduced: '1.21' },
  {
    group: 'policy',
    version: 'v1beta1',
    introduced: '1.5',
    deprecated: '1.21',
    removed: '1.25',
    kinds: {
      PodDisruptionBudget: { replacement: { group: 'policy', version: 'v1', kind: 'PodDisruptionBudget' } },
      PodSecurityPolicy: { introduced: '1.10' },
    },
  },
  { group: 'rbac.authorization', version: 'v1', introduced: '1.8' },
  {
    group: 'rbac.authorization',
    version: 'v1alpha1',
    introduced: '1.5',
    deprecated: '1.17',
    removed: '1.22',
    ...replacedByV1('rbac.authorization'),
    kinds: once('ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'),
  },
  {
    group: 'rbac.authorization',
    version: 'v1beta1',
    introduced: '1.6',
    deprecated: '1.17',
    removed: '1.22',
    ...replacedByV1('rbac.authorization'),
    kinds: once('ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'),
  },
  {
    group: 'resource',
    version: 'v1alpha3',
    introduced: '1.31',
    deprecated: '1.34',
    removed: '1.37',
    kinds: { DeviceTaintRule: { introduced: '1.33', deprecated: '1.36', removed: '1.39' } },
  },
  { group: 'resource', version: 'v1beta1', introduced: '1.32', deprecated: '1.35', removed: '1.38' },
  { group: 'resource', version: 'v1beta2', introduced: '1.33', deprecated: '1.36', removed: '1.39' },
  { group: 'scheduling', version: 'v1', introduced: '1.14' },
  {
    group: 'scheduling',
    version: 'v1alpha1',
    introduced: '1.8',
    deprecated: '1.14',
    removed: '1.22',
    ...replacedByV1('scheduling'),
    kinds: once('PriorityClass'),
  },
  {
    group: 'scheduling',
    version: 'v1beta1',
    introduced: '1.11',
    deprecated: '1.14',
    removed: '1.22',
    ...replacedByV1('scheduling'),
    kinds: once('PriorityClass'),
  },
  {
    group: 'storage',
    version: 'v1',
    introduced: '1.6',
    kinds: {
      CSIDriver: { introduced: '1.18' },
      CSINode: { introduced: '1.17' },
      CSIStorageCapacity: { introduced: '1.24' },
      VolumeAttachment: { introduced: '1.13' },
    },
  },
  { group: 'storage', version: 'v1alpha1', introduced: '1.29', deprecated: '1.32', removed: '1.35' },
  {
    group: 'storage',
    version: 'v1beta1',
    introduced: '1.31',
    deprecated: '1.34',
    removed: '1.37',
    kinds: {
      ...gone({ introduced: '1.14', deprecated: '1.19', removed: '1.22' }, 'CSIDriver'),
      ...gone({ introduced: '1.14', deprecated: '1.17', removed: '1.22' }, 'CSINode'),
      ...gone({ introduced: '1.21', deprecated: '1.24', removed: '1.27' }, 'CSIStorageCapacity'),
      ...gone({ introduced: '1.4', deprecated: '1.19', removed: '1.22' }, 'StorageClass'),
      ...gone({ introduced: '1.10', deprecated: '1.19', removed: '1.22' }, 'VolumeAttachment'),
    },
  },
  { group: 'storagemigration', version: 'v1alpha1', introduced: '1.30', deprecated: '1.33', removed: '1.36' },
];

const byVersion = new Map(apiLifecycles.map((row) => [`${row.group}/${row.version}`, row]));

/** The life of a version of a built-in kind; undefined for those of others. */
export function lifecycleOf({ group, version, kind }: ApiKind): Lifecycle | undefined {
  const row = byVersion.get(`${group}/${version}`);
  if (row === undefined) return undefined;
  const { introduced, deprecated, removed, replacedBy, kinds = {} } = row;
  return {
    introduced,
    ...(deprecated !== undefined && { deprecated }),
    ...(removed !== undefined && { removed }),
    ...(replacedBy !== undefined && { replacement: { ...replacedBy, kind } }),
    ...(Object.hasOwn(kinds, kind) && kinds[kind]),
  };
}

/** The release that brought a group version; undefined for those of others. */
export const introducedIn = (group: string, version: string): string | undefined =>
  byVersion.get(`${group}/${version}`)?.introduced;

/** Whether something that began in one release is there in another. */
export const hasBegun = (since: string | undefined, release: string = apiRelease): since is string =>
  since !== undefined && releasesFrom(since, release) >= 0;

/** Versions of the objects that webhooks receive: --runtime-config knows them, and nobody serves them. */
export const webhookVersions: readonly Pick<ApiKind, 'group' | 'version'>[] = [
  { group: 'admission', version: 'v1' },
  { group: 'admission', version: 'v1beta1' },
  { group: 'imagepolicy', version: 'v1alpha1' },
];

/**
 * Versions that earlier releases served and this one knows only by name. Naming one in --runtime-config is no mistake
 * (a configuration may be older than the server), but nothing comes of it.
 */
export const removedVersions: readonly Pick<ApiKind, 'group' | 'version'>[] = apiLifecycles.filter(
  ({ removed }) => hasBegun(removed),
);
