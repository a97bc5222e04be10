// Volume sources of pods: those that only pods have, and those whose Secret is in the pod's namespace: schemas.
import { list, mapOf } from '../../schema/collections.ts';
import { quantity } from '../../schema/quantity-type.ts';
import { bool, int32, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { fsTypeDoc, readOnlyDoc } from './attached-volume-sources.ts';
import { imageTag } from './container-image.ts';
import { LocalObjectReference } from './local-object-reference.ts';
import { PersistentVolumeClaimTemplate } from './persistentvolumeclaim.ts';
import { pullPolicy } from './pull-policy.ts';

const secretDoc = 'A Secret in the namespace of the pod, with what it takes to get in.';

export const EmptyDirVolumeSource = struct(
  'core/v1.EmptyDirVolumeSource',
  {
    medium: field(1, named('core/v1.StorageMedium', oneOf('', 'Memory', 'HugePages', 'HugePages-')), {
      doc: 'What it lies on: the disk of the node when empty, Memory, HugePages, or HugePages-<size>.',
    }),
    sizeLimit: field(2, optional(quantity), { doc: 'How much may be put into it.' }),
  },
  { doc: 'A folder that is empty at first and gone with the pod.' },
);
export type EmptyDirVolumeSource = Infer<typeof EmptyDirVolumeSource>;

export const GitRepoVolumeSource = struct(
  'core/v1.GitRepoVolumeSource',
  {
    repository: field(1, string, { required: true, doc: 'The URL to clone from.' }),
    revision: field(2, string, { doc: 'The commit to check out.' }),
    directory: field(3, string, {
      doc: 'The folder to clone into, relative and without "..": `.` is the volume itself; a folder of its own when left out.',
    }),
  },
  { doc: 'A Git repository, cloned. Deprecated and switched off: an init container can do the same.' },
);
export type GitRepoVolumeSource = Infer<typeof GitRepoVolumeSource>;

export const ISCSIVolumeSource = struct(
  'core/v1.ISCSIVolumeSource',
  {
    targetPortal: field(1, string, {
      required: true,
      doc: 'The address of the target, with a port where that is not 860 or 3260.',
    }),
    iqn: field(2, string, { required: true, doc: 'The qualified name of the target (iqn., eui. or naa.).' }),
    lun: field(3, int32, {
      required: true,
      present: true,
      doc: 'The number of the unit at the target, 0 to 255.',
    }),
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
    secretRef: field(10, optional(LocalObjectReference), { doc: secretDoc }),
    initiatorName: field(12, optional(string), {
      doc: 'The name to come by. With iscsiInterface too, an interface is made for this volume alone.',
    }),
  },
  { doc: 'An iSCSI disk.' },
);
export type ISCSIVolumeSource = Infer<typeof ISCSIVolumeSource>;

export const GlusterfsVolumeSource = struct(
  'core/v1.GlusterfsVolumeSource',
  {
    endpoints: field(1, string, { required: true, doc: 'The Endpoints that name the servers.' }),
    path: field(2, string, { required: true, doc: 'The path of the volume.' }),
    readOnly: field(3, bool, { doc: readOnlyDoc }),
  },
  { doc: 'A Glusterfs volume. Deprecated, and mounted by nothing any more.' },
);
export type GlusterfsVolumeSource = Infer<typeof GlusterfsVolumeSource>;

export const PersistentVolumeClaimVolumeSource = struct(
  'core/v1.PersistentVolumeClaimVolumeSource',
  {
    claimName: field(1, string, {
      required: true,
      doc: 'A PersistentVolumeClaim in the namespace of the pod.',
    }),
    readOnly: field(2, bool, { doc: 'Every mount of it is for reading only.' }),
  },
  { doc: 'The volume that a claim is bound to.' },
);
export type PersistentVolumeClaimVolumeSource = Infer<typeof PersistentVolumeClaimVolumeSource>;

export const RBDVolumeSource = struct(
  'core/v1.RBDVolumeSource',
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
    secretRef: field(7, optional(LocalObjectReference), { doc: `${secretDoc} It goes before keyring.` }),
    readOnly: field(8, bool, { doc: readOnlyDoc }),
  },
  { doc: 'A Ceph block device. Deprecated, and mounted by nothing any more.' },
);
export type RBDVolumeSource = Infer<typeof RBDVolumeSource>;

export const FlexVolumeSource = struct(
  'core/v1.FlexVolumeSource',
  {
    driver: field(1, string, { required: true, doc: 'The name of the driver.' }),
    fsType: field(2, string, { doc: 'The file system on the volume. The driver decides when left out.' }),
    secretRef: field(3, optional(LocalObjectReference), { doc: secretDoc }),
    readOnly: field(4, bool, { doc: readOnlyDoc }),
    options: field(5, mapOf(string), {
      doc: "What the driver is told besides. Keys under the service's own domains are reserved.",
    }),
  },
  { doc: 'A volume of a driver that is a program on the node. Deprecated: CSI came instead.' },
);
export type FlexVolumeSource = Infer<typeof FlexVolumeSource>;

export const CinderVolumeSource = struct(
  'core/v1.CinderVolumeSource',
  {
    volumeID: field(1, string, { required: true, doc: 'The id of the volume.' }),
    fsType: field(2, string, { doc: fsTypeDoc }),
    readOnly: field(3, bool, { doc: readOnlyDoc }),
    secretRef: field(4, optional(LocalObjectReference), { doc: secretDoc }),
  },
  { doc: 'A volume of OpenStack Cinder. Deprecated: a CSI driver stands in for it.' },
);
export type CinderVolumeSource = Infer<typeof CinderVolumeSource>;

export const CephFSVolumeSource = struct(
  'core/v1.CephFSVolumeSource',
  {
    monitors: field(1, list(string, { type: 'atomic' }), { required: true, doc: 'The Ceph monitors.' }),
    path: field(2, string, { doc: 'The folder to mount; the root when left out.' }),
    user: field(3, string, { doc: 'The user to come as; admin when left out.' }),
    secretFile: field(4, string, { doc: "The file with that user's key." }),
    secretRef: field(5, optional(LocalObjectReference), { doc: `${secretDoc} It goes before secretFile.` }),
    readOnly: field(6, bool, { doc: readOnlyDoc }),
  },
  { doc: 'A Ceph file system. Deprecated, and mounted by nothing any more.' },
);
export type CephFSVolumeSource = Infer<typeof CephFSVolumeSource>;

export const AzureFileVolumeSource = struct(
  'core/v1.AzureFileVolumeSource',
  {
    secretName: field(1, string, {
      required: true,
      doc: 'A Secret with the name and key of the storage account.',
    }),
    shareName: field(2, string, { required: true, doc: 'The name of the share.' }),
    readOnly: field(3, bool, { doc: readOnlyDoc }),
  },
  { doc: 'A file share of Azure. Deprecated: a CSI driver stands in for it.' },
);
export type AzureFileVolumeSource = Infer<typeof AzureFileVolumeSource>;

export const ScaleIOVolumeSource = struct(
  'core/v1.ScaleIOVolumeSource',
  {
    gateway: field(1, string, { required: true, doc: 'The address of the gateway.' }),
    system: field(2, string, { required: true, doc: 'The name of the storage system.' }),
    secretRef: field(3, optional(LocalObjectReference), { required: true, doc: secretDoc }),
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
export type ScaleIOVolumeSource = Infer<typeof ScaleIOVolumeSource>;

export const StorageOSVolumeSource = struct(
  'core/v1.StorageOSVolumeSource',
  {
    volumeName: field(1, string, { doc: 'The volume, unique within its namespace in StorageOS.' }),
    volumeNamespace: field(2, string, { doc: "That namespace; the pod's own when left out." }),
    fsType: field(3, string, { doc: fsTypeDoc }),
    readOnly: field(4, bool, { doc: readOnlyDoc }),
    secretRef: field(5, optional(LocalObjectReference), { doc: secretDoc }),
  },
  { doc: 'A StorageOS volume. Deprecated, and mounted by nothing any more.' },
);
export type StorageOSVolumeSource = Infer<typeof StorageOSVolumeSource>;

export const CSIVolumeSource = struct(
  'core/v1.CSIVolumeSource',
  {
    driver: field(1, string, { required: true, doc: 'The name of the CSI driver, as its CSIDriver has it.' }),
    readOnly: field(2, optional(bool), { doc: `${readOnlyDoc} False when left out.` }),
    fsType: field(3, optional(string), {
      doc: 'The file system on the volume. The driver decides when left out.',
    }),
    volumeAttributes: field(4, mapOf(string), { doc: 'What the driver is told; it says what it knows.' }),
    nodePublishSecretRef: field(5, optional(LocalObjectReference), {
      doc: 'A Secret that the driver is handed when the volume is mounted.',
    }),
  },
  { doc: 'A volume that a CSI driver makes for the pod and that goes with it.' },
);
export type CSIVolumeSource = Infer<typeof CSIVolumeSource>;

export const EphemeralVolumeSource = struct(
  'core/v1.EphemeralVolumeSource',
  {
    volumeClaimTemplate: field(1, optional(PersistentVolumeClaimTemplate), {
      doc: 'The claim to make. It is named <pod name>-<volume name> and owned by the pod. The pod is refused where that is no name, and does not start while another claim has it. Required.',
    }),
  },
  { doc: 'A claim that is made for the pod and goes with it.' },
);
export type EphemeralVolumeSource = Infer<typeof EphemeralVolumeSource>;

export const ImageVolumeSource = struct(
  'core/v1.ImageVolumeSource',
  {
    reference: field(1, string, { doc: 'The image or artifact, as for a container.' }),
    pullPolicy: field(2, pullPolicy, {
      doc: 'When to pull it: Always when the tag is latest or none, else IfNotPresent.',
    }),
  },
  {
    doc: 'The content of an OCI image, for reading only. Needs the feature ImageVolume.',
    defaults(source) {
      source.pullPolicy ||= imageTag(source.reference ?? '') === 'latest' ? 'Always' : 'IfNotPresent';
    },
  },
);
export type ImageVolumeSource = Infer<typeof ImageVolumeSource>;
