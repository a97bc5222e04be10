// Secret, ConfigMap, downwardAPI and projected volumes: schemas.
import { LabelSelector } from '../../kind/meta/label-selector.ts';
import { list } from '../../schema/collections.ts';
import { bool, int32, int64, string } from '../../schema/scalars.ts';
import { field, type Infer, inline, optional, struct } from '../../schema/struct.ts';
import { ObjectFieldSelector, ResourceFieldSelector } from './key-selector.ts';
import { LocalObjectReference } from './local-object-reference.ts';

const defaultFileMode = 0o644;
const modeDoc =
  'Permission bits of the file: 0000 to 0777 octal, 0 to 511 decimal (JSON only knows decimal).';
const defaultModeDoc =
  'Permission bits of files that name none: 0000 to 0777 octal, 0 to 511 decimal (JSON only knows decimal). 0644 when left out.';
const pathDoc = 'Where the file is put, relative to the volume: no "..", neither as a step nor at the start.';
const itemsDoc =
  'Which keys become files, and where. Without any, every key becomes a file of its name. A key that is missing is an error unless the source is optional.';

export const KeyToPath = struct(
  'core/v1.KeyToPath',
  {
    key: field(1, string, { required: true, doc: 'The key whose value goes into the file.' }),
    path: field(2, string, { required: true, doc: pathDoc }),
    mode: field(3, optional(int32), { doc: modeDoc }),
  },
  { doc: 'A key and the file it becomes.' },
);
export type KeyToPath = Infer<typeof KeyToPath>;

export const SecretVolumeSource = struct(
  'core/v1.SecretVolumeSource',
  {
    secretName: field(1, string, { doc: 'A Secret in the namespace of the pod.' }),
    items: field(2, list(KeyToPath, { type: 'atomic' }), { doc: itemsDoc }),
    defaultMode: field(3, optional(int32), { default: defaultFileMode, doc: defaultModeDoc }),
    optional: field(4, optional(bool), { doc: 'The Secret or its keys may be missing.' }),
  },
  { doc: 'A Secret as files, kept in memory only.' },
);
export type SecretVolumeSource = Infer<typeof SecretVolumeSource>;

export const DownwardAPIVolumeFile = struct(
  'core/v1.DownwardAPIVolumeFile',
  {
    path: field(1, string, { required: true, doc: pathDoc }),
    fieldRef: field(2, optional(ObjectFieldSelector), {
      doc: 'A field of the pod: its name, namespace, uid, labels or annotations. Exclusive with resourceFieldRef.',
    }),
    resourceFieldRef: field(3, optional(ResourceFieldSelector), {
      doc: 'What a container asks for or is limited to (cpu, memory, ephemeral storage, huge pages). Exclusive with fieldRef.',
    }),
    mode: field(4, optional(int32), { doc: modeDoc }),
  },
  { doc: 'A file that says something about the pod.' },
);
export type DownwardAPIVolumeFile = Infer<typeof DownwardAPIVolumeFile>;

export const DownwardAPIVolumeSource = struct(
  'core/v1.DownwardAPIVolumeSource',
  {
    items: field(1, list(DownwardAPIVolumeFile, { type: 'atomic' }), { doc: 'The files.' }),
    defaultMode: field(2, optional(int32), { default: defaultFileMode, doc: defaultModeDoc }),
  },
  { doc: 'Facts about the pod itself as files.' },
);
export type DownwardAPIVolumeSource = Infer<typeof DownwardAPIVolumeSource>;

export const ConfigMapVolumeSource = struct(
  'core/v1.ConfigMapVolumeSource',
  {
    ...inline(1, LocalObjectReference),
    items: field(2, list(KeyToPath, { type: 'atomic' }), { doc: itemsDoc }),
    defaultMode: field(3, optional(int32), { default: defaultFileMode, doc: defaultModeDoc }),
    optional: field(4, optional(bool), { doc: 'The ConfigMap or its keys may be missing.' }),
  },
  { doc: 'A ConfigMap as files.' },
);
export type ConfigMapVolumeSource = Infer<typeof ConfigMapVolumeSource>;

const SecretProjection = struct(
  'core/v1.SecretProjection',
  {
    ...inline(1, LocalObjectReference),
    items: field(2, list(KeyToPath, { type: 'atomic' }), { doc: itemsDoc }),
    optional: field(4, optional(bool), { doc: 'The Secret or its keys may be missing.' }),
  },
  { doc: 'A Secret as files of a projected volume.' },
);

const DownwardAPIProjection = struct(
  'core/v1.DownwardAPIProjection',
  { items: field(1, list(DownwardAPIVolumeFile, { type: 'atomic' }), { doc: 'The files.' }) },
  { doc: 'Facts about the pod itself as files of a projected volume.' },
);

const ConfigMapProjection = struct(
  'core/v1.ConfigMapProjection',
  {
    ...inline(1, LocalObjectReference),
    items: field(2, list(KeyToPath, { type: 'atomic' }), { doc: itemsDoc }),
    optional: field(4, optional(bool), { doc: 'The ConfigMap or its keys may be missing.' }),
  },
  { doc: 'A ConfigMap as files of a projected volume.' },
);

export const ServiceAccountTokenProjection = struct(
  'core/v1.ServiceAccountTokenProjection',
  {
    audience: field(1, string, {
      doc: 'Whom the token is for, who must find itself in it. The API server itself when left out.',
    }),
    expirationSeconds: field(2, optional(int64), {
      default: 60 * 60,
      doc: 'How long a token is wanted to be valid: an hour when left out, ten minutes at least. It is replaced after 80 % of that time, or 24 hours.',
    }),
    path: field(3, string, { required: true, doc: pathDoc }),
  },
  { doc: "A token of the pod's service account, kept fresh." },
);
export type ServiceAccountTokenProjection = Infer<typeof ServiceAccountTokenProjection>;

export const ClusterTrustBundleProjection = struct(
  'core/v1.ClusterTrustBundleProjection',
  {
    name: field(1, optional(string), {
      doc: 'One ClusterTrustBundle. Exclusive with signerName and labelSelector.',
    }),
    signerName: field(2, optional(string), { doc: 'All bundles of this signer. Exclusive with name.' }),
    labelSelector: field(3, optional(LabelSelector), {
      doc: 'Which bundles of the signer: none when left out, all when empty. Only with signerName.',
    }),
    optional: field(5, optional(bool), {
      doc: 'The bundle may be missing, or nothing be selected; the file is then empty.',
    }),
    path: field(4, string, { required: true, doc: pathDoc }),
  },
  {
    doc: 'Certificates of ClusterTrustBundles in one file: merged, without duplicates, in an order that may change. Needs the feature ClusterTrustBundleProjection.',
  },
);
export type ClusterTrustBundleProjection = Infer<typeof ClusterTrustBundleProjection>;

export const VolumeProjection = struct(
  'core/v1.VolumeProjection',
  {
    secret: field(1, optional(SecretProjection), { doc: 'Keys of a Secret.' }),
    downwardAPI: field(2, optional(DownwardAPIProjection), { doc: 'Facts about the pod.' }),
    configMap: field(3, optional(ConfigMapProjection), { doc: 'Keys of a ConfigMap.' }),
    serviceAccountToken: field(4, optional(ServiceAccountTokenProjection), {
      doc: "A token of the pod's service account.",
    }),
    clusterTrustBundle: field(5, optional(ClusterTrustBundleProjection), {
      doc: 'Certificates that the cluster trusts.',
    }),
  },
  { doc: 'One source of a projected volume: exactly one of its fields is set.' },
);
export type VolumeProjection = Infer<typeof VolumeProjection>;

export const ProjectedVolumeSource = struct(
  'core/v1.ProjectedVolumeSource',
  {
    sources: field(1, list(VolumeProjection, { type: 'atomic' }), {
      alwaysWritten: true,
      doc: 'What the volume is made of.',
    }),
    defaultMode: field(2, optional(int32), { default: defaultFileMode, doc: defaultModeDoc }),
  },
  { doc: 'Files from several sources in one volume.' },
);
export type ProjectedVolumeSource = Infer<typeof ProjectedVolumeSource>;
