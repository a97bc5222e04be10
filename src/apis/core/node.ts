// Node: schema.
import { kind } from '../../kind/meta/kind.ts';
import { list } from '../../schema/collections.ts';
import { bool, documentedEnum, int32, int64, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';
import { conditionStatus } from './condition-status.ts';
import { resourceList } from './resource-list.ts';
import { Taint } from './taint.ts';

const ConfigMapNodeConfigSource = struct(
  'core/v1.ConfigMapNodeConfigSource',
  {
    namespace: field(1, string, { required: true, doc: 'Its namespace.' }),
    name: field(2, string, { required: true, doc: 'Its name.' }),
    uid: field(3, named('types.UID', string), { doc: 'Its uid.' }),
    resourceVersion: field(4, string, { doc: 'Which state of it.' }),
    kubeletConfigKey: field(5, string, { required: true, doc: 'The key with the configuration.' }),
  },
  { doc: 'A ConfigMap with the configuration of a node. No longer in use.' },
);

const NodeConfigSource = struct(
  'core/v1.NodeConfigSource',
  {
    configMap: field(2, optional(ConfigMapNodeConfigSource), { doc: 'The ConfigMap.' }),
  },
  { doc: 'Where a node took its configuration from. No longer in use.' },
);

export const NodeSpec = struct(
  'core/v1.NodeSpec',
  {
    podCIDR: field(1, string, {
      doc: 'The range that its pods have their addresses from: the first of podCIDRs.',
    }),
    podCIDRs: field(7, list(string, { type: 'set', patch: 'merge' }), {
      doc: 'The ranges that its pods have their addresses from, at most one of each family. Set once.',
    }),
    providerID: field(3, string, { doc: 'How the provider of the machine names it. Set once.' }),
    unschedulable: field(4, bool, { doc: 'New pods are not put here. Those that are here stay.' }),
    taints: field(5, list(Taint, { type: 'atomic' }), {
      doc: 'What keeps pods away that do not tolerate it.',
    }),
    configSource: field(6, optional(NodeConfigSource), { doc: 'No longer in use.' }),
    externalID: field(2, string, { doc: 'No longer in use.' }),
  },
  { doc: 'How a node is to be.' },
);
export type NodeSpec = Infer<typeof NodeSpec>;

const NodeCondition = struct(
  'core/v1.NodeCondition',
  {
    type: field(
      1,
      named(
        'core/v1.NodeConditionType',
        oneOf('Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure', 'NetworkUnavailable'),
      ),
      { required: true, doc: 'Which condition.' },
    ),
    status: field(2, conditionStatus, { required: true, doc: 'True, False or Unknown.' }),
    lastHeartbeatTime: field(3, time, { doc: 'When the node last reported it.' }),
    lastTransitionTime: field(4, time, { doc: 'When it last changed.' }),
    reason: field(5, string, { doc: 'Why it changed, in one word for machines.' }),
    message: field(6, string, { doc: 'Why it changed, in words for people.' }),
  },
  { doc: 'How the node is at the moment in one respect.' },
);

const NodeAddress = struct(
  'core/v1.NodeAddress',
  {
    type: field(
      1,
      named(
        'core/v1.NodeAddressType',
        oneOf('Hostname', 'InternalIP', 'ExternalIP', 'InternalDNS', 'ExternalDNS'),
      ),
      { required: true, doc: 'What sort of address it is.' },
    ),
    address: field(2, string, { required: true, doc: 'The address.' }),
  },
  { doc: 'One of the addresses of a node.' },
);

const DaemonEndpoint = struct(
  'core/v1.DaemonEndpoint',
  {
    Port: field(1, int32, { required: true, doc: 'The number.' }),
  },
  { doc: 'A port that a daemon of the node listens on.' },
);

const NodeDaemonEndpoints = struct(
  'core/v1.NodeDaemonEndpoints',
  {
    kubeletEndpoint: field(1, DaemonEndpoint, { doc: 'That of the agent of the node.' }),
  },
  { doc: 'The ports that daemons of the node listen on.' },
);

const NodeSwapStatus = struct(
  'core/v1.NodeSwapStatus',
  {
    capacity: field(1, optional(int64), { doc: 'How many bytes.' }),
  },
  { doc: 'What the node can swap.' },
);

const NodeSystemInfo = struct(
  'core/v1.NodeSystemInfo',
  {
    machineID: field(1, string, { required: true, doc: 'The id of the machine, the same across boots.' }),
    systemUUID: field(2, string, { required: true, doc: 'The id that the hardware reports.' }),
    bootID: field(3, string, { required: true, doc: 'The id of this boot.' }),
    kernelVersion: field(4, string, { required: true, doc: 'The version of the kernel.' }),
    osImage: field(5, string, { required: true, doc: 'The operating system, as it calls itself.' }),
    containerRuntimeVersion: field(6, string, {
      required: true,
      doc: 'What runs the containers, and its version.',
    }),
    kubeletVersion: field(7, string, { required: true, doc: 'The version of the agent.' }),
    kubeProxyVersion: field(8, string, { required: true, doc: 'No longer in use.' }),
    operatingSystem: field(9, string, { required: true, doc: 'The sort of operating system.' }),
    architecture: field(10, string, { required: true, doc: 'The sort of processor.' }),
    swap: field(11, optional(NodeSwapStatus), { doc: 'What it can swap.' }),
  },
  { doc: 'What the node is made of.' },
);

const ContainerImage = struct(
  'core/v1.ContainerImage',
  {
    names: field(1, list(string, { type: 'atomic' }), { alwaysWritten: true, doc: 'All that it is called.' }),
    sizeBytes: field(2, int64, { doc: 'How large it is.' }),
  },
  { doc: 'An image that the node has.' },
);

const uniqueVolumeName = named('core/v1.UniqueVolumeName', string);

const AttachedVolume = struct(
  'core/v1.AttachedVolume',
  {
    name: field(1, uniqueVolumeName, { required: true, doc: 'Its name.' }),
    devicePath: field(2, string, { required: true, doc: 'Where it is.' }),
  },
  { doc: 'A volume that is attached to the node.' },
);

const NodeConfigStatus = struct(
  'core/v1.NodeConfigStatus',
  {
    assigned: field(1, optional(NodeConfigSource), { doc: 'What it should use.' }),
    active: field(2, optional(NodeConfigSource), { doc: 'What it uses.' }),
    lastKnownGood: field(3, optional(NodeConfigSource), { doc: 'What it falls back to.' }),
    error: field(4, string, { doc: 'What is wrong.' }),
  },
  { doc: 'What became of the configuration. No longer in use.' },
);

const NodeRuntimeHandlerFeatures = struct(
  'core/v1.NodeRuntimeHandlerFeatures',
  {
    recursiveReadOnlyMounts: field(1, optional(bool), { doc: 'Mounts that are read only all the way down.' }),
    userNamespaces: field(2, optional(bool), { doc: 'Users of their own for pods.' }),
  },
  { doc: 'What a way to run containers can do.' },
);

const NodeRuntimeHandler = struct(
  'core/v1.NodeRuntimeHandler',
  {
    name: field(1, string, { alwaysWritten: true, doc: 'Its name; empty for the usual one.' }),
    features: field(2, optional(NodeRuntimeHandlerFeatures), { doc: 'What it can do.' }),
  },
  { doc: 'A way to run containers that the node has.' },
);

const NodeFeatures = struct(
  'core/v1.NodeFeatures',
  {
    supplementalGroupsPolicy: field(1, optional(bool), {
      doc: 'It heeds the policy for supplemental groups.',
    }),
  },
  { doc: 'What the node can do whatever runs its containers.' },
);

export const NodeStatus = struct(
  'core/v1.NodeStatus',
  {
    capacity: field(1, resourceList, { doc: 'All that it has.' }),
    allocatable: field(2, resourceList, { doc: 'What of that pods can have. Without it, all.' }),
    phase: field(3, named('core/v1.NodePhase', documentedEnum('Pending', 'Running', 'Terminated')), {
      doc: 'No longer in use.',
    }),
    conditions: field(
      4,
      list(NodeCondition, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' }),
      { doc: 'How it is at the moment.' },
    ),
    addresses: field(
      5,
      list(NodeAddress, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' }),
      { doc: 'Where it is to be reached.' },
    ),
    daemonEndpoints: field(6, NodeDaemonEndpoints, { doc: 'The ports of its daemons.' }),
    nodeInfo: field(7, NodeSystemInfo, { doc: 'What it is made of.' }),
    images: field(8, list(ContainerImage, { type: 'atomic' }), { doc: 'The images it has.' }),
    volumesInUse: field(9, list(uniqueVolumeName, { type: 'atomic' }), {
      doc: 'The volumes that are in use.',
    }),
    volumesAttached: field(10, list(AttachedVolume, { type: 'atomic' }), {
      doc: 'The volumes that are attached.',
    }),
    config: field(11, optional(NodeConfigStatus), { doc: 'No longer in use.' }),
    runtimeHandlers: field(12, list(NodeRuntimeHandler, { type: 'atomic' }), {
      doc: 'The ways to run containers that it has.',
    }),
    features: field(13, optional(NodeFeatures), { doc: 'What it can do.' }),
  },
  { doc: 'How a node is at the moment.' },
);
export type NodeStatus = Infer<typeof NodeStatus>;

export const Node = kind(
  'core/v1.Node',
  {
    spec: field(2, NodeSpec, { doc: 'How it is to be.' }),
    status: field(3, NodeStatus, { doc: 'How it is at the moment.' }),
  },
  { doc: 'A machine that pods run on.' },
);
export type Node = Infer<typeof Node>;
