// PodStatus: schema.
import { list } from '../../schema/collections.ts';
import { bool, documentedEnum, int32, int64, named, oneOf, string } from '../../schema/scalars.ts';
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

export const PodCondition = struct(
  'core/v1.PodCondition',
  {
    type: field(1, podConditionType, { required: true, doc: 'What it is about.' }),
    observedGeneration: field(7, int64, { doc: 'The generation of the pod that it was found for.' }),
    status: field(2, conditionStatus, { required: true, doc: 'True, False or Unknown.' }),
    lastProbeTime: field(3, time, { doc: 'When it was last looked at.' }),
    lastTransitionTime: field(4, time, { doc: 'When the status last changed.' }),
    reason: field(5, string, { doc: 'Why it last changed, in one word.' }),
    message: field(6, string, { doc: 'Why it last changed, for people.' }),
  },
  { doc: 'One thing that is known of a pod.' },
);
export type PodCondition = Infer<typeof PodCondition>;

const PodIP = struct(
  'core/v1.PodIP',
  { ip: field(1, string, { required: true, doc: 'The address.' }) },
  { doc: 'An address of a pod.' },
);

const ContainerStateWaiting = struct(
  'core/v1.ContainerStateWaiting',
  {
    reason: field(1, string, { doc: 'Why it does not run yet, in one word.' }),
    message: field(2, string, { doc: 'Why, for people.' }),
  },
  { doc: 'A container that does not run yet.' },
);

const ContainerStateRunning = struct(
  'core/v1.ContainerStateRunning',
  { startedAt: field(1, time, { doc: 'Since when.' }) },
  { doc: 'A container that runs.' },
);

const ContainerStateTerminated = struct(
  'core/v1.ContainerStateTerminated',
  {
    exitCode: field(1, int32, { required: true, doc: 'What it ended with.' }),
    signal: field(2, int32, { doc: 'The signal that ended it.' }),
    reason: field(3, string, { doc: 'Why it ended, in one word.' }),
    message: field(4, string, { doc: 'Its last words.' }),
    startedAt: field(5, time, { doc: 'When it began.' }),
    finishedAt: field(6, time, { doc: 'When it ended.' }),
    containerID: field(7, string, { doc: 'What the runtime calls it: `type://id`.' }),
  },
  { doc: 'A container that has ended.' },
);

const ContainerState = struct(
  'core/v1.ContainerState',
  {
    waiting: field(1, optional(ContainerStateWaiting), { doc: 'It does not run yet.' }),
    running: field(2, optional(ContainerStateRunning), { doc: 'It runs.' }),
    terminated: field(3, optional(ContainerStateTerminated), { doc: 'It has ended.' }),
  },
  { doc: 'What a container is doing: one of these, waiting if none is given.' },
);

const VolumeMountStatus = struct(
  'core/v1.VolumeMountStatus',
  {
    name: field(1, string, { required: true, doc: 'The volume.' }),
    mountPath: field(2, string, { required: true, doc: 'Where it is mounted.' }),
    readOnly: field(3, bool, { doc: 'It is read-only.' }),
    recursiveReadOnly: field(4, optional(recursiveReadOnlyMode), {
      doc: 'Whether all below it is read-only too: Enabled or Disabled.',
    }),
  },
  { doc: 'How a volume is mounted.' },
);

const LinuxContainerUser = struct(
  'core/v1.LinuxContainerUser',
  {
    uid: field(1, int64, { required: true, doc: 'The user.' }),
    gid: field(2, int64, { required: true, doc: 'The main group.' }),
    supplementalGroups: field(3, list(int64, { type: 'atomic' }), { doc: 'The other groups.' }),
  },
  { doc: 'Who the first process of a container is, on Linux.' },
);

const ContainerUser = struct(
  'core/v1.ContainerUser',
  { linux: field(1, optional(LinuxContainerUser), { doc: 'On Linux.' }) },
  { doc: 'Who the first process of a container is.' },
);

const ResourceHealth = struct(
  'core/v1.ResourceHealth',
  {
    resourceID: field(1, named('core/v1.ResourceID', string), { required: true, doc: 'Which device.' }),
    health: field(2, named('core/v1.ResourceHealthStatus', oneOf('Healthy', 'Unhealthy', 'Unknown')), {
      doc: 'How it is.',
    }),
  },
  { doc: 'How a device is.' },
);

const ResourceStatus = struct(
  'core/v1.ResourceStatus',
  {
    name: field(1, resourceName, { required: true, doc: 'The resource, or `claim:<name>/<request>`.' }),
    resources: field(2, list(ResourceHealth, { type: 'map', keys: ['resourceID'] }), {
      doc: 'The devices that it consists of.',
    }),
  },
  { doc: 'How the devices are that a container has been given.' },
);

export const ContainerStatus = struct(
  'core/v1.ContainerStatus',
  {
    name: field(1, string, { required: true, doc: 'Which container.' }),
    state: field(2, ContainerState, { doc: 'What it is doing.' }),
    lastState: field(3, ContainerState, { doc: 'How it ended the last time.' }),
    ready: field(4, bool, {
      required: true,
      doc: 'Its readiness probe succeeds, or it has none and has started.',
    }),
    restartCount: field(5, int32, { required: true, doc: 'How often it has been started again.' }),
    image: field(6, string, { required: true, doc: 'The image that it runs.' }),
    imageID: field(7, string, { required: true, doc: 'The id of that image.' }),
    containerID: field(8, string, { doc: 'What the runtime calls it: `type://id`.' }),
    started: field(9, optional(bool), { doc: 'Its startup probe has succeeded.' }),
    allocatedResources: field(10, resourceList, { doc: 'What the node has set aside for it.' }),
    resources: field(11, optional(ResourceRequirements), { doc: 'What it has been given.' }),
    volumeMounts: field(
      12,
      list(VolumeMountStatus, { type: 'map', keys: ['mountPath'], patch: 'merge', patchKey: 'mountPath' }),
      { doc: 'How its volumes are mounted.' },
    ),
    user: field(13, optional(ContainerUser), { doc: 'Who its first process is.' }),
    allocatedResourcesStatus: field(
      14,
      list(ResourceStatus, { type: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' }),
      { doc: 'How its devices are.' },
    ),
    stopSignal: field(15, optional(signal), { doc: 'The signal that tells it to end.' }),
  },
  { doc: 'What was last seen of a container.' },
);
export type ContainerStatus = Infer<typeof ContainerStatus>;

const podQOSClass = named('core/v1.PodQOSClass', documentedEnum('Guaranteed', 'Burstable', 'BestEffort'));

const PodResourceClaimStatus = struct(
  'core/v1.PodResourceClaimStatus',
  {
    name: field(1, string, { required: true, doc: "One of the pod's `resourceClaims`." }),
    resourceClaimName: field(2, optional(string), {
      doc: 'The ResourceClaim that was made for it; without one, none was needed.',
    }),
  },
  { doc: 'What became of a claim that is made from a template.' },
);

const statuses = list(ContainerStatus, { type: 'atomic' });

export const PodStatus = struct(
  'core/v1.PodStatus',
  {
    observedGeneration: field(17, int64, { doc: 'The generation of the pod that this was seen of.' }),
    phase: field(
      1,
      named('core/v1.PodPhase', documentedEnum('Pending', 'Running', 'Succeeded', 'Failed', 'Unknown')),
      { doc: 'Where in its life the pod is, roughly.' },
    ),
    conditions: field(
      2,
      list(PodCondition, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' }),
      { doc: 'What is known of it.' },
    ),
    message: field(3, string, { doc: 'Why it is as it is, for people.' }),
    reason: field(4, string, { doc: 'Why it is as it is, in one word, such as Evicted.' }),
    nominatedNodeName: field(11, string, { doc: 'The node that room is being made on for it.' }),
    hostIP: field(5, string, { doc: 'The address of its node.' }),
    hostIPs: field(16, list(HostIP, { type: 'atomic', patch: 'merge', patchKey: 'ip' }), {
      doc: 'The addresses of its node, of each family. `hostIP` is the first.',
    }),
    podIP: field(6, string, { doc: 'Its address.' }),
    podIPs: field(12, list(PodIP, { type: 'map', keys: ['ip'], patch: 'merge', patchKey: 'ip' }), {
      doc: 'Its addresses, at most one of each family. `podIP` is the first.',
    }),
    startTime: field(7, optional(time), { doc: 'When its node took it up, before images were fetched.' }),
    initContainerStatuses: field(10, statuses, { doc: 'The init containers.' }),
    containerStatuses: field(8, statuses, { doc: 'The containers.' }),
    qosClass: field(9, podQOSClass, { doc: 'How safe it is from being thrown out. It never changes.' }),
    ephemeralContainerStatuses: field(13, statuses, { doc: 'The ephemeral containers.' }),
    resize: field(14, named('core/v1.PodResizeStatus', oneOf('InProgress', 'Deferred', 'Infeasible')), {
      doc: 'Deprecated: how far a change of resources has come. Conditions say it now.',
    }),
    resourceClaimStatuses: field(
      15,
      list(PodResourceClaimStatus, {
        type: 'map',
        keys: ['name'],
        patch: 'merge,retainKeys',
        patchKey: 'name',
      }),
      { doc: 'What became of its claims.' },
    ),
  },
  {
    doc: 'What was last seen of a pod.',
    defaults(status) {
      const first = status.podIPs?.[0]?.ip;
      if (status.podIP && status.podIP !== first) status.podIPs = [{ ip: status.podIP }];
      else if (first) status.podIP = first;
    },
  },
);
export type PodStatus = Infer<typeof PodStatus>;
