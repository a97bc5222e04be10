import { list, mapOf } from '../../schema/collections.ts';
import { quantity } from '../../schema/quantity-type.ts';
import { bool, int32, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, inline, optional, struct } from '../../schema/struct.ts';
import {
  AWSElasticBlockStoreVolumeSource,
  AzureDiskVolumeSource,
  FCVolumeSource,
  FlockerVolumeSource,
  GCEPersistentDiskVolumeSource,
  GlusterfsVolumeSource,
  HostPathVolumeSource,
  NFSVolumeSource,
  PhotonPersistentDiskVolumeSource,
  PortworxVolumeSource,
  QuobyteVolumeSource,
  VsphereVirtualDiskVolumeSource,
} from './attached-volume-sources.ts';
import { LocalObjectReference } from './local-object-reference.ts';
import { PersistentVolumeClaimTemplate } from './persistentvolumeclaim.ts';
import {
  ConfigMapVolumeSource,
  DownwardAPIVolumeSource,
  ProjectedVolumeSource,
  SecretVolumeSource,
} from './projected-volume.ts';
import { pullPolicy } from './pull-policy.ts';

export const EmptyDirVolumeSource = struct('core/v1.EmptyDirVolumeSource', {
  medium: field(1, named('core/v1.StorageMedium', oneOf('', 'Memory', 'HugePages', 'HugePages-'))),
  sizeLimit: field(2, optional(quantity)),
});
export type EmptyDirVolumeSource = Infer<typeof EmptyDirVolumeSource>;

export const GitRepoVolumeSource = struct('core/v1.GitRepoVolumeSource', {
  repository: field(1, string, { required: true }),
  revision: field(2, string),
  directory: field(3, string),
});
export type GitRepoVolumeSource = Infer<typeof GitRepoVolumeSource>;

export const ISCSIVolumeSource = struct('core/v1.ISCSIVolumeSource', {
  targetPortal: field(1, string, { required: true }),
  iqn: field(2, string, { required: true }),
  lun: field(3, int32, { required: true }),
  iscsiInterface: field(4, string, { default: 'default' }),
  fsType: field(5, string),
  readOnly: field(6, bool),
  portals: field(7, list(string, { type: 'atomic' })),
  chapAuthDiscovery: field(8, bool),
  chapAuthSession: field(11, bool),
  secretRef: field(10, optional(LocalObjectReference)),
  initiatorName: field(12, optional(string)),
});
export type ISCSIVolumeSource = Infer<typeof ISCSIVolumeSource>;

export const PersistentVolumeClaimVolumeSource = struct('core/v1.PersistentVolumeClaimVolumeSource', {
  claimName: field(1, string, { required: true }),
  readOnly: field(2, bool),
});
export type PersistentVolumeClaimVolumeSource = Infer<typeof PersistentVolumeClaimVolumeSource>;

export const RBDVolumeSource = struct('core/v1.RBDVolumeSource', {
  monitors: field(1, list(string, { type: 'atomic' }), { required: true }),
  image: field(2, string, { required: true }),
  fsType: field(3, string),
  pool: field(4, string, { default: 'rbd' }),
  user: field(5, string, { default: 'admin' }),
  keyring: field(6, string, { default: '/etc/ceph/keyring' }),
  secretRef: field(7, optional(LocalObjectReference)),
  readOnly: field(8, bool),
});
export type RBDVolumeSource = Infer<typeof RBDVolumeSource>;

export const FlexVolumeSource = struct('core/v1.FlexVolumeSource', {
  driver: field(1, string, { required: true }),
  fsType: field(2, string),
  secretRef: field(3, optional(LocalObjectReference)),
  readOnly: field(4, bool),
  options: field(5, mapOf(string)),
});
export type FlexVolumeSource = Infer<typeof FlexVolumeSource>;

export const CinderVolumeSource = struct('core/v1.CinderVolumeSource', {
  volumeID: field(1, string, { required: true }),
  fsType: field(2, string),
  readOnly: field(3, bool),
  secretRef: field(4, optional(LocalObjectReference)),
});
export type CinderVolumeSource = Infer<typeof CinderVolumeSource>;

export const CephFSVolumeSource = struct('core/v1.CephFSVolumeSource', {
  monitors: field(1, list(string, { type: 'atomic' }), { required: true }),
  path: field(2, string),
  user: field(3, string),
  secretFile: field(4, string),
  secretRef: field(5, optional(LocalObjectReference)),
  readOnly: field(6, bool),
});
export type CephFSVolumeSource = Infer<typeof CephFSVolumeSource>;

export const AzureFileVolumeSource = struct('core/v1.AzureFileVolumeSource', {
  secretName: field(1, string, { required: true }),
  shareName: field(2, string, { required: true }),
  readOnly: field(3, bool),
});
export type AzureFileVolumeSource = Infer<typeof AzureFileVolumeSource>;

export const ScaleIOVolumeSource = struct('core/v1.ScaleIOVolumeSource', {
  gateway: field(1, string, { required: true }),
  system: field(2, string, { required: true }),
  secretRef: field(3, optional(LocalObjectReference), { required: true }),
  sslEnabled: field(4, bool),
  protectionDomain: field(5, string),
  storagePool: field(6, string),
  storageMode: field(7, string, { default: 'ThinProvisioned' }),
  volumeName: field(8, string),
  fsType: field(9, string, { default: 'xfs' }),
  readOnly: field(10, bool),
});
export type ScaleIOVolumeSource = Infer<typeof ScaleIOVolumeSource>;

export const StorageOSVolumeSource = struct('core/v1.StorageOSVolumeSource', {
  volumeName: field(1, string),
  volumeNamespace: field(2, string),
  fsType: field(3, string),
  readOnly: field(4, bool),
  secretRef: field(5, optional(LocalObjectReference)),
});
export type StorageOSVolumeSource = Infer<typeof StorageOSVolumeSource>;

export const CSIVolumeSource = struct('core/v1.CSIVolumeSource', {
  driver: field(1, string, { required: true }),
  readOnly: field(2, optional(bool)),
  fsType: field(3, optional(string)),
  volumeAttributes: field(4, mapOf(string)),
  nodePublishSecretRef: field(5, optional(LocalObjectReference)),
});
export type CSIVolumeSource = Infer<typeof CSIVolumeSource>;

export const EphemeralVolumeSource = struct('core/v1.EphemeralVolumeSource', {
  volumeClaimTemplate: field(1, optional(PersistentVolumeClaimTemplate)),
});
export type EphemeralVolumeSource = Infer<typeof EphemeralVolumeSource>;

export const ImageVolumeSource = struct('core/v1.ImageVolumeSource', {
  reference: field(1, string),
  pullPolicy: field(2, pullPolicy),
});
export type ImageVolumeSource = Infer<typeof ImageVolumeSource>;

export const VolumeSource = struct('core/v1.VolumeSource', {
  hostPath: field(1, optional(HostPathVolumeSource)),
  emptyDir: field(2, optional(EmptyDirVolumeSource)),
  gcePersistentDisk: field(3, optional(GCEPersistentDiskVolumeSource)),
  awsElasticBlockStore: field(4, optional(AWSElasticBlockStoreVolumeSource)),
  gitRepo: field(5, optional(GitRepoVolumeSource)),
  secret: field(6, optional(SecretVolumeSource)),
  nfs: field(7, optional(NFSVolumeSource)),
  iscsi: field(8, optional(ISCSIVolumeSource)),
  glusterfs: field(9, optional(GlusterfsVolumeSource)),
  persistentVolumeClaim: field(10, optional(PersistentVolumeClaimVolumeSource)),
  rbd: field(11, optional(RBDVolumeSource)),
  flexVolume: field(12, optional(FlexVolumeSource)),
  cinder: field(13, optional(CinderVolumeSource)),
  cephfs: field(14, optional(CephFSVolumeSource)),
  flocker: field(15, optional(FlockerVolumeSource)),
  downwardAPI: field(16, optional(DownwardAPIVolumeSource)),
  fc: field(17, optional(FCVolumeSource)),
  azureFile: field(18, optional(AzureFileVolumeSource)),
  configMap: field(19, optional(ConfigMapVolumeSource)),
  vsphereVolume: field(20, optional(VsphereVirtualDiskVolumeSource)),
  quobyte: field(21, optional(QuobyteVolumeSource)),
  azureDisk: field(22, optional(AzureDiskVolumeSource)),
  photonPersistentDisk: field(23, optional(PhotonPersistentDiskVolumeSource)),
  projected: field(26, optional(ProjectedVolumeSource)),
  portworxVolume: field(24, optional(PortworxVolumeSource)),
  scaleIO: field(25, optional(ScaleIOVolumeSource)),
  storageos: field(27, optional(StorageOSVolumeSource)),
  csi: field(28, optional(CSIVolumeSource)),
  ephemeral: field(29, optional(EphemeralVolumeSource)),
  image: field(30, optional(ImageVolumeSource)),
});
export type VolumeSource = Infer<typeof VolumeSource>;

export const Volume = struct('core/v1.Volume', {
  name: field(1, string, { required: true }),
  ...inline(2, VolumeSource),
});
export type Volume = Infer<typeof Volume>;
