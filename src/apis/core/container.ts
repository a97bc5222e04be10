// Container and EphemeralContainer: schemas and defaults.
import { list } from '../../schema/collections.ts';
import { bool, documentedEnum, int32, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, inline, optional, struct } from '../../schema/struct.ts';
import { EnvFromSource, EnvVar } from './container-env.ts';
import { imageTag } from './container-image.ts';
import { VolumeDevice, VolumeMount } from './container-mounts.ts';
import { Lifecycle, Probe } from './probe.ts';
import { protocol } from './protocol.ts';
import { pullPolicy } from './pull-policy.ts';
import { resourceName } from './resource-name.ts';
import { ResourceRequirements } from './resource-requirements.ts';
import { containerRestartPolicy } from './restart-policy.ts';
import { SecurityContext } from './security-context.ts';

export const ContainerPort = struct(
  'core/v1.ContainerPort',
  {
    name: field(1, string, { doc: 'A name for services and probes to go by, unique in the pod.' }),
    hostPort: field(2, int32, { doc: 'The port on the node that leads here. Most pods need none.' }),
    containerPort: field(3, int32, { required: true, doc: 'The port that the container listens on.' }),
    protocol: field(4, protocol, { default: 'TCP', announced: true, doc: 'TCP, UDP or SCTP.' }),
    hostIP: field(5, string, { doc: 'The address of the node that the host port is bound to.' }),
  },
  { doc: 'A port that a container listens on.' },
);
export type ContainerPort = Infer<typeof ContainerPort>;

export const ContainerResizePolicy = struct(
  'core/v1.ContainerResizePolicy',
  {
    resourceName: field(1, resourceName, { required: true, doc: 'cpu or memory.' }),
    restartPolicy: field(
      2,
      named('core/v1.ResourceResizeRestartPolicy', oneOf('NotRequired', 'RestartContainer')),
      { required: true, doc: 'Whether the container starts anew when its share of the resource changes.' },
    ),
  },
  { doc: 'What a change of one resource means for the container.' },
);
export type ContainerResizePolicy = Infer<typeof ContainerResizePolicy>;

const terminationMessagePolicy = named(
  'core/v1.TerminationMessagePolicy',
  documentedEnum('File', 'FallbackToLogsOnError'),
);

/** Fields common to Container and EphemeralContainer, except `name`. */
const containerFields = {
  image: field(2, string, { doc: 'The name of the image.' }),
  command: field(3, list(string, { type: 'atomic' }), {
    doc: "What to run, instead of the image's entry point. `$(NAME)` stands for a variable.",
  }),
  args: field(4, list(string, { type: 'atomic' }), {
    doc: "Arguments, instead of the image's. `$(NAME)` stands for a variable.",
  }),
  workingDir: field(5, string, { doc: "The folder to run in, instead of the image's." }),
  ports: field(
    6,
    list(ContainerPort, {
      type: 'map',
      keys: ['containerPort', 'protocol'],
      patch: 'merge',
      patchKey: 'containerPort',
    }),
    { doc: 'The ports that it listens on. One that is not listed is reachable all the same.' },
  ),
  envFrom: field(19, list(EnvFromSource, { type: 'atomic' }), {
    doc: 'Objects whose entries become variables. Of two with one name the later wins, and `env` wins over all.',
  }),
  env: field(7, list(EnvVar, { type: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' }), {
    doc: 'The variables of its environment.',
  }),
  resources: field(8, ResourceRequirements, { doc: 'How much it asks for and may use.' }),
  resizePolicy: field(23, list(ContainerResizePolicy, { type: 'atomic' }), {
    doc: 'What happens to it when its resources change.',
  }),
  restartPolicy: field(24, optional(containerRestartPolicy), {
    doc: 'Only for init containers: `Always` makes it a sidecar, which runs on beside the containers that follow.',
  }),
  volumeMounts: field(
    9,
    list(VolumeMount, { type: 'map', keys: ['mountPath'], patch: 'merge', patchKey: 'mountPath' }),
    { doc: 'The volumes that it sees.' },
  ),
  volumeDevices: field(
    21,
    list(VolumeDevice, { type: 'map', keys: ['devicePath'], patch: 'merge', patchKey: 'devicePath' }),
    { doc: 'The block devices that it sees.' },
  ),
  livenessProbe: field(10, optional(Probe), { doc: 'When it fails, the container is started anew.' }),
  readinessProbe: field(11, optional(Probe), {
    doc: 'While it fails, the pod gets no requests from services.',
  }),
  startupProbe: field(22, optional(Probe), { doc: 'Until it succeeds, the other probes wait.' }),
  lifecycle: field(12, optional(Lifecycle), { doc: 'What is done after its start and before its end.' }),
  terminationMessagePath: field(13, string, {
    doc: 'The file in which it leaves its last words. /dev/termination-log by default.',
  }),
  terminationMessagePolicy: field(20, terminationMessagePolicy, {
    doc: 'Where the last words come from: that file, or the end of the log where it is empty after a failure.',
  }),
  imagePullPolicy: field(14, pullPolicy, {
    doc: 'When the image is fetched. Always for the tag `latest`, else IfNotPresent.',
  }),
  securityContext: field(15, optional(SecurityContext), { doc: 'What it may do, over what the pod says.' }),
  stdin: field(16, bool, { doc: 'Keeps a buffer open for its standard input.' }),
  stdinOnce: field(17, bool, { doc: 'Closes the standard input after the first client has left.' }),
  tty: field(18, bool, { doc: 'Gives it a terminal. Needs `stdin`.' }),
};

interface ContainerDefaults {
  image?: string;
  terminationMessagePath?: string;
  terminationMessagePolicy?: string;
  imagePullPolicy?: string;
}

function containerDefaults(container: ContainerDefaults): void {
  container.imagePullPolicy ||= imageTag(container.image ?? '') === 'latest' ? 'Always' : 'IfNotPresent';
  container.terminationMessagePath ||= '/dev/termination-log';
  container.terminationMessagePolicy ||= 'File';
}

export const Container = struct(
  'core/v1.Container',
  {
    name: field(1, string, { required: true, doc: 'Its name, unique in the pod. It cannot be changed.' }),
    ...containerFields,
  },
  { doc: 'One container of a pod.', defaults: containerDefaults },
);
export type Container = Infer<typeof Container>;

const EphemeralContainerCommon = struct(
  'core/v1.EphemeralContainerCommon',
  {
    name: field(1, string, { alwaysWritten: true, doc: 'Its name, unique in the pod.' }),
    ...containerFields,
  },
  { doc: 'What an ephemeral container has in common with others.' },
);

export const EphemeralContainer = struct(
  'core/v1.EphemeralContainer',
  {
    ...inline(1, EphemeralContainerCommon),
    targetContainerName: field(2, string, { doc: 'The container whose processes it shall see.' }),
  },
  {
    doc: 'A container that is put into a running pod, to look at it. It is never started again, nor taken out.',
    defaults: containerDefaults,
  },
);
export type EphemeralContainer = Infer<typeof EphemeralContainer>;
