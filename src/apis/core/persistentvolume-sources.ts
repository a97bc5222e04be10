// Volume sources of PersistentVolumes, where they differ from those of pods: schemas.
import { list, mapOf } from '../../schema/collections.ts';
import { bool, int32, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import {
  AWSElasticBlockStoreVolumeSource,
  AzureDiskVolumeSource,
  FCVolumeSource,
  FlockerVolumeSource,
  fsTypeDoc,
  GCEPersistentDiskVolumeSource,
  HostPathVolumeSource,
  NFSVolumeSource,
  PhotonPersistentDiskVolumeSource,
  PortworxVolumeSource,
  QuobyteVolumeSource,
  readOnlyDoc,
  VsphereVirtualDiskVolumeSource,
} from './attached-volume-sources.ts';
import { SecretReference } from './local-object-reference.ts';
import { ObjectReference } from './object-reference.ts';

// These sources use a SecretReference: a PersistentVolume is cluster-scoped, so its Secrets need a namespace.

export const GlusterfsPersistentVolumeSource = struct(
  'core/v1.GlusterfsPersistentVolumeSource',
  {
    endpoints: field(1, string, {
      required: true,
      doc: 'The name of the Endpoints that list the Gluster servers.',
    }),
    path: field(2, string, { required: true, doc: 'The path of the Glusterfs volume.' }),
    readOnly: field(3, bool, { doc: readOnlyDoc }),
    endpointsNamespace: field(4, optional(string), {
      doc: 'The namespace of the Endpoints. Defaults to that of the bound claim.',
    }),
  },
  { doc: 'A Glusterfs volume. Deprecated: no longer supported by nodes.' },
);
export type GlusterfsPersistentVolumeSource = Infer<typeof GlusterfsPersistentVolumeSource>;

const RBDPersistentVolumeSource = struct(
  'core/v1.RBDPersistentVolumeSource',
  {
    monitors: field(1, list(string, { type: 'atomic' }), {
      required: true,
      doc: 'The addresses of the Ceph monitors.',
    }),
    image: field(2, string, { required: true, doc: 'The name of the RBD image.' }),
    fsType: field(3, string, { doc: fsTypeDoc }),
    pool: field(4, string, { default: 'rbd', isDefaultPublished: true, doc: 'The RBD pool of the image.' }),
    user: field(5, string, { default: 'admin', isDefaultPublished: true, doc: 'The RADOS user name.' }),
    keyring: field(6, string, {
      default: '/etc/ceph/keyring',
      isDefaultPublished: true,
      doc: 'The path of the keyring of the RADOS user.',
    }),
    secretRef: field(7, optional(SecretReference), {
      doc: "The Secret with the user's key. Overrides keyring.",
    }),
    readOnly: field(8, bool, { doc: readOnlyDoc }),
  },
  { doc: 'A RADOS block device (Ceph RBD). Deprecated: no longer supported by nodes.' },
);

export const ISCSIPersistentVolumeSource = struct(
  'core/v1.ISCSIPersistentVolumeSource',
  {
    targetPortal: field(1, string, {
      required: true,
      doc: 'The address of the iSCSI target portal, with the port if it is not 860 or 3260.',
    }),
    iqn: field(2, string, {
      required: true,
      doc: 'The iSCSI qualified name of the target (iqn., eui. or naa.).',
    }),
    lun: field(3, int32, { required: true, doc: 'The logical unit number (LUN) of the target, 0 to 255.' }),
    iscsiInterface: field(4, string, {
      default: 'default',
      isDefaultPublished: true,
      doc: 'The iSCSI interface. `default` is TCP.',
    }),
    fsType: field(5, string, { doc: fsTypeDoc }),
    readOnly: field(6, bool, { doc: readOnlyDoc }),
    portals: field(7, list(string, { type: 'atomic' }), { doc: 'Further portals of the same target.' }),
    chapAuthDiscovery: field(8, bool, { doc: 'Uses CHAP authentication for discovery; requires secretRef.' }),
    chapAuthSession: field(11, bool, { doc: 'Uses CHAP authentication for sessions; requires secretRef.' }),
    secretRef: field(10, optional(SecretReference), { doc: 'The Secret with the CHAP credentials.' }),
    initiatorName: field(12, optional(string), { doc: 'The iSCSI initiator name.' }),
  },
  { doc: 'An iSCSI disk.' },
);
export type ISCSIPersistentVolumeSource = Infer<typeof ISCSIPersistentVolumeSource>;

const CinderPersistentVolumeSource = struct(
  'core/v1.CinderPersistentVolumeSource',
  {
    volumeID: field(1, string, { required: true, doc: 'The id of the Cinder volume.' }),
    fsType: field(2, string, { doc: fsTypeDoc }),
    readOnly: field(3, bool, { doc: readOnlyDoc }),
    secretRef: field(4, optional(SecretReference), {
      doc: 'The Secret with the OpenStack credentials.',
    }),
  },
  { doc: 'An OpenStack Cinder volume. Deprecated: replaced by a CSI driver.' },
);

const CephFSPersistentVolumeSource = struct(
  'core/v1.CephFSPersistentVolumeSource',
  {
    monitors: field(1, list(string, { type: 'atomic' }), {
      required: true,
      doc: 'The addresses of the Ceph monitors.',
    }),
    path: field(2, string, { doc: 'The directory to mount. Defaults to the root of the file system.' }),
    user: field(3, string, { doc: 'The RADOS user name. Defaults to admin.' }),
    secretFile: field(4, string, { doc: 'The path of the keyring of the user.' }),
    secretRef: field(5, optional(SecretReference), {
      doc: "The Secret with the user's key. Overrides secretFile.",
    }),
    readOnly: field(6, bool, { doc: readOnlyDoc }),
  },
  { doc: 'A Ceph file system. Deprecated: no longer supported by nodes.' },
);

const FlexPersistentVolumeSource = struct(
  'core/v1.FlexPersistentVolumeSource',
  {
    driver: field(1, string, { required: true, doc: 'The name of the FlexVolume driver.' }),
    fsType: field(2, string, { doc: "The file system type of the volume. Defaults to the driver's choice." }),
    secretRef: field(3, optional(SecretReference), { doc: 'The Secret that is passed to the driver.' }),
    readOnly: field(4, bool, { doc: readOnlyDoc }),
    options: field(5, mapOf(string), {
      doc: "Driver-specific options. Keys under the service's own domains are reserved.",
    }),
  },
  { doc: 'A volume of an exec-based FlexVolume driver on the node. Deprecated in favour of CSI.' },
);

export const AzureFilePersistentVolumeSource = struct(
  'core/v1.AzureFilePersistentVolumeSource',
  {
    secretName: field(1, string, {
      required: true,
      doc: 'The Secret with the name and key of the Azure storage account.',
    }),
    shareName: field(2, string, { required: true, doc: 'The name of the Azure file share.' }),
    readOnly: field(3, bool, { doc: readOnlyDoc }),
    secretNamespace: field(4, optional(string), {
      omitEmpty: false,
      doc: 'The namespace of the Secret. Defaults to that of the bound claim.',
    }),
  },
  { doc: 'An Azure file share. Deprecated: replaced by a CSI driver.' },
);
export type AzureFilePersistentVolumeSource = Infer<typeof AzureFilePersistentVolumeSource>;

const ScaleIOPersistentVolumeSource = struct(
  'core/v1.ScaleIOPersistentVolumeSource',
  {
    gateway: field(1, string, { required: true, doc: 'The address of the ScaleIO API gateway.' }),
    system: field(2, string, { required: true, doc: 'The name of the ScaleIO storage system.' }),
    secretRef: field(3, optional(SecretReference), {
      required: true,
      doc: 'The Secret with the ScaleIO credentials.',
    }),
    sslEnabled: field(4, bool, { doc: 'Uses TLS for the gateway.' }),
    protectionDomain: field(5, string, { doc: 'The ScaleIO protection domain of the volume.' }),
    storagePool: field(6, string, { doc: 'The storage pool of the protection domain.' }),
    storageMode: field(7, string, {
      default: 'ThinProvisioned',
      isDefaultPublished: true,
      doc: 'The storage mode: ThinProvisioned or ThickProvisioned.',
    }),
    volumeName: field(8, string, { doc: 'The name of an existing ScaleIO volume.' }),
    fsType: field(9, string, {
      default: 'xfs',
      isDefaultPublished: true,
      doc: 'The file system type of the volume. Defaults to xfs.',
    }),
    readOnly: field(10, bool, { doc: readOnlyDoc }),
  },
  { doc: 'A ScaleIO volume. Deprecated: no longer supported by nodes.' },
);

export const LocalVolumeSource = struct(
  'core/v1.LocalVolumeSource',
  {
    path: field(1, string, {
      required: true,
      doc: 'The path of a directory or block device on the node, without "..".',
    }),
    fsType: field(2, optional(string), {
      doc: 'The file system type of a block device. Detected if absent.',
    }),
  },
  {
    doc: 'A disk, partition or directory of one node. The PersistentVolume must have a node affinity for that node.',
  },
);
export type LocalVolumeSource = Infer<typeof LocalVolumeSource>;

const StorageOSPersistentVolumeSource = struct(
  'core/v1.StorageOSPersistentVolumeSource',
  {
    volumeName: field(1, string, {
      doc: 'The name of the StorageOS volume, unique in its StorageOS namespace.',
    }),
    volumeNamespace: field(2, string, {
      doc: 'The StorageOS namespace of the volume. Defaults to the namespace of the claim.',
    }),
    fsType: field(3, string, { doc: fsTypeDoc }),
    readOnly: field(4, bool, { doc: readOnlyDoc }),
    secretRef: field(5, optional(ObjectReference), { doc: 'The Secret with the StorageOS credentials.' }),
  },
  { doc: 'A StorageOS volume. Deprecated: no longer supported by nodes.' },
);

export const CSIPersistentVolumeSource = struct(
  'core/v1.CSIPersistentVolumeSource',
  {
    driver: field(1, string, { required: true, doc: 'The name of the CSI driver.' }),
    volumeHandle: field(2, string, { required: true, doc: 'The id of the volume at the CSI driver.' }),
    readOnly: field(3, bool, { doc: readOnlyDoc }),
    fsType: field(4, string, { doc: 'The file system type of the volume.' }),
    volumeAttributes: field(5, mapOf(string), { doc: 'Driver-specific attributes of the volume.' }),
    controllerPublishSecretRef: field(6, optional(SecretReference), {
      doc: 'The Secret for the CSI calls ControllerPublishVolume and ControllerUnpublishVolume.',
    }),
    nodeStageSecretRef: field(7, optional(SecretReference), {
      doc: 'The Secret for the CSI calls NodeStageVolume and NodeUnstageVolume.',
    }),
    nodePublishSecretRef: field(8, optional(SecretReference), {
      doc: 'The Secret for the CSI calls NodePublishVolume and NodeUnpublishVolume.',
    }),
    controllerExpandSecretRef: field(9, optional(SecretReference), {
      doc: 'The Secret for the CSI call ControllerExpandVolume. It may be added later.',
    }),
    nodeExpandSecretRef: field(10, optional(SecretReference), {
      doc: 'The Secret for the CSI call NodeExpandVolume.',
    }),
  },
  { doc: 'A volume of a CSI driver.' },
);
export type CSIPersistentVolumeSource = Infer<typeof CSIPersistentVolumeSource>;

export const PersistentVolumeSource = struct(
  'core/v1.PersistentVolumeSource',
  {
    gcePersistentDisk: field(1, optional(GCEPersistentDiskVolumeSource), {
      doc: 'A Google Compute Engine persistent disk (deprecated).',
    }),
    awsElasticBlockStore: field(2, optional(AWSElasticBlockStoreVolumeSource), {
      doc: 'An AWS EBS volume (deprecated).',
    }),
    hostPath: field(3, optional(HostPathVolumeSource), {
      doc: 'A directory of the node. Only for single-node tests.',
    }),
    glusterfs: field(4, optional(GlusterfsPersistentVolumeSource), {
      doc: 'A Glusterfs volume (deprecated).',
    }),
    nfs: field(5, optional(NFSVolumeSource), { doc: 'A directory that an NFS server exports.' }),
    rbd: field(6, optional(RBDPersistentVolumeSource), { doc: 'A RADOS block device (deprecated).' }),
    iscsi: field(7, optional(ISCSIPersistentVolumeSource), { doc: 'An iSCSI disk.' }),
    cinder: field(8, optional(CinderPersistentVolumeSource), {
      doc: 'An OpenStack Cinder volume (deprecated).',
    }),
    cephfs: field(9, optional(CephFSPersistentVolumeSource), { doc: 'A Ceph file system (deprecated).' }),
    fc: field(10, optional(FCVolumeSource), { doc: 'A Fibre Channel volume.' }),
    flocker: field(11, optional(FlockerVolumeSource), { doc: 'A Flocker dataset (deprecated).' }),
    flexVolume: field(12, optional(FlexPersistentVolumeSource), {
      doc: 'A volume of an exec-based FlexVolume driver (deprecated).',
    }),
    azureFile: field(13, optional(AzureFilePersistentVolumeSource), {
      doc: 'An Azure file share (deprecated).',
    }),
    vsphereVolume: field(14, optional(VsphereVirtualDiskVolumeSource), {
      doc: 'A vSphere virtual disk (deprecated).',
    }),
    quobyte: field(15, optional(QuobyteVolumeSource), { doc: 'A Quobyte volume (deprecated).' }),
    azureDisk: field(16, optional(AzureDiskVolumeSource), { doc: 'An Azure data disk (deprecated).' }),
    photonPersistentDisk: field(17, optional(PhotonPersistentDiskVolumeSource), {
      doc: 'A Photon Controller persistent disk (deprecated).',
    }),
    portworxVolume: field(18, optional(PortworxVolumeSource), { doc: 'A Portworx volume (deprecated).' }),
    scaleIO: field(19, optional(ScaleIOPersistentVolumeSource), { doc: 'A ScaleIO volume (deprecated).' }),
    local: field(20, optional(LocalVolumeSource), { doc: 'A disk or directory of one node.' }),
    storageos: field(21, optional(StorageOSPersistentVolumeSource), {
      doc: 'A StorageOS volume (deprecated).',
    }),
    csi: field(22, optional(CSIPersistentVolumeSource), { doc: 'A volume of a CSI driver.' }),
  },
  { doc: 'The storage of a PersistentVolume: exactly one of the fields is set.' },
);
export type PersistentVolumeSource = Infer<typeof PersistentVolumeSource>;
