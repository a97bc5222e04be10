// Node: schema.
import { kind } from '../../kind/meta/kind.ts';
import { list } from '../../schema/collections.ts';
import { bool, int32, int64, named, openEnum, publishedEnum, string, time } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { conditionStatus } from './condition-status.ts';
import { resourceList } from './resource-list.ts';
import { Taint } from './taint.ts';

const ConfigMapNodeConfigSource = struct(
  'core/v1.ConfigMapNodeConfigSource',
  {
    namespace: field(1, string, { required: true, doc: 'The namespace of the ConfigMap.' }),
    name: field(2, string, { required: true, doc: 'The name of the ConfigMap.' }),
    uid: field(3, named('types.UID', string), { doc: 'The UID of the ConfigMap.' }),
    resourceVersion: field(4, string, { doc: 'The resourceVersion of the ConfigMap.' }),
    kubeletConfigKey: field(5, string, { required: true, doc: 'The key with the kubelet configuration.' }),
  },
  { doc: 'A ConfigMap with the kubelet configuration of a node. No longer used.' },
);

const NodeConfigSource = struct(
  'core/v1.NodeConfigSource',
  {
    configMap: field(2, optional(ConfigMapNodeConfigSource), {
      doc: 'The ConfigMap with the kubelet configuration.',
    }),
  },
  { doc: "The source of a node's kubelet configuration. No longer used." },
);

export const NodeSpec = struct(
  'core/v1.NodeSpec',
  {
    podCIDR: field(1, string, {
      doc: 'The IP range for the pods of the node: the first of podCIDRs.',
    }),
    podCIDRs: field(7, list(string, { type: 'set', patch: 'merge' }), {
      doc: 'The IP ranges for the pods of the node, at most one per IP family. Immutable once set.',
    }),
    providerID: field(3, string, { doc: 'The id of the node at the cloud provider. Immutable once set.' }),
    unschedulable: field(4, bool, { doc: 'Excludes the node from scheduling. Running pods stay.' }),
    taints: field(5, list(Taint, { type: 'atomic' }), {
      doc: 'The taints of the node.',
    }),
    configSource: field(6, optional(NodeConfigSource), { doc: 'No longer used.' }),
    externalID: field(2, string, { doc: 'No longer used.' }),
  },
  { doc: 'The specification of a node.' },
);
export type NodeSpec = Infer<typeof NodeSpec>;

const NodeCondition = struct(
  'core/v1.NodeCondition',
  {
    type: field(
      1,
      named(
        'core/v1.NodeConditionType',
        openEnum('Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure', 'NetworkUnavailable'),
      ),
      { required: true, doc: 'The type of the condition.' },
    ),
    status: field(2, conditionStatus, { required: true, doc: 'True, False or Unknown.' }),
    lastHeartbeatTime: field(3, time, { doc: 'When the node last reported the condition.' }),
    lastTransitionTime: field(4, time, { doc: 'When the status last changed.' }),
    reason: field(5, string, { doc: 'A machine-readable reason for the last transition (CamelCase).' }),
    message: field(6, string, { doc: 'A human-readable explanation of the last transition.' }),
  },
  { doc: 'A condition of a node.' },
);

const NodeAddress = struct(
  'core/v1.NodeAddress',
  {
    type: field(
      1,
      named(
        'core/v1.NodeAddressType',
        openEnum('Hostname', 'InternalIP', 'ExternalIP', 'InternalDNS', 'ExternalDNS'),
      ),
      { required: true, doc: 'The type of the address, such as Hostname, InternalIP or ExternalIP.' },
    ),
    address: field(2, string, { required: true, doc: 'The IP address or name.' }),
  },
  { doc: 'An address of a node.' },
);

const DaemonEndpoint = struct(
  'core/v1.DaemonEndpoint',
  {
    Port: field(1, int32, { required: true, doc: 'The port number.' }),
  },
  { doc: 'A port on which a daemon of the node listens.' },
);

const NodeDaemonEndpoints = struct(
  'core/v1.NodeDaemonEndpoints',
  {
    kubeletEndpoint: field(1, DaemonEndpoint, { doc: 'The port of the kubelet.' }),
  },
  { doc: 'The ports on which daemons of the node listen.' },
);

const NodeSwapStatus = struct(
  'core/v1.NodeSwapStatus',
  {
    capacity: field(1, optional(int64), { doc: 'The amount of swap memory in bytes.' }),
  },
  { doc: 'The swap memory of a node.' },
);

const NodeSystemInfo = struct(
  'core/v1.NodeSystemInfo',
  {
    machineID: field(1, string, { required: true, doc: 'The machine id, stable across reboots.' }),
    systemUUID: field(2, string, { required: true, doc: 'The UUID that the hardware reports.' }),
    bootID: field(3, string, { required: true, doc: 'The id of the current boot.' }),
    kernelVersion: field(4, string, { required: true, doc: 'The kernel version.' }),
    osImage: field(5, string, { required: true, doc: 'The name of the operating system image.' }),
    containerRuntimeVersion: field(6, string, {
      required: true,
      doc: 'The container runtime and its version.',
    }),
    kubeletVersion: field(7, string, { required: true, doc: 'The version of the kubelet.' }),
    kubeProxyVersion: field(8, string, { required: true, doc: 'No longer used.' }),
    operatingSystem: field(9, string, { required: true, doc: 'The operating system, such as linux.' }),
    architecture: field(10, string, { required: true, doc: 'The processor architecture, such as amd64.' }),
    swap: field(11, optional(NodeSwapStatus), { doc: 'The swap memory of the node.' }),
  },
  { doc: "Ids and versions that identify the node's system." },
);

const ContainerImage = struct(
  'core/v1.ContainerImage',
  {
    names: field(1, list(string, { type: 'atomic' }), {
      omitEmpty: false,
      doc: 'The names by which the image is known.',
    }),
    sizeBytes: field(2, int64, { doc: 'The size of the image in bytes.' }),
  },
  { doc: 'A container image on the node.' },
);

const uniqueVolumeName = named('core/v1.UniqueVolumeName', string);

const AttachedVolume = struct(
  'core/v1.AttachedVolume',
  {
    name: field(1, uniqueVolumeName, { required: true, doc: 'The name of the attached volume.' }),
    devicePath: field(2, string, { required: true, doc: 'The device path of the volume.' }),
  },
  { doc: 'A volume that is attached to the node.' },
);

const NodeConfigStatus = struct(
  'core/v1.NodeConfigStatus',
  {
    assigned: field(1, optional(NodeConfigSource), {
      doc: 'The configuration that is assigned to the node.',
    }),
    active: field(2, optional(NodeConfigSource), { doc: 'The configuration that the node uses.' }),
    lastKnownGood: field(3, optional(NodeConfigSource), {
      doc: 'The configuration that the node falls back to.',
    }),
    error: field(4, string, { doc: 'The error of a failed configuration.' }),
  },
  { doc: 'The status of the kubelet configuration. No longer used.' },
);

const NodeRuntimeHandlerFeatures = struct(
  'core/v1.NodeRuntimeHandlerFeatures',
  {
    recursiveReadOnlyMounts: field(1, optional(bool), {
      doc: 'Whether the handler supports recursive read-only mounts.',
    }),
    userNamespaces: field(2, optional(bool), { doc: 'Whether the handler supports user namespaces.' }),
  },
  { doc: 'The features of a runtime handler.' },
);

const NodeRuntimeHandler = struct(
  'core/v1.NodeRuntimeHandler',
  {
    name: field(1, string, {
      omitEmpty: false,
      doc: 'The name of the handler. Empty for the default handler.',
    }),
    features: field(2, optional(NodeRuntimeHandlerFeatures), { doc: 'The features of the handler.' }),
  },
  { doc: "A runtime handler of the node's container runtime." },
);

const NodeFeatures = struct(
  'core/v1.NodeFeatures',
  {
    supplementalGroupsPolicy: field(1, optional(bool), {
      doc: 'Whether the container runtime supports supplementalGroupsPolicy.',
    }),
  },
  { doc: 'The features of the container runtime that do not depend on the runtime handler.' },
);

export const NodeStatus = struct(
  'core/v1.NodeStatus',
  {
    capacity: field(1, resourceList, { doc: 'The total resources of the node.' }),
    allocatable: field(2, resourceList, { doc: 'The resources that pods can use. Defaults to capacity.' }),
    phase: field(3, named('core/v1.NodePhase', publishedEnum('Pending', 'Running', 'Terminated')), {
      doc: 'No longer used.',
    }),
    conditions: field(
      4,
      list(NodeCondition, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' }),
      { doc: 'The observed conditions of the node.' },
    ),
    addresses: field(
      5,
      list(NodeAddress, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' }),
      { doc: 'The addresses at which the node is reachable.' },
    ),
    daemonEndpoints: field(6, NodeDaemonEndpoints, { doc: 'The ports of the daemons on the node.' }),
    nodeInfo: field(7, NodeSystemInfo, { doc: "Ids and versions that identify the node's system." }),
    images: field(8, list(ContainerImage, { type: 'atomic' }), { doc: 'The container images on the node.' }),
    volumesInUse: field(9, list(uniqueVolumeName, { type: 'atomic' }), {
      doc: 'The attached volumes that are mounted.',
    }),
    volumesAttached: field(10, list(AttachedVolume, { type: 'atomic' }), {
      doc: 'The volumes that are attached to the node.',
    }),
    config: field(11, optional(NodeConfigStatus), { doc: 'No longer used.' }),
    runtimeHandlers: field(12, list(NodeRuntimeHandler, { type: 'atomic' }), {
      doc: 'The runtime handlers of the node.',
    }),
    features: field(13, optional(NodeFeatures), { doc: 'The features of the container runtime.' }),
  },
  { doc: 'The current status of a node.' },
);
export type NodeStatus = Infer<typeof NodeStatus>;

export const Node = kind(
  'core/v1.Node',
  {
    spec: field(2, NodeSpec, { doc: 'The specification of the node.' }),
    status: field(3, NodeStatus, { doc: 'The current status of the node.' }),
  },
  { doc: 'A worker machine that runs pods.' },
);
export type Node = Infer<typeof Node>;
