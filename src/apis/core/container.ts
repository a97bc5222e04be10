// Container and EphemeralContainer: schemas and defaults.
import { list } from '../../schema/collections.ts';
import { bool, int32, named, openEnum, publishedEnum, string } from '../../schema/scalars.ts';
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
    name: field(1, string, { doc: 'A name that services and probes can refer to, unique in the pod.' }),
    hostPort: field(2, int32, {
      doc: 'The port of the node that is forwarded to the container port. Most containers do not need one.',
    }),
    containerPort: field(3, int32, { required: true, doc: 'The port on which the container listens.' }),
    protocol: field(4, protocol, { default: 'TCP', isDefaultPublished: true, doc: 'TCP, UDP or SCTP.' }),
    hostIP: field(5, string, { doc: 'The IP address of the node to which the host port is bound.' }),
  },
  { doc: 'A network port of a container.' },
);
export type ContainerPort = Infer<typeof ContainerPort>;

export const ContainerResizePolicy = struct(
  'core/v1.ContainerResizePolicy',
  {
    resourceName: field(1, resourceName, { required: true, doc: 'The name of the resource: cpu or memory.' }),
    restartPolicy: field(
      2,
      named('core/v1.ResourceResizeRestartPolicy', openEnum('NotRequired', 'RestartContainer')),
      {
        required: true,
        doc: 'Whether the container is restarted when the resource is resized: NotRequired (default) or RestartContainer.',
      },
    ),
  },
  { doc: 'The resize policy of a container for one resource.' },
);
export type ContainerResizePolicy = Infer<typeof ContainerResizePolicy>;

const terminationMessagePolicy = named(
  'core/v1.TerminationMessagePolicy',
  publishedEnum('File', 'FallbackToLogsOnError'),
);

/** Fields common to Container and EphemeralContainer, except `name`. */
const containerFields = {
  image: field(2, string, { doc: 'The container image.' }),
  command: field(3, list(string, { type: 'atomic' }), {
    doc: "The entrypoint, instead of the image's. `$(NAME)` is replaced by an environment variable.",
  }),
  args: field(4, list(string, { type: 'atomic' }), {
    doc: "The arguments of the entrypoint, instead of the image's. `$(NAME)` is replaced by an environment variable.",
  }),
  workingDir: field(5, string, { doc: "The working directory, instead of the image's." }),
  ports: field(
    6,
    list(ContainerPort, {
      type: 'map',
      keys: ['containerPort', 'protocol'],
      patch: 'merge',
      patchKey: 'containerPort',
    }),
    { doc: 'The ports of the container. Ports that are not listed are reachable too.' },
  ),
  envFrom: field(19, list(EnvFromSource, { type: 'atomic' }), {
    doc: 'Objects whose entries become environment variables. On duplicate names the last source wins, and `env` overrides all sources.',
  }),
  env: field(7, list(EnvVar, { type: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' }), {
    doc: 'The environment variables of the container.',
  }),
  resources: field(8, ResourceRequirements, { doc: 'The resource requests and limits of the container.' }),
  resizePolicy: field(23, list(ContainerResizePolicy, { type: 'atomic' }), {
    doc: 'Whether a resize of each resource restarts the container.',
  }),
  restartPolicy: field(24, optional(containerRestartPolicy), {
    doc: 'For init containers only. `Always` makes the init container a sidecar, which keeps running beside the containers that start after it.',
  }),
  volumeMounts: field(
    9,
    list(VolumeMount, { type: 'map', keys: ['mountPath'], patch: 'merge', patchKey: 'mountPath' }),
    { doc: 'The volumes to mount in the container.' },
  ),
  volumeDevices: field(
    21,
    list(VolumeDevice, { type: 'map', keys: ['devicePath'], patch: 'merge', patchKey: 'devicePath' }),
    { doc: 'The raw block devices to map into the container.' },
  ),
  livenessProbe: field(10, optional(Probe), { doc: 'The container is restarted if this probe fails.' }),
  readinessProbe: field(11, optional(Probe), {
    doc: 'The pod is removed from the endpoints of services while this probe fails.',
  }),
  startupProbe: field(22, optional(Probe), {
    doc: 'The other probes do not run until this probe has succeeded.',
  }),
  lifecycle: field(12, optional(Lifecycle), {
    doc: 'Actions after the start and before the termination of the container.',
  }),
  terminationMessagePath: field(13, string, {
    doc: 'The file to which the container writes its termination message. Defaults to /dev/termination-log.',
  }),
  terminationMessagePolicy: field(20, terminationMessagePolicy, {
    doc: 'The source of the termination message: File, or FallbackToLogsOnError, which uses the end of the log if the file is empty and the container failed.',
  }),
  imagePullPolicy: field(14, pullPolicy, {
    doc: 'When the image is pulled. Defaults to Always for the tag `latest`, otherwise to IfNotPresent.',
  }),
  securityContext: field(15, optional(SecurityContext), {
    doc: 'The security options of the container. They override those of the pod.',
  }),
  stdin: field(16, bool, { doc: 'Allocates a buffer for standard input.' }),
  stdinOnce: field(17, bool, { doc: 'Closes standard input after the first client has disconnected.' }),
  tty: field(18, bool, { doc: 'Allocates a terminal (TTY). Requires `stdin`.' }),
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
    name: field(1, string, {
      required: true,
      doc: 'The name of the container, a DNS label, unique in the pod. Immutable.',
    }),
    ...containerFields,
  },
  { doc: 'A container of a pod.', defaults: containerDefaults },
);
export type Container = Infer<typeof Container>;

const EphemeralContainerCommon = struct(
  'core/v1.EphemeralContainerCommon',
  {
    name: field(1, string, { omitEmpty: false, doc: 'The name of the container, unique in the pod.' }),
    ...containerFields,
  },
  { doc: 'The fields that ephemeral containers share with other containers.' },
);

export const EphemeralContainer = struct(
  'core/v1.EphemeralContainer',
  {
    ...inline(1, EphemeralContainerCommon),
    targetContainerName: field(2, string, {
      doc: 'The container whose process namespace the ephemeral container joins.',
    }),
  },
  {
    doc: 'A container that is added to a running pod for debugging. It is never restarted and cannot be removed.',
    defaults: containerDefaults,
  },
);
export type EphemeralContainer = Infer<typeof EphemeralContainer>;
