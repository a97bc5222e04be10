import { list } from '../../schema/collections.ts';
import { bool, int32, int64, string } from '../../schema/scalars.ts';
import { field, type Infer, inline, optional, struct } from '../../schema/struct.ts';
import { LabelSelector } from '../meta/label-selector.ts';
import { ObjectFieldSelector, ResourceFieldSelector } from './key-selector.ts';
import { LocalObjectReference } from './local-object-reference.ts';

export const KeyToPath = struct('core/v1.KeyToPath', {
  key: field(1, string, { required: true }),
  path: field(2, string, { required: true }),
  mode: field(3, optional(int32)),
});
export type KeyToPath = Infer<typeof KeyToPath>;

export const SecretVolumeSource = struct('core/v1.SecretVolumeSource', {
  secretName: field(1, string),
  items: field(2, list(KeyToPath, { type: 'atomic' })),
  defaultMode: field(3, optional(int32)),
  optional: field(4, optional(bool)),
});
export type SecretVolumeSource = Infer<typeof SecretVolumeSource>;

export const DownwardAPIVolumeFile = struct('core/v1.DownwardAPIVolumeFile', {
  path: field(1, string, { required: true }),
  fieldRef: field(2, optional(ObjectFieldSelector)),
  resourceFieldRef: field(3, optional(ResourceFieldSelector)),
  mode: field(4, optional(int32)),
});
export type DownwardAPIVolumeFile = Infer<typeof DownwardAPIVolumeFile>;

export const DownwardAPIVolumeSource = struct('core/v1.DownwardAPIVolumeSource', {
  items: field(1, list(DownwardAPIVolumeFile, { type: 'atomic' })),
  defaultMode: field(2, optional(int32)),
});
export type DownwardAPIVolumeSource = Infer<typeof DownwardAPIVolumeSource>;

export const ConfigMapVolumeSource = struct('core/v1.ConfigMapVolumeSource', {
  ...inline(1, LocalObjectReference),
  items: field(2, list(KeyToPath, { type: 'atomic' })),
  defaultMode: field(3, optional(int32)),
  optional: field(4, optional(bool)),
});
export type ConfigMapVolumeSource = Infer<typeof ConfigMapVolumeSource>;

export const SecretProjection = struct('core/v1.SecretProjection', {
  ...inline(1, LocalObjectReference),
  items: field(2, list(KeyToPath, { type: 'atomic' })),
  optional: field(4, optional(bool)),
});
export type SecretProjection = Infer<typeof SecretProjection>;

export const DownwardAPIProjection = struct('core/v1.DownwardAPIProjection', {
  items: field(1, list(DownwardAPIVolumeFile, { type: 'atomic' })),
});
export type DownwardAPIProjection = Infer<typeof DownwardAPIProjection>;

export const ConfigMapProjection = struct('core/v1.ConfigMapProjection', {
  ...inline(1, LocalObjectReference),
  items: field(2, list(KeyToPath, { type: 'atomic' })),
  optional: field(4, optional(bool)),
});
export type ConfigMapProjection = Infer<typeof ConfigMapProjection>;

export const ServiceAccountTokenProjection = struct('core/v1.ServiceAccountTokenProjection', {
  audience: field(1, string),
  expirationSeconds: field(2, optional(int64)),
  path: field(3, string, { required: true }),
});
export type ServiceAccountTokenProjection = Infer<typeof ServiceAccountTokenProjection>;

export const ClusterTrustBundleProjection = struct('core/v1.ClusterTrustBundleProjection', {
  name: field(1, optional(string)),
  signerName: field(2, optional(string)),
  labelSelector: field(3, optional(LabelSelector)),
  optional: field(5, optional(bool)),
  path: field(4, string, { required: true }),
});
export type ClusterTrustBundleProjection = Infer<typeof ClusterTrustBundleProjection>;

export const VolumeProjection = struct('core/v1.VolumeProjection', {
  secret: field(1, optional(SecretProjection)),
  downwardAPI: field(2, optional(DownwardAPIProjection)),
  configMap: field(3, optional(ConfigMapProjection)),
  serviceAccountToken: field(4, optional(ServiceAccountTokenProjection)),
  clusterTrustBundle: field(5, optional(ClusterTrustBundleProjection)),
});
export type VolumeProjection = Infer<typeof VolumeProjection>;

export const ProjectedVolumeSource = struct('core/v1.ProjectedVolumeSource', {
  sources: field(1, list(VolumeProjection, { type: 'atomic' }), { alwaysWritten: true }),
  defaultMode: field(2, optional(int32)),
});
export type ProjectedVolumeSource = Infer<typeof ProjectedVolumeSource>;
