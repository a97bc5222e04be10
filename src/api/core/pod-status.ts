import { list } from '../../schema/collections.ts';
import { bool, int32, int64, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';
import { conditionStatus } from './condition-status.ts';
import { HostIP } from './pod-ip.ts';
import { recursiveReadOnlyMode } from './recursive-read-only.ts';
import { resourceList } from './resource-list.ts';
import { resourceName } from './resource-name.ts';
import { ResourceRequirements } from './resource-requirements.ts';
import { signal } from './signal.ts';

export const podConditionType = named(
  'core/v1.PodConditionType',
  oneOf(
    'ContainersReady',
    'Initialized',
    'Ready',
    'PodScheduled',
    'DisruptionTarget',
    'PodReadyToStartContainers',
    'PodResizePending',
    'PodResizeInProgress',
  ),
);

export const PodCondition = struct('core/v1.PodCondition', {
  type: field(1, podConditionType, { required: true }),
  observedGeneration: field(7, int64),
  status: field(2, conditionStatus, { required: true }),
  lastProbeTime: field(3, time),
  lastTransitionTime: field(4, time),
  reason: field(5, string),
  message: field(6, string),
});
export type PodCondition = Infer<typeof PodCondition>;

export const PodIP = struct('core/v1.PodIP', {
  ip: field(1, string, { required: true }),
});
export type PodIP = Infer<typeof PodIP>;

export const ContainerStateWaiting = struct('core/v1.ContainerStateWaiting', {
  reason: field(1, string),
  message: field(2, string),
});
export type ContainerStateWaiting = Infer<typeof ContainerStateWaiting>;

export const ContainerStateRunning = struct('core/v1.ContainerStateRunning', {
  startedAt: field(1, time),
});
export type ContainerStateRunning = Infer<typeof ContainerStateRunning>;

export const ContainerStateTerminated = struct('core/v1.ContainerStateTerminated', {
  exitCode: field(1, int32, { required: true }),
  signal: field(2, int32),
  reason: field(3, string),
  message: field(4, string),
  startedAt: field(5, time),
  finishedAt: field(6, time),
  containerID: field(7, string),
});
export type ContainerStateTerminated = Infer<typeof ContainerStateTerminated>;

export const ContainerState = struct('core/v1.ContainerState', {
  waiting: field(1, optional(ContainerStateWaiting)),
  running: field(2, optional(ContainerStateRunning)),
  terminated: field(3, optional(ContainerStateTerminated)),
});
export type ContainerState = Infer<typeof ContainerState>;

export const VolumeMountStatus = struct('core/v1.VolumeMountStatus', {
  name: field(1, string, { required: true }),
  mountPath: field(2, string, { required: true }),
  readOnly: field(3, bool),
  recursiveReadOnly: field(4, optional(recursiveReadOnlyMode)),
});
export type VolumeMountStatus = Infer<typeof VolumeMountStatus>;

export const LinuxContainerUser = struct('core/v1.LinuxContainerUser', {
  uid: field(1, int64, { required: true }),
  gid: field(2, int64, { required: true }),
  supplementalGroups: field(3, list(int64, { type: 'atomic' })),
});
export type LinuxContainerUser = Infer<typeof LinuxContainerUser>;

export const ContainerUser = struct('core/v1.ContainerUser', {
  linux: field(1, optional(LinuxContainerUser)),
});
export type ContainerUser = Infer<typeof ContainerUser>;

export const ResourceHealth = struct('core/v1.ResourceHealth', {
  resourceID: field(1, named('core/v1.ResourceID', string), { required: true }),
  health: field(2, named('core/v1.ResourceHealthStatus', oneOf('Healthy', 'Unhealthy', 'Unknown'))),
});
export type ResourceHealth = Infer<typeof ResourceHealth>;

export const ResourceStatus = struct('core/v1.ResourceStatus', {
  name: field(1, resourceName, { required: true }),
  resources: field(2, list(ResourceHealth, { type: 'map', keys: ['resourceID'] })),
});
export type ResourceStatus = Infer<typeof ResourceStatus>;

export const ContainerStatus = struct('core/v1.ContainerStatus', {
  name: field(1, string, { required: true }),
  state: field(2, ContainerState),
  lastState: field(3, ContainerState),
  ready: field(4, bool, { required: true }),
  restartCount: field(5, int32, { required: true }),
  image: field(6, string, { required: true }),
  imageID: field(7, string, { required: true }),
  containerID: field(8, string),
  started: field(9, optional(bool)),
  allocatedResources: field(10, resourceList),
  resources: field(11, optional(ResourceRequirements)),
  volumeMounts: field(
    12,
    list(VolumeMountStatus, { type: 'map', keys: ['mountPath'], patch: 'merge', patchKey: 'mountPath' }),
  ),
  user: field(13, optional(ContainerUser)),
  allocatedResourcesStatus: field(
    14,
    list(ResourceStatus, { type: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' }),
  ),
  stopSignal: field(15, optional(signal)),
});
export type ContainerStatus = Infer<typeof ContainerStatus>;

export const podQOSClass = named('core/v1.PodQOSClass', oneOf('Guaranteed', 'Burstable', 'BestEffort'));

export const PodResourceClaimStatus = struct('core/v1.PodResourceClaimStatus', {
  name: field(1, string, { required: true }),
  resourceClaimName: field(2, optional(string)),
});
export type PodResourceClaimStatus = Infer<typeof PodResourceClaimStatus>;

export const PodStatus = struct('core/v1.PodStatus', {
  observedGeneration: field(17, int64),
  phase: field(1, named('core/v1.PodPhase', oneOf('Pending', 'Running', 'Succeeded', 'Failed', 'Unknown'))),
  conditions: field(2, list(PodCondition, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' })),
  message: field(3, string),
  reason: field(4, string),
  nominatedNodeName: field(11, string),
  hostIP: field(5, string),
  hostIPs: field(16, list(HostIP, { type: 'atomic', patch: 'merge', patchKey: 'ip' })),
  podIP: field(6, string),
  podIPs: field(12, list(PodIP, { type: 'map', keys: ['ip'], patch: 'merge', patchKey: 'ip' })),
  startTime: field(7, optional(time)),
  initContainerStatuses: field(10, list(ContainerStatus, { type: 'atomic' })),
  containerStatuses: field(8, list(ContainerStatus, { type: 'atomic' })),
  qosClass: field(9, podQOSClass),
  ephemeralContainerStatuses: field(13, list(ContainerStatus, { type: 'atomic' })),
  resize: field(14, named('core/v1.PodResizeStatus', oneOf('InProgress', 'Deferred', 'Infeasible'))),
  resourceClaimStatuses: field(
    15,
    list(PodResourceClaimStatus, {
      type: 'map',
      keys: ['name'],
      patch: 'merge,retainKeys',
      patchKey: 'name',
    }),
  ),
});
export type PodStatus = Infer<typeof PodStatus>;
