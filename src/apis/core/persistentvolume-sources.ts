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

/** These sources use a SecretReference: a PersistentVolume is cluster-scoped, so its Secrets need a namespace. */

export const GlusterfsPersistentVolumeSource = struct(
  'core/v1.GlusterfsPersistentVolumeSource',
  {
    endpoints: field(1, string, { required: true, doc: 'The Endpoints that name the servers.' }),
    path: field(2, string, { required: true, doc: 'The path of the volume.' }),
    readOnly: field(3, bool, { doc: readOnlyDoc }),
    endpointsNamespace: field(4, optional(string), {
      doc: 'The namespace of the Endpoints; that of the claim when left out.',
    }),
  },
  { doc: 'A Glusterfs volume. Deprecated, and mounted by nothing any more.' },
);
export type GlusterfsPersistentVolumeSource = Infer<typeof GlusterfsPersistentVolumeSource>;

const RBDPersistentVolumeSource = struct(
  'core/v1.RBDPersistentVolumeSource',
  {
    monitors: field(1, list(string, { type: 'atomic' }), { required: true, doc: 'The Ceph monitors.' }),
    image: field(2, string, { required: true, doc: 'The image in its pool.' }),
    fsType: field(3, string, { doc: fsTypeDoc }),
    pool: field(4, string, { default: 'rbd', announced: true, doc: 'The pool of the image.' }),
    user: field(5, string, { default: 'admin', announced: true, doc: 'The user to come as.' }),
    keyring: field(6, string, {
      default: '/etc/ceph/keyring',
      announced: true,
      doc: "The file with that user's key.",
    }),
    secretRef: field(7, optional(SecretReference), { doc: 'A Secret with the key; it goes before keyring.' }),
    readOnly: field(8, bool, { doc: readOnlyDoc }),
  },
  { doc: 'A Ceph block device. Deprecated, and mounted by nothing any more.' },
);

export const ISCSIPersistentVolumeSource = struct(
  'core/v1.ISCSIPersistentVolumeSource',
  {
    targetPortal: field(1, string, {
      required: true,
      doc: 'The address of the target, with a port where that is not 860 or 3260.',
    }),
    iqn: field(2, string, { required: true, doc: 'The qualified name of the target (iqn., eui. or naa.).' }),
    lun: field(3, int32, { required: true, doc: 'The number of the unit at the target, 0 to 255.' }),
    iscsiInterface: field(4, string, {
      default: 'default',
      announced: true,
      doc: 'The transport: `default` is TCP.',
    }),
    fsType: field(5, string, { doc: fsTypeDoc }),
    readOnly: field(6, bool, { doc: readOnlyDoc }),
    portals: field(7, list(string, { type: 'atomic' }), { doc: 'Other addresses of the same target.' }),
    chapAuthDiscovery: field(8, bool, { doc: 'Discovery authenticates with CHAP; needs secretRef.' }),
    chapAuthSession: field(11, bool, { doc: 'Sessions authenticate with CHAP; needs secretRef.' }),
    secretRef: field(10, optional(SecretReference), { doc: 'A Secret for CHAP.' }),
    initiatorName: field(12, optional(string), { doc: 'The name to come by.' }),
  },
  { doc: 'An iSCSI disk.' },
);
export type ISCSIPersistentVolumeSource = Infer<typeof ISCSIPersistentVolumeSource>;

const CinderPersistentVolumeSource = struct(
  'core/v1.CinderPersistentVolumeSource',
  {
    volumeID: field(1, string, { required: true, doc: 'The id of the volume.' }),
    fsType: field(2, string, { doc: fsTypeDoc }),
    readOnly: field(3, bool, { doc: readOnlyDoc }),
    secretRef: field(4, optional(SecretReference), {
      doc: 'A Secret with what it takes to reach OpenStack.',
    }),
  },
  { doc: 'A volume of OpenStack Cinder. Deprecated: a CSI driver stands in for it.' },
);

const CephFSPersistentVolumeSource = struct(
  'core/v1.CephFSPersistentVolumeSource',
  {
    monitors: field(1, list(string, { type: 'atomic' }), { required: true, doc: 'The Ceph monitors.' }),
    path: field(2, string, { doc: 'The folder to mount; the root when left out.' }),
    user: field(3, string, { doc: 'The user to come as; admin when left out.' }),
    secretFile: field(4, string, { doc: "The file with that user's key." }),
    secretRef: field(5, optional(SecretReference), {
      doc: 'A Secret with the key; it goes before secretFile.',
    }),
    readOnly: field(6, bool, { doc: readOnlyDoc }),
  },
  { doc: 'A Ceph file system. Deprecated, and mounted by nothing any more.' },
);

const FlexPersistentVolumeSource = struct(
  'core/v1.FlexPersistentVolumeSource',
  {
    driver: field(1, string, { required: true, doc: 'The name of the driver.' }),
    fsType: field(2, string, { doc: 'The file system on the volume. The driver decides when left out.' }),
    secretRef: field(3, optional(SecretReference), { doc: 'A Secret that the driver is handed.' }),
    readOnly: field(4, bool, { doc: readOnlyDoc }),
    options: field(5, mapOf(string), {
      doc: "What the driver is told besides. Keys under the service's own domains are reserved.",
    }),
  },
  { doc: 'A volume of a driver that is a program on the node. Deprecated: CSI came instead.' },
);

export const AzureFilePersistentVolumeSource = struct(
  'core/v1.AzureFilePersistentVolumeSource',
  {
    secretName: field(1, string, {
      required: true,
      doc: 'A Secret with the name and key of the storage account.',
    }),
    shareName: field(2, string, { required: true, doc: 'The name of the share.' }),
    readOnly: field(3, bool, { doc: readOnlyDoc }),
    secretNamespace: field(4, optional(string), {
      alwaysWritten: true,
      doc: 'The namespace of the Secret; that of the claim when left out.',
    }),
  },
  { doc: 'A file share of Azure. Deprecated: a CSI driver stands in for it.' },
);
export type AzureFilePersistentVolumeSource = Infer<typeof AzureFilePersistentVolumeSource>;

const ScaleIOPersistentVolumeSource = struct(
  'core/v1.ScaleIOPersistentVolumeSource',
  {
    gateway: field(1, string, { required: true, doc: 'The address of the gateway.' }),
    system: field(2, string, { required: true, doc: 'The name of the storage system.' }),
    secretRef: field(3, optional(SecretReference), {
      required: true,
      doc: 'A Secret with what it takes to log in.',
    }),
    sslEnabled: field(4, bool, { doc: 'Whether the gateway is spoken to over TLS.' }),
    protectionDomain: field(5, string, { doc: 'The protection domain of the volume.' }),
    storagePool: field(6, string, { doc: 'The pool within the domain.' }),
    storageMode: field(7, string, {
      default: 'ThinProvisioned',
      announced: true,
      doc: 'ThinProvisioned or ThickProvisioned.',
    }),
    volumeName: field(8, string, { doc: 'The volume, which exists already.' }),
    fsType: field(9, string, {
      default: 'xfs',
      announced: true,
      doc: 'The file system on the volume; xfs when left out.',
    }),
    readOnly: field(10, bool, { doc: readOnlyDoc }),
  },
  { doc: 'A ScaleIO volume. Deprecated, and mounted by nothing any more.' },
);

export const LocalVolumeSource = struct(
  'core/v1.LocalVolumeSource',
  {
    path: field(1, string, {
      required: true,
      doc: 'The path on the node, without "..": a folder, or a block device.',
    }),
    fsType: field(2, optional(string), {
      doc: 'The file system of a block device; what is there decides when left out.',
    }),
  },
  { doc: 'A disk or folder of one node, which the node affinity of the volume must name.' },
);
export type LocalVolumeSource = Infer<typeof LocalVolumeSource>;

const StorageOSPersistentVolumeSource = struct(
  'core/v1.StorageOSPersistentVolumeSource',
  {
    volumeName: field(1, string, { doc: 'The volume, unique within its namespace in StorageOS.' }),
    volumeNamespace: field(2, string, { doc: "That namespace; the claim's own when left out." }),
    fsType: field(3, string, { doc: fsTypeDoc }),
    readOnly: field(4, bool, { doc: readOnlyDoc }),
    secretRef: field(5, optional(ObjectReference), { doc: 'A Secret with what it takes to log in.' }),
  },
  { doc: 'A StorageOS volume. Deprecated, and mounted by nothing any more.' },
);

export const CSIPersistentVolumeSource = struct(
  'core/v1.CSIPersistentVolumeSource',
  {
    driver: field(1, string, { required: true, doc: 'The name of the CSI driver.' }),
    volumeHandle: field(2, string, { required: true, doc: "The driver's own name of the volume." }),
    readOnly: field(3, bool, { doc: readOnlyDoc }),
    fsType: field(4, string, { doc: 'The file system on the volume.' }),
    volumeAttributes: field(5, mapOf(string), { doc: 'What the driver is told about the volume.' }),
    controllerPublishSecretRef: field(6, optional(SecretReference), {
      doc: 'A Secret handed to the driver when the volume is attached.',
    }),
    nodeStageSecretRef: field(7, optional(SecretReference), {
      doc: 'A Secret handed to the driver when the node prepares the volume.',
    }),
    nodePublishSecretRef: field(8, optional(SecretReference), {
      doc: 'A Secret handed to the driver when the volume is mounted.',
    }),
    controllerExpandSecretRef: field(9, optional(SecretReference), {
      doc: 'A Secret handed to the driver when the volume is enlarged. It may be added later.',
    }),
    nodeExpandSecretRef: field(10, optional(SecretReference), {
      doc: 'A Secret handed to the driver when the node enlarges the volume.',
    }),
  },
  { doc: 'A volume of a CSI driver.' },
);
export type CSIPersistentVolumeSource = Infer<typeof CSIPersistentVolumeSource>;

export const PersistentVolumeSource = struct(
  'core/v1.PersistentVolumeSource',
  {
    gcePersistentDisk: field(1, optional(GCEPersistentDiskVolumeSource), {
      doc: 'A disk of Google Compute Engine (deprecated).',
    }),
    awsElasticBlockStore: field(2, optional(AWSElasticBlockStoreVolumeSource), {
      doc: 'A disk of Amazon EBS (deprecated).',
    }),
    hostPath: field(3, optional(HostPathVolumeSource), {
      doc: 'A folder of the node: for trying things out on a single node.',
    }),
    glusterfs: field(4, optional(GlusterfsPersistentVolumeSource), {
      doc: 'A Glusterfs volume (deprecated).',
    }),
    nfs: field(5, optional(NFSVolumeSource), { doc: 'A folder of an NFS server.' }),
    rbd: field(6, optional(RBDPersistentVolumeSource), { doc: 'A Ceph block device (deprecated).' }),
    iscsi: field(7, optional(ISCSIPersistentVolumeSource), { doc: 'An iSCSI disk.' }),
    cinder: field(8, optional(CinderPersistentVolumeSource), {
      doc: 'A volume of OpenStack Cinder (deprecated).',
    }),
    cephfs: field(9, optional(CephFSPersistentVolumeSource), { doc: 'A Ceph file system (deprecated).' }),
    fc: field(10, optional(FCVolumeSource), { doc: 'A Fibre Channel volume.' }),
    flocker: field(11, optional(FlockerVolumeSource), { doc: 'A Flocker data set (deprecated).' }),
    flexVolume: field(12, optional(FlexPersistentVolumeSource), {
      doc: 'A volume of a driver on the node (deprecated).',
    }),
    azureFile: field(13, optional(AzureFilePersistentVolumeSource), {
      doc: 'A file share of Azure (deprecated).',
    }),
    vsphereVolume: field(14, optional(VsphereVirtualDiskVolumeSource), {
      doc: 'A virtual disk of vSphere (deprecated).',
    }),
    quobyte: field(15, optional(QuobyteVolumeSource), { doc: 'A Quobyte volume (deprecated).' }),
    azureDisk: field(16, optional(AzureDiskVolumeSource), { doc: 'A data disk of Azure (deprecated).' }),
    photonPersistentDisk: field(17, optional(PhotonPersistentDiskVolumeSource), {
      doc: 'A Photon disk (deprecated).',
    }),
    portworxVolume: field(18, optional(PortworxVolumeSource), { doc: 'A Portworx volume (deprecated).' }),
    scaleIO: field(19, optional(ScaleIOPersistentVolumeSource), { doc: 'A ScaleIO volume (deprecated).' }),
    local: field(20, optional(LocalVolumeSource), { doc: 'A disk of one node.' }),
    storageos: field(21, optional(StorageOSPersistentVolumeSource), {
      doc: 'A StorageOS volume (deprecated).',
    }),
    csi: field(22, optional(CSIPersistentVolumeSource), { doc: 'A volume of a CSI driver.' }),
  },
  { doc: 'Where the content of the volume is: exactly one of the fields.' },
);
export type PersistentVolumeSource = Infer<typeof PersistentVolumeSource>;
