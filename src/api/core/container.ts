import { list } from '../../schema/collections.ts';
import { bool, int32, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, inline, optional, struct } from '../../schema/struct.ts';
import {
  ConfigMapKeySelector,
  ObjectFieldSelector,
  ResourceFieldSelector,
  SecretKeySelector,
} from './key-selector.ts';
import { LocalObjectReference } from './local-object-reference.ts';
import { Lifecycle, Probe } from './probe.ts';
import { protocol } from './protocol.ts';
import { pullPolicy } from './pull-policy.ts';
import { recursiveReadOnlyMode } from './recursive-read-only.ts';
import { resourceName } from './resource-name.ts';
import { ResourceRequirements } from './resource-requirements.ts';
import { containerRestartPolicy } from './restart-policy.ts';
import { SecurityContext } from './security-context.ts';

export const ContainerPort = struct('core/v1.ContainerPort', {
  name: field(1, string),
  hostPort: field(2, int32),
  containerPort: field(3, int32, { required: true }),
  protocol: field(4, protocol, { default: 'TCP' }),
  hostIP: field(5, string),
});
export type ContainerPort = Infer<typeof ContainerPort>;

export const ConfigMapEnvSource = struct('core/v1.ConfigMapEnvSource', {
  ...inline(1, LocalObjectReference),
  optional: field(2, optional(bool)),
});
export type ConfigMapEnvSource = Infer<typeof ConfigMapEnvSource>;

export const SecretEnvSource = struct('core/v1.SecretEnvSource', {
  ...inline(1, LocalObjectReference),
  optional: field(2, optional(bool)),
});
export type SecretEnvSource = Infer<typeof SecretEnvSource>;

export const EnvFromSource = struct('core/v1.EnvFromSource', {
  prefix: field(1, string),
  configMapRef: field(2, optional(ConfigMapEnvSource)),
  secretRef: field(3, optional(SecretEnvSource)),
});
export type EnvFromSource = Infer<typeof EnvFromSource>;

export const EnvVarSource = struct('core/v1.EnvVarSource', {
  fieldRef: field(1, optional(ObjectFieldSelector)),
  resourceFieldRef: field(2, optional(ResourceFieldSelector)),
  configMapKeyRef: field(3, optional(ConfigMapKeySelector)),
  secretKeyRef: field(4, optional(SecretKeySelector)),
});
export type EnvVarSource = Infer<typeof EnvVarSource>;

export const EnvVar = struct('core/v1.EnvVar', {
  name: field(1, string, { required: true }),
  value: field(2, string),
  valueFrom: field(3, optional(EnvVarSource)),
});
export type EnvVar = Infer<typeof EnvVar>;

export const ContainerResizePolicy = struct('core/v1.ContainerResizePolicy', {
  resourceName: field(1, resourceName, { required: true }),
  restartPolicy: field(
    2,
    named('core/v1.ResourceResizeRestartPolicy', oneOf('NotRequired', 'RestartContainer')),
    { required: true },
  ),
});
export type ContainerResizePolicy = Infer<typeof ContainerResizePolicy>;

export const VolumeMount = struct('core/v1.VolumeMount', {
  name: field(1, string, { required: true }),
  readOnly: field(2, bool),
  recursiveReadOnly: field(7, optional(recursiveReadOnlyMode)),
  mountPath: field(3, string, { required: true }),
  subPath: field(4, string),
  mountPropagation: field(
    5,
    optional(named('core/v1.MountPropagationMode', oneOf('None', 'HostToContainer', 'Bidirectional'))),
  ),
  subPathExpr: field(6, string),
});
export type VolumeMount = Infer<typeof VolumeMount>;

export const VolumeDevice = struct('core/v1.VolumeDevice', {
  name: field(1, string, { required: true }),
  devicePath: field(2, string, { required: true }),
});
export type VolumeDevice = Infer<typeof VolumeDevice>;

export const terminationMessagePolicy = named(
  'core/v1.TerminationMessagePolicy',
  oneOf('File', 'FallbackToLogsOnError'),
);

export const Container = struct('core/v1.Container', {
  name: field(1, string, { required: true }),
  image: field(2, string),
  command: field(3, list(string, { type: 'atomic' })),
  args: field(4, list(string, { type: 'atomic' })),
  workingDir: field(5, string),
  ports: field(
    6,
    list(ContainerPort, {
      type: 'map',
      keys: ['containerPort', 'protocol'],
      patch: 'merge',
      patchKey: 'containerPort',
    }),
  ),
  envFrom: field(19, list(EnvFromSource, { type: 'atomic' })),
  env: field(7, list(EnvVar, { type: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' })),
  resources: field(8, ResourceRequirements),
  resizePolicy: field(23, list(ContainerResizePolicy, { type: 'atomic' })),
  restartPolicy: field(24, optional(containerRestartPolicy)),
  volumeMounts: field(
    9,
    list(VolumeMount, { type: 'map', keys: ['mountPath'], patch: 'merge', patchKey: 'mountPath' }),
  ),
  volumeDevices: field(
    21,
    list(VolumeDevice, { type: 'map', keys: ['devicePath'], patch: 'merge', patchKey: 'devicePath' }),
  ),
  livenessProbe: field(10, optional(Probe)),
  readinessProbe: field(11, optional(Probe)),
  startupProbe: field(22, optional(Probe)),
  lifecycle: field(12, optional(Lifecycle)),
  terminationMessagePath: field(13, string),
  terminationMessagePolicy: field(20, terminationMessagePolicy),
  imagePullPolicy: field(14, pullPolicy),
  securityContext: field(15, optional(SecurityContext)),
  stdin: field(16, bool),
  stdinOnce: field(17, bool),
  tty: field(18, bool),
});
export type Container = Infer<typeof Container>;

export const EphemeralContainerCommon = struct('core/v1.EphemeralContainerCommon', {
  name: field(1, string, { alwaysWritten: true }),
  image: field(2, string),
  command: field(3, list(string, { type: 'atomic' })),
  args: field(4, list(string, { type: 'atomic' })),
  workingDir: field(5, string),
  ports: field(
    6,
    list(ContainerPort, {
      type: 'map',
      keys: ['containerPort', 'protocol'],
      patch: 'merge',
      patchKey: 'containerPort',
    }),
  ),
  envFrom: field(19, list(EnvFromSource, { type: 'atomic' })),
  env: field(7, list(EnvVar, { type: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' })),
  resources: field(8, ResourceRequirements),
  resizePolicy: field(23, list(ContainerResizePolicy, { type: 'atomic' })),
  restartPolicy: field(24, optional(containerRestartPolicy)),
  volumeMounts: field(
    9,
    list(VolumeMount, { type: 'map', keys: ['mountPath'], patch: 'merge', patchKey: 'mountPath' }),
  ),
  volumeDevices: field(
    21,
    list(VolumeDevice, { type: 'map', keys: ['devicePath'], patch: 'merge', patchKey: 'devicePath' }),
  ),
  livenessProbe: field(10, optional(Probe)),
  readinessProbe: field(11, optional(Probe)),
  startupProbe: field(22, optional(Probe)),
  lifecycle: field(12, optional(Lifecycle)),
  terminationMessagePath: field(13, string),
  terminationMessagePolicy: field(20, terminationMessagePolicy),
  imagePullPolicy: field(14, pullPolicy),
  securityContext: field(15, optional(SecurityContext)),
  stdin: field(16, bool),
  stdinOnce: field(17, bool),
  tty: field(18, bool),
});
export type EphemeralContainerCommon = Infer<typeof EphemeralContainerCommon>;

export const EphemeralContainer = struct('core/v1.EphemeralContainer', {
  ...inline(1, EphemeralContainerCommon),
  targetContainerName: field(2, string),
});
export type EphemeralContainer = Infer<typeof EphemeralContainer>;
