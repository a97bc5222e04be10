// PodStatus: schema.
import { list } from '../../schema/collections.ts';
import { bool, int32, int64, named, openEnum, publishedEnum, string, time } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { conditionStatus } from './condition-status.ts';
import { HostIP } from './host-ip.ts';
import { recursiveReadOnlyMode } from './recursive-read-only.ts';
import { resourceList } from './resource-list.ts';
import { resourceName } from './resource-name.ts';
import { ResourceRequirements } from './resource-requirements.ts';
import { signal } from './signal.ts';

export const podConditionType = named(
  'core/v1.PodConditionType',
  openEnum(
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

export const PodCondition = struct(
  'core/v1.PodCondition',
  {
    type: field(1, podConditionType, { required: true, doc: 'The type of the condition.' }),
    observedGeneration: field(7, int64, {
      doc: 'The generation of the pod for which the condition was set.',
    }),
    status: field(2, conditionStatus, { required: true, doc: 'True, False or Unknown.' }),
    lastProbeTime: field(3, time, { doc: 'When the condition was last probed.' }),
    lastTransitionTime: field(4, time, { doc: 'When the status last changed.' }),
    reason: field(5, string, { doc: 'A machine-readable reason for the last transition (CamelCase).' }),
    message: field(6, string, { doc: 'A human-readable explanation of the last transition.' }),
  },
  { doc: 'A condition of a pod.' },
);
export type PodCondition = Infer<typeof PodCondition>;

const PodIP = struct(
  'core/v1.PodIP',
  { ip: field(1, string, { required: true, doc: 'The IP address.' }) },
  { doc: 'An IP address of a pod.' },
);

const ContainerStateWaiting = struct(
  'core/v1.ContainerStateWaiting',
  {
    reason: field(1, string, { doc: 'A short reason why the container is not yet running.' }),
    message: field(2, string, { doc: 'A human-readable explanation why the container is not yet running.' }),
  },
  { doc: 'The state of a container that is not yet running.' },
);

const ContainerStateRunning = struct(
  'core/v1.ContainerStateRunning',
  { startedAt: field(1, time, { doc: 'When the container was last started.' }) },
  { doc: 'The state of a running container.' },
);

const ContainerStateTerminated = struct(
  'core/v1.ContainerStateTerminated',
  {
    exitCode: field(1, int32, { required: true, doc: 'The exit code of the container.' }),
    signal: field(2, int32, { doc: 'The signal that terminated the container.' }),
    reason: field(3, string, { doc: 'A short reason for the termination.' }),
    message: field(4, string, { doc: 'The termination message.' }),
    startedAt: field(5, time, { doc: 'When the container was started.' }),
    finishedAt: field(6, time, { doc: 'When the container terminated.' }),
    containerID: field(7, string, { doc: 'The id of the container as `type://id`.' }),
  },
  { doc: 'The state of a terminated container.' },
);

const ContainerState = struct(
  'core/v1.ContainerState',
  {
    waiting: field(1, optional(ContainerStateWaiting), { doc: 'Set if the container is not yet running.' }),
    running: field(2, optional(ContainerStateRunning), { doc: 'Set if the container is running.' }),
    terminated: field(3, optional(ContainerStateTerminated), { doc: 'Set if the container has terminated.' }),
  },
  { doc: 'The state of a container: one of the fields is set. Defaults to waiting.' },
);

const VolumeMountStatus = struct(
  'core/v1.VolumeMountStatus',
  {
    name: field(1, string, { required: true, doc: 'The name of the volume mount.' }),
    mountPath: field(2, string, { required: true, doc: 'The path of the mount in the container.' }),
    readOnly: field(3, bool, { doc: 'Whether the mount is read-only.' }),
    recursiveReadOnly: field(4, optional(recursiveReadOnlyMode), {
      doc: 'Whether mounts below are read-only too: Enabled or Disabled.',
    }),
  },
  { doc: 'The status of a volume mount.' },
);

const LinuxContainerUser = struct(
  'core/v1.LinuxContainerUser',
  {
    uid: field(1, int64, { required: true, doc: 'The user id.' }),
    gid: field(2, int64, { required: true, doc: 'The primary group id.' }),
    supplementalGroups: field(3, list(int64, { type: 'atomic' }), { doc: 'The supplemental group ids.' }),
  },
  { doc: 'The user and groups of the first process of a Linux container.' },
);

const ContainerUser = struct(
  'core/v1.ContainerUser',
  { linux: field(1, optional(LinuxContainerUser), { doc: 'The user and groups of a Linux container.' }) },
  { doc: 'The user of the first process of a container.' },
);

const ResourceHealth = struct(
  'core/v1.ResourceHealth',
  {
    resourceID: field(1, named('core/v1.ResourceID', string), {
      required: true,
      doc: 'The id of the device.',
    }),
    health: field(2, named('core/v1.ResourceHealthStatus', openEnum('Healthy', 'Unhealthy', 'Unknown')), {
      doc: 'The health of the device: Healthy, Unhealthy or Unknown.',
    }),
  },
  { doc: 'The health of a device.' },
);

const ResourceStatus = struct(
  'core/v1.ResourceStatus',
  {
    name: field(1, resourceName, {
      required: true,
      doc: 'The name of the resource, or `claim:<name>/<request>`.',
    }),
    resources: field(2, list(ResourceHealth, { type: 'map', keys: ['resourceID'] }), {
      doc: 'The health of each device of the resource.',
    }),
  },
  { doc: 'The health of the devices that are allocated to a container.' },
);

export const ContainerStatus = struct(
  'core/v1.ContainerStatus',
  {
    name: field(1, string, { required: true, doc: 'The name of the container.' }),
    state: field(2, ContainerState, { doc: 'The current state of the container.' }),
    lastState: field(3, ContainerState, { doc: "The state of the container's last termination." }),
    ready: field(4, bool, {
      required: true,
      doc: 'Whether the container passes its readiness probe. Without a probe, whether it has started.',
    }),
    restartCount: field(5, int32, { required: true, doc: 'The number of restarts.' }),
    image: field(6, string, { required: true, doc: 'The image that the container runs.' }),
    imageID: field(7, string, { required: true, doc: 'The id of the image.' }),
    containerID: field(8, string, { doc: 'The id of the container as `type://id`.' }),
    started: field(9, optional(bool), { doc: 'Whether the container has passed its startup probe.' }),
    allocatedResources: field(10, resourceList, {
      doc: 'The resources that the node has allocated to the container.',
    }),
    resources: field(11, optional(ResourceRequirements), {
      doc: 'The resource requests and limits in effect.',
    }),
    volumeMounts: field(
      12,
      list(VolumeMountStatus, { type: 'map', keys: ['mountPath'], patch: 'merge', patchKey: 'mountPath' }),
      { doc: 'The status of the volume mounts.' },
    ),
    user: field(13, optional(ContainerUser), { doc: "The user of the container's first process." }),
    allocatedResourcesStatus: field(
      14,
      list(ResourceStatus, { type: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' }),
      { doc: 'The health of the allocated devices.' },
    ),
    stopSignal: field(15, optional(signal), { doc: 'The stop signal of the container.' }),
  },
  { doc: 'The current status of a container.' },
);
export type ContainerStatus = Infer<typeof ContainerStatus>;

const podQOSClass = named('core/v1.PodQOSClass', publishedEnum('Guaranteed', 'Burstable', 'BestEffort'));

const PodResourceClaimStatus = struct(
  'core/v1.PodResourceClaimStatus',
  {
    name: field(1, string, { required: true, doc: "The name of an entry in the pod's `resourceClaims`." }),
    resourceClaimName: field(2, optional(string), {
      doc: 'The ResourceClaim that was generated from the template. Absent if none was needed.',
    }),
  },
  { doc: 'The status of a ResourceClaim that is generated from a template.' },
);

const statuses = list(ContainerStatus, { type: 'atomic' });

export const PodStatus = struct(
  'core/v1.PodStatus',
  {
    observedGeneration: field(17, int64, { doc: 'The generation of the pod that this status reflects.' }),
    phase: field(
      1,
      named('core/v1.PodPhase', publishedEnum('Pending', 'Running', 'Succeeded', 'Failed', 'Unknown')),
      { doc: 'Pending, Running, Succeeded, Failed or Unknown.' },
    ),
    conditions: field(
      2,
      list(PodCondition, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' }),
      { doc: 'The observed conditions of the pod.' },
    ),
    message: field(3, string, { doc: "A human-readable explanation of the pod's state." }),
    reason: field(4, string, { doc: "A short reason for the pod's state, such as Evicted." }),
    nominatedNodeName: field(11, string, { doc: 'The node on which other pods are preempted for this pod.' }),
    hostIP: field(5, string, { doc: 'The IP address of the node.' }),
    hostIPs: field(16, list(HostIP, { type: 'atomic', patch: 'merge', patchKey: 'ip' }), {
      doc: 'The IP addresses of the node, one per IP family. `hostIP` is the first.',
    }),
    podIP: field(6, string, { doc: 'The IP address of the pod.' }),
    podIPs: field(12, list(PodIP, { type: 'map', keys: ['ip'], patch: 'merge', patchKey: 'ip' }), {
      doc: 'The IP addresses of the pod, at most one per IP family. `podIP` is the first.',
    }),
    startTime: field(7, optional(time), {
      doc: 'When the kubelet accepted the pod, before it pulled images.',
    }),
    initContainerStatuses: field(10, statuses, { doc: 'The status of the init containers.' }),
    containerStatuses: field(8, statuses, { doc: 'The status of the containers.' }),
    qosClass: field(9, podQOSClass, {
      doc: 'The quality of service class: Guaranteed, Burstable or BestEffort. Immutable.',
    }),
    ephemeralContainerStatuses: field(13, statuses, { doc: 'The status of the ephemeral containers.' }),
    resize: field(14, named('core/v1.PodResizeStatus', openEnum('InProgress', 'Deferred', 'Infeasible')), {
      doc: 'Deprecated: the status of a resize. Replaced by pod conditions.',
    }),
    resourceClaimStatuses: field(
      15,
      list(PodResourceClaimStatus, {
        type: 'map',
        keys: ['name'],
        patch: 'merge,retainKeys',
        patchKey: 'name',
      }),
      { doc: "The status of the pod's ResourceClaims." },
    ),
  },
  {
    doc: 'The current status of a pod.',
    defaults(status) {
      const first = status.podIPs?.[0]?.ip;
      if (status.podIP && status.podIP !== first) status.podIPs = [{ ip: status.podIP }];
      else if (first) status.podIP = first;
    },
  },
);
export type PodStatus = Infer<typeof PodStatus>;
