// Secret, ConfigMap, downwardAPI and projected volumes: schemas.
import { LabelSelector } from '../../kind/meta/label-selector.ts';
import { list } from '../../schema/collections.ts';
import { bool, int32, int64, string } from '../../schema/scalars.ts';
import { field, type Infer, inline, optional, struct } from '../../schema/struct.ts';
import { ObjectFieldSelector, ResourceFieldSelector } from './key-selector.ts';
import { LocalObjectReference } from './local-object-reference.ts';

const defaultFileMode = 0o644;
const modeDoc = 'Mode bits of the file: 0000 to 0777 octal, 0 to 511 decimal (JSON has only decimal).';
const defaultModeDoc =
  'Mode bits of files without a mode: 0000 to 0777 octal, 0 to 511 decimal (JSON has only decimal). Defaults to 0644.';
const pathDoc =
  'The path of the file, relative to the volume. Must not contain the element ".." or start with "..".';
const itemsDoc =
  'The keys to project and their paths. If empty, every key becomes a file of that name. A missing key is an error unless the source is optional.';

export const KeyToPath = struct(
  'core/v1.KeyToPath',
  {
    key: field(1, string, { required: true, doc: 'The key to project.' }),
    path: field(2, string, { required: true, doc: pathDoc }),
    mode: field(3, optional(int32), { doc: modeDoc }),
  },
  { doc: 'Maps a key to a path in a volume.' },
);
export type KeyToPath = Infer<typeof KeyToPath>;

export const SecretVolumeSource = struct(
  'core/v1.SecretVolumeSource',
  {
    secretName: field(1, string, { doc: 'The name of a Secret in the namespace of the pod.' }),
    items: field(2, list(KeyToPath, { type: 'atomic' }), { doc: itemsDoc }),
    defaultMode: field(3, optional(int32), { default: defaultFileMode, doc: defaultModeDoc }),
    optional: field(4, optional(bool), { doc: 'Whether the Secret or its keys may be missing.' }),
  },
  { doc: 'Projects the entries of a Secret as files, in memory only.' },
);
export type SecretVolumeSource = Infer<typeof SecretVolumeSource>;

export const DownwardAPIVolumeFile = struct(
  'core/v1.DownwardAPIVolumeFile',
  {
    path: field(1, string, { required: true, doc: pathDoc }),
    fieldRef: field(2, optional(ObjectFieldSelector), {
      doc: 'A field of the pod: its name, namespace, uid, labels or annotations. Mutually exclusive with resourceFieldRef.',
    }),
    resourceFieldRef: field(3, optional(ResourceFieldSelector), {
      doc: 'A resource request or limit of a container (cpu, memory, ephemeral-storage, hugepages). Mutually exclusive with fieldRef.',
    }),
    mode: field(4, optional(int32), { doc: modeDoc }),
  },
  { doc: 'A file with the value of a field of the pod.' },
);
export type DownwardAPIVolumeFile = Infer<typeof DownwardAPIVolumeFile>;

export const DownwardAPIVolumeSource = struct(
  'core/v1.DownwardAPIVolumeSource',
  {
    items: field(1, list(DownwardAPIVolumeFile, { type: 'atomic' }), { doc: 'The files of the volume.' }),
    defaultMode: field(2, optional(int32), { default: defaultFileMode, doc: defaultModeDoc }),
  },
  { doc: 'Projects fields of the pod as files (downward API).' },
);
export type DownwardAPIVolumeSource = Infer<typeof DownwardAPIVolumeSource>;

export const ConfigMapVolumeSource = struct(
  'core/v1.ConfigMapVolumeSource',
  {
    ...inline(1, LocalObjectReference),
    items: field(2, list(KeyToPath, { type: 'atomic' }), { doc: itemsDoc }),
    defaultMode: field(3, optional(int32), { default: defaultFileMode, doc: defaultModeDoc }),
    optional: field(4, optional(bool), { doc: 'Whether the ConfigMap or its keys may be missing.' }),
  },
  { doc: 'Projects the entries of a ConfigMap as files.' },
);
export type ConfigMapVolumeSource = Infer<typeof ConfigMapVolumeSource>;

const SecretProjection = struct(
  'core/v1.SecretProjection',
  {
    ...inline(1, LocalObjectReference),
    items: field(2, list(KeyToPath, { type: 'atomic' }), { doc: itemsDoc }),
    optional: field(4, optional(bool), { doc: 'Whether the Secret or its keys may be missing.' }),
  },
  { doc: 'A Secret as a source of a projected volume.' },
);

const DownwardAPIProjection = struct(
  'core/v1.DownwardAPIProjection',
  {
    items: field(1, list(DownwardAPIVolumeFile, { type: 'atomic' }), { doc: 'The files of the projection.' }),
  },
  { doc: 'The downward API as a source of a projected volume.' },
);

const ConfigMapProjection = struct(
  'core/v1.ConfigMapProjection',
  {
    ...inline(1, LocalObjectReference),
    items: field(2, list(KeyToPath, { type: 'atomic' }), { doc: itemsDoc }),
    optional: field(4, optional(bool), { doc: 'Whether the ConfigMap or its keys may be missing.' }),
  },
  { doc: 'A ConfigMap as a source of a projected volume.' },
);

export const ServiceAccountTokenProjection = struct(
  'core/v1.ServiceAccountTokenProjection',
  {
    audience: field(1, string, {
      doc: 'The intended audience of the token. Recipients must verify that they are in it. Defaults to the API server.',
    }),
    expirationSeconds: field(2, optional(int64), {
      default: 60 * 60,
      doc: 'The requested lifetime of the token: 3600 by default, at least 600. The kubelet renews the token after 80 % of its lifetime or 24 hours.',
    }),
    path: field(3, string, { required: true, doc: pathDoc }),
  },
  { doc: 'A service account token as a source of a projected volume. The kubelet renews it.' },
);
export type ServiceAccountTokenProjection = Infer<typeof ServiceAccountTokenProjection>;

export const ClusterTrustBundleProjection = struct(
  'core/v1.ClusterTrustBundleProjection',
  {
    name: field(1, optional(string), {
      doc: 'The name of a ClusterTrustBundle. Mutually exclusive with signerName and labelSelector.',
    }),
    signerName: field(2, optional(string), {
      doc: 'Selects all ClusterTrustBundles of this signer. Mutually exclusive with name.',
    }),
    labelSelector: field(3, optional(LabelSelector), {
      doc: 'Selects bundles of the signer by label. Absent: none. Empty: all. Requires signerName.',
    }),
    optional: field(5, optional(bool), {
      doc: 'Whether the bundle may be missing, or the selector may match nothing. The file is then empty.',
    }),
    path: field(4, string, { required: true, doc: pathDoc }),
  },
  {
    doc: 'The certificates of ClusterTrustBundles as one file, deduplicated and in arbitrary order. Requires the feature gate ClusterTrustBundleProjection.',
  },
);
export type ClusterTrustBundleProjection = Infer<typeof ClusterTrustBundleProjection>;

export const VolumeProjection = struct(
  'core/v1.VolumeProjection',
  {
    secret: field(1, optional(SecretProjection), { doc: 'Entries of a Secret.' }),
    downwardAPI: field(2, optional(DownwardAPIProjection), { doc: 'Fields of the pod.' }),
    configMap: field(3, optional(ConfigMapProjection), { doc: 'Entries of a ConfigMap.' }),
    serviceAccountToken: field(4, optional(ServiceAccountTokenProjection), {
      doc: 'A service account token of the pod.',
    }),
    clusterTrustBundle: field(5, optional(ClusterTrustBundleProjection), {
      doc: 'Certificates of ClusterTrustBundles.',
    }),
  },
  { doc: 'A source of a projected volume: exactly one of the fields is set.' },
);
export type VolumeProjection = Infer<typeof VolumeProjection>;

export const ProjectedVolumeSource = struct(
  'core/v1.ProjectedVolumeSource',
  {
    sources: field(1, list(VolumeProjection, { type: 'atomic' }), {
      omitEmpty: false,
      doc: 'The sources of the volume.',
    }),
    defaultMode: field(2, optional(int32), { default: defaultFileMode, doc: defaultModeDoc }),
  },
  { doc: 'Projects several sources into one directory.' },
);
export type ProjectedVolumeSource = Infer<typeof ProjectedVolumeSource>;
