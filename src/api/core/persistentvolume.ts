import { list, mapOf } from '../../schema/collections.ts';
import { bool, int32, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, inline, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';
import type { KindContext } from '../context.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy, statusOf } from '../plain-strategy.ts';
import { resource } from '../resource.ts';
import {
  AWSElasticBlockStoreVolumeSource,
  AzureDiskVolumeSource,
  FCVolumeSource,
  FlockerVolumeSource,
  GCEPersistentDiskVolumeSource,
  HostPathVolumeSource,
  NFSVolumeSource,
  PhotonPersistentDiskVolumeSource,
  PortworxVolumeSource,
  QuobyteVolumeSource,
  VsphereVirtualDiskVolumeSource,
} from './attached-volume-sources.ts';
import { SecretReference } from './local-object-reference.ts';
import { NodeSelector } from './node-selector.ts';
import { ObjectReference } from './object-reference.ts';
import { resourceList } from './resource-list.ts';
import {
  persistentVolumeAccessMode,
  persistentVolumeMode,
  persistentVolumeReclaimPolicy,
} from './volume-modes.ts';

export const GlusterfsPersistentVolumeSource = struct('core/v1.GlusterfsPersistentVolumeSource', {
  endpoints: field(1, string, { required: true }),
  path: field(2, string, { required: true }),
  readOnly: field(3, bool),
  endpointsNamespace: field(4, optional(string)),
});
export type GlusterfsPersistentVolumeSource = Infer<typeof GlusterfsPersistentVolumeSource>;

export const RBDPersistentVolumeSource = struct('core/v1.RBDPersistentVolumeSource', {
  monitors: field(1, list(string, { type: 'atomic' }), { required: true }),
  image: field(2, string, { required: true }),
  fsType: field(3, string),
  pool: field(4, string, { default: 'rbd', announced: true }),
  user: field(5, string, { default: 'admin', announced: true }),
  keyring: field(6, string, { default: '/etc/ceph/keyring', announced: true }),
  secretRef: field(7, optional(SecretReference)),
  readOnly: field(8, bool),
});
export type RBDPersistentVolumeSource = Infer<typeof RBDPersistentVolumeSource>;

export const ISCSIPersistentVolumeSource = struct('core/v1.ISCSIPersistentVolumeSource', {
  targetPortal: field(1, string, { required: true }),
  iqn: field(2, string, { required: true }),
  lun: field(3, int32, { required: true }),
  iscsiInterface: field(4, string, { default: 'default', announced: true }),
  fsType: field(5, string),
  readOnly: field(6, bool),
  portals: field(7, list(string, { type: 'atomic' })),
  chapAuthDiscovery: field(8, bool),
  chapAuthSession: field(11, bool),
  secretRef: field(10, optional(SecretReference)),
  initiatorName: field(12, optional(string)),
});
export type ISCSIPersistentVolumeSource = Infer<typeof ISCSIPersistentVolumeSource>;

export const CinderPersistentVolumeSource = struct('core/v1.CinderPersistentVolumeSource', {
  volumeID: field(1, string, { required: true }),
  fsType: field(2, string),
  readOnly: field(3, bool),
  secretRef: field(4, optional(SecretReference)),
});
export type CinderPersistentVolumeSource = Infer<typeof CinderPersistentVolumeSource>;

export const CephFSPersistentVolumeSource = struct('core/v1.CephFSPersistentVolumeSource', {
  monitors: field(1, list(string, { type: 'atomic' }), { required: true }),
  path: field(2, string),
  user: field(3, string),
  secretFile: field(4, string),
  secretRef: field(5, optional(SecretReference)),
  readOnly: field(6, bool),
});
export type CephFSPersistentVolumeSource = Infer<typeof CephFSPersistentVolumeSource>;

export const FlexPersistentVolumeSource = struct('core/v1.FlexPersistentVolumeSource', {
  driver: field(1, string, { required: true }),
  fsType: field(2, string),
  secretRef: field(3, optional(SecretReference)),
  readOnly: field(4, bool),
  options: field(5, mapOf(string)),
});
export type FlexPersistentVolumeSource = Infer<typeof FlexPersistentVolumeSource>;

export const AzureFilePersistentVolumeSource = struct('core/v1.AzureFilePersistentVolumeSource', {
  secretName: field(1, string, { required: true }),
  shareName: field(2, string, { required: true }),
  readOnly: field(3, bool),
  secretNamespace: field(4, optional(string), { alwaysWritten: true }),
});
export type AzureFilePersistentVolumeSource = Infer<typeof AzureFilePersistentVolumeSource>;

export const ScaleIOPersistentVolumeSource = struct('core/v1.ScaleIOPersistentVolumeSource', {
  gateway: field(1, string, { required: true }),
  system: field(2, string, { required: true }),
  secretRef: field(3, optional(SecretReference), { required: true }),
  sslEnabled: field(4, bool),
  protectionDomain: field(5, string),
  storagePool: field(6, string),
  storageMode: field(7, string, { default: 'ThinProvisioned', announced: true }),
  volumeName: field(8, string),
  fsType: field(9, string, { default: 'xfs', announced: true }),
  readOnly: field(10, bool),
});
export type ScaleIOPersistentVolumeSource = Infer<typeof ScaleIOPersistentVolumeSource>;

export const LocalVolumeSource = struct('core/v1.LocalVolumeSource', {
  path: field(1, string, { required: true }),
  fsType: field(2, optional(string)),
});
export type LocalVolumeSource = Infer<typeof LocalVolumeSource>;

export const StorageOSPersistentVolumeSource = struct('core/v1.StorageOSPersistentVolumeSource', {
  volumeName: field(1, string),
  volumeNamespace: field(2, string),
  fsType: field(3, string),
  readOnly: field(4, bool),
  secretRef: field(5, optional(ObjectReference)),
});
export type StorageOSPersistentVolumeSource = Infer<typeof StorageOSPersistentVolumeSource>;

export const CSIPersistentVolumeSource = struct('core/v1.CSIPersistentVolumeSource', {
  driver: field(1, string, { required: true }),
  volumeHandle: field(2, string, { required: true }),
  readOnly: field(3, bool),
  fsType: field(4, string),
  volumeAttributes: field(5, mapOf(string)),
  controllerPublishSecretRef: field(6, optional(SecretReference)),
  nodeStageSecretRef: field(7, optional(SecretReference)),
  nodePublishSecretRef: field(8, optional(SecretReference)),
  controllerExpandSecretRef: field(9, optional(SecretReference)),
  nodeExpandSecretRef: field(10, optional(SecretReference)),
});
export type CSIPersistentVolumeSource = Infer<typeof CSIPersistentVolumeSource>;

export const PersistentVolumeSource = struct('core/v1.PersistentVolumeSource', {
  gcePersistentDisk: field(1, optional(GCEPersistentDiskVolumeSource)),
  awsElasticBlockStore: field(2, optional(AWSElasticBlockStoreVolumeSource)),
  hostPath: field(3, optional(HostPathVolumeSource)),
  glusterfs: field(4, optional(GlusterfsPersistentVolumeSource)),
  nfs: field(5, optional(NFSVolumeSource)),
  rbd: field(6, optional(RBDPersistentVolumeSource)),
  iscsi: field(7, optional(ISCSIPersistentVolumeSource)),
  cinder: field(8, optional(CinderPersistentVolumeSource)),
  cephfs: field(9, optional(CephFSPersistentVolumeSource)),
  fc: field(10, optional(FCVolumeSource)),
  flocker: field(11, optional(FlockerVolumeSource)),
  flexVolume: field(12, optional(FlexPersistentVolumeSource)),
  azureFile: field(13, optional(AzureFilePersistentVolumeSource)),
  vsphereVolume: field(14, optional(VsphereVirtualDiskVolumeSource)),
  quobyte: field(15, optional(QuobyteVolumeSource)),
  azureDisk: field(16, optional(AzureDiskVolumeSource)),
  photonPersistentDisk: field(17, optional(PhotonPersistentDiskVolumeSource)),
  portworxVolume: field(18, optional(PortworxVolumeSource)),
  scaleIO: field(19, optional(ScaleIOPersistentVolumeSource)),
  local: field(20, optional(LocalVolumeSource)),
  storageos: field(21, optional(StorageOSPersistentVolumeSource)),
  csi: field(22, optional(CSIPersistentVolumeSource)),
});
export type PersistentVolumeSource = Infer<typeof PersistentVolumeSource>;

export const VolumeNodeAffinity = struct('core/v1.VolumeNodeAffinity', {
  required: field(1, optional(NodeSelector)),
});
export type VolumeNodeAffinity = Infer<typeof VolumeNodeAffinity>;

export const PersistentVolumeSpec = struct('core/v1.PersistentVolumeSpec', {
  capacity: field(1, resourceList),
  ...inline(2, PersistentVolumeSource),
  accessModes: field(3, list(persistentVolumeAccessMode, { type: 'atomic' })),
  claimRef: field(4, optional(ObjectReference), { mapType: 'granular' }),
  persistentVolumeReclaimPolicy: field(5, persistentVolumeReclaimPolicy),
  storageClassName: field(6, string),
  mountOptions: field(7, list(string, { type: 'atomic' })),
  volumeMode: field(8, optional(persistentVolumeMode)),
  nodeAffinity: field(9, optional(VolumeNodeAffinity)),
  volumeAttributesClassName: field(10, optional(string)),
});
export type PersistentVolumeSpec = Infer<typeof PersistentVolumeSpec>;

export const PersistentVolumeStatus = struct('core/v1.PersistentVolumeStatus', {
  phase: field(
    1,
    named('core/v1.PersistentVolumePhase', oneOf('Pending', 'Available', 'Bound', 'Released', 'Failed')),
  ),
  message: field(2, string),
  reason: field(3, string),
  lastPhaseTransitionTime: field(4, optional(time)),
});
export type PersistentVolumeStatus = Infer<typeof PersistentVolumeStatus>;

export const PersistentVolume = kind(
  'core/v1.PersistentVolume',
  {
    spec: field(2, PersistentVolumeSpec),
    status: field(3, PersistentVolumeStatus),
  },
  { doc: '' },
);
export type PersistentVolume = Infer<typeof PersistentVolume>;

export const persistentvolumes = (context: KindContext) =>
  resource<PersistentVolume>({
    group: '',
    version: 'v1',
    kind: 'PersistentVolume',
    plural: 'persistentvolumes',
    shortNames: ['pv'],
    namespaced: false,
    schema: PersistentVolume,
    strategy: plainStrategy(context, PersistentVolume),
    subresources: { status: statusOf(context, PersistentVolume) },
  });
