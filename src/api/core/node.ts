import { list } from '../../schema/collections.ts';
import { bool, int32, int64, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';
import type { KindContext } from '../context.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy, statusOf } from '../plain-strategy.ts';
import { resource } from '../resource.ts';
import { conditionStatus } from './condition-status.ts';
import { resourceList } from './resource-list.ts';
import { Taint } from './taint.ts';

export const ConfigMapNodeConfigSource = struct('core/v1.ConfigMapNodeConfigSource', {
  namespace: field(1, string, { required: true }),
  name: field(2, string, { required: true }),
  uid: field(3, named('types.UID', string)),
  resourceVersion: field(4, string),
  kubeletConfigKey: field(5, string, { required: true }),
});
export type ConfigMapNodeConfigSource = Infer<typeof ConfigMapNodeConfigSource>;

export const NodeConfigSource = struct('core/v1.NodeConfigSource', {
  configMap: field(2, optional(ConfigMapNodeConfigSource)),
});
export type NodeConfigSource = Infer<typeof NodeConfigSource>;

export const NodeSpec = struct('core/v1.NodeSpec', {
  podCIDR: field(1, string),
  podCIDRs: field(7, list(string, { type: 'set', patch: 'merge' })),
  providerID: field(3, string),
  unschedulable: field(4, bool),
  taints: field(5, list(Taint, { type: 'atomic' })),
  configSource: field(6, optional(NodeConfigSource)),
  externalID: field(2, string),
});
export type NodeSpec = Infer<typeof NodeSpec>;

export const NodeCondition = struct('core/v1.NodeCondition', {
  type: field(
    1,
    named(
      'core/v1.NodeConditionType',
      oneOf('Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure', 'NetworkUnavailable'),
    ),
    { required: true },
  ),
  status: field(2, conditionStatus, { required: true }),
  lastHeartbeatTime: field(3, time),
  lastTransitionTime: field(4, time),
  reason: field(5, string),
  message: field(6, string),
});
export type NodeCondition = Infer<typeof NodeCondition>;

export const NodeAddress = struct('core/v1.NodeAddress', {
  type: field(
    1,
    named(
      'core/v1.NodeAddressType',
      oneOf('Hostname', 'InternalIP', 'ExternalIP', 'InternalDNS', 'ExternalDNS'),
    ),
    { required: true },
  ),
  address: field(2, string, { required: true }),
});
export type NodeAddress = Infer<typeof NodeAddress>;

export const DaemonEndpoint = struct('core/v1.DaemonEndpoint', {
  Port: field(1, int32, { required: true }),
});
export type DaemonEndpoint = Infer<typeof DaemonEndpoint>;

export const NodeDaemonEndpoints = struct('core/v1.NodeDaemonEndpoints', {
  kubeletEndpoint: field(1, DaemonEndpoint),
});
export type NodeDaemonEndpoints = Infer<typeof NodeDaemonEndpoints>;

export const NodeSwapStatus = struct('core/v1.NodeSwapStatus', {
  capacity: field(1, optional(int64)),
});
export type NodeSwapStatus = Infer<typeof NodeSwapStatus>;

export const NodeSystemInfo = struct('core/v1.NodeSystemInfo', {
  machineID: field(1, string, { required: true }),
  systemUUID: field(2, string, { required: true }),
  bootID: field(3, string, { required: true }),
  kernelVersion: field(4, string, { required: true }),
  osImage: field(5, string, { required: true }),
  containerRuntimeVersion: field(6, string, { required: true }),
  kubeletVersion: field(7, string, { required: true }),
  kubeProxyVersion: field(8, string, { required: true }),
  operatingSystem: field(9, string, { required: true }),
  architecture: field(10, string, { required: true }),
  swap: field(11, optional(NodeSwapStatus)),
});
export type NodeSystemInfo = Infer<typeof NodeSystemInfo>;

export const ContainerImage = struct('core/v1.ContainerImage', {
  names: field(1, list(string, { type: 'atomic' }), { alwaysWritten: true }),
  sizeBytes: field(2, int64),
});
export type ContainerImage = Infer<typeof ContainerImage>;

export const uniqueVolumeName = named('core/v1.UniqueVolumeName', string);

export const AttachedVolume = struct('core/v1.AttachedVolume', {
  name: field(1, uniqueVolumeName, { required: true }),
  devicePath: field(2, string, { required: true }),
});
export type AttachedVolume = Infer<typeof AttachedVolume>;

export const NodeConfigStatus = struct('core/v1.NodeConfigStatus', {
  assigned: field(1, optional(NodeConfigSource)),
  active: field(2, optional(NodeConfigSource)),
  lastKnownGood: field(3, optional(NodeConfigSource)),
  error: field(4, string),
});
export type NodeConfigStatus = Infer<typeof NodeConfigStatus>;

export const NodeRuntimeHandlerFeatures = struct('core/v1.NodeRuntimeHandlerFeatures', {
  recursiveReadOnlyMounts: field(1, optional(bool)),
  userNamespaces: field(2, optional(bool)),
});
export type NodeRuntimeHandlerFeatures = Infer<typeof NodeRuntimeHandlerFeatures>;

export const NodeRuntimeHandler = struct('core/v1.NodeRuntimeHandler', {
  name: field(1, string, { alwaysWritten: true }),
  features: field(2, optional(NodeRuntimeHandlerFeatures)),
});
export type NodeRuntimeHandler = Infer<typeof NodeRuntimeHandler>;

export const NodeFeatures = struct('core/v1.NodeFeatures', {
  supplementalGroupsPolicy: field(1, optional(bool)),
});
export type NodeFeatures = Infer<typeof NodeFeatures>;

export const NodeStatus = struct('core/v1.NodeStatus', {
  capacity: field(1, resourceList),
  allocatable: field(2, resourceList),
  phase: field(3, named('core/v1.NodePhase', oneOf('Pending', 'Running', 'Terminated'))),
  conditions: field(
    4,
    list(NodeCondition, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' }),
  ),
  addresses: field(5, list(NodeAddress, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' })),
  daemonEndpoints: field(6, NodeDaemonEndpoints),
  nodeInfo: field(7, NodeSystemInfo),
  images: field(8, list(ContainerImage, { type: 'atomic' })),
  volumesInUse: field(9, list(uniqueVolumeName, { type: 'atomic' })),
  volumesAttached: field(10, list(AttachedVolume, { type: 'atomic' })),
  config: field(11, optional(NodeConfigStatus)),
  runtimeHandlers: field(12, list(NodeRuntimeHandler, { type: 'atomic' })),
  features: field(13, optional(NodeFeatures)),
});
export type NodeStatus = Infer<typeof NodeStatus>;

export const Node = kind(
  'core/v1.Node',
  {
    spec: field(2, NodeSpec),
    status: field(3, NodeStatus),
  },
  { doc: '' },
);
export type Node = Infer<typeof Node>;

export const nodes = (context: KindContext) =>
  resource<Node>({
    group: '',
    version: 'v1',
    kind: 'Node',
    plural: 'nodes',
    shortNames: ['no'],
    namespaced: false,
    storagePrefix: 'minions',
    schema: Node,
    strategy: plainStrategy(context, Node),
    subresources: { status: statusOf(context, Node) },
  });
