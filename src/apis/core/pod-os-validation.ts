// Pod: validation of spec.os and of the fields it excludes, and of HostProcess containers.
import { type FieldError, forbidden, invalid, notSupported, required } from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import { containersWithPaths } from './pod-containers.ts';
import type { PodSpec } from './pod-spec.ts';

const operatingSystems = ['linux', 'windows'];

/** Validates `os.name` and rejects fields that the operating system does not support. */
export function validateOperatingSystem(spec: PodSpec, path: string): FieldError[] {
  if (!spec.os) return [];
  const { name } = spec.os;
  if (name === '') return [required(`${path}.os.name`, 'cannot be empty')];
  if (name === 'linux') return validateNoWindowsFields(spec, path);
  if (name === 'windows') return validateNoLinuxFields(spec, path);
  return [notSupported(`${path}.os`, name, operatingSystems)];
}

function validateNoWindowsFields(spec: PodSpec, path: string): FieldError[] {
  const detail = 'windows options cannot be set for a linux pod';
  const errors: FieldError[] = [];
  if (spec.securityContext?.windowsOptions) {
    errors.push(forbidden(`${path}.securityContext.windowsOptions`, detail));
  }
  for (const { container, path: containerPath } of containersWithPaths(spec, path)) {
    if (!container.securityContext?.windowsOptions) continue;
    errors.push(forbidden(`${containerPath}.securityContext.windowsOptions`, detail));
  }
  return errors;
}

/**
 * Linux-only fields of the pod, in kube-apiserver's order, each with a function that returns undefined if it is not
 * set.
 */
const linuxOnlyPodFields = [
  ['securityContext.appArmorProfile', (spec: PodSpec) => spec.securityContext?.appArmorProfile],
  ['securityContext.seLinuxOptions', (spec: PodSpec) => spec.securityContext?.seLinuxOptions],
  ['hostUsers', (spec: PodSpec) => spec.hostUsers],
  ['hostPID', (spec: PodSpec) => spec.hostPID || undefined],
  ['hostIPC', (spec: PodSpec) => spec.hostIPC || undefined],
  ['securityContext.seccompProfile', (spec: PodSpec) => spec.securityContext?.seccompProfile],
  ['securityContext.fsGroup', (spec: PodSpec) => spec.securityContext?.fsGroup],
  ['securityContext.fsGroupChangePolicy', (spec: PodSpec) => spec.securityContext?.fsGroupChangePolicy],
  ['securityContext.sysctls', (spec: PodSpec) => spec.securityContext?.sysctls?.length || undefined],
  ['shareProcessNamespace', (spec: PodSpec) => spec.shareProcessNamespace],
  ['securityContext.runAsUser', (spec: PodSpec) => spec.securityContext?.runAsUser],
  ['securityContext.runAsGroup', (spec: PodSpec) => spec.securityContext?.runAsGroup],
  ['securityContext.supplementalGroups', (spec: PodSpec) => spec.securityContext?.supplementalGroups],
  [
    'securityContext.supplementalGroupsPolicy',
    (spec: PodSpec) => spec.securityContext?.supplementalGroupsPolicy,
  ],
  ['securityContext.seLinuxChangePolicy', (spec: PodSpec) => spec.securityContext?.seLinuxChangePolicy],
] as const;
/** Linux-only fields of a container's securityContext, in kube-apiserver's order. */
const linuxOnlyContainerFields = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
] as const;

function validateNoLinuxFields(spec: PodSpec, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const reject = (field: string) => errors.push(forbidden(field, 'cannot be set for a windows pod'));
  for (const [field, readField] of linuxOnlyPodFields) {
    if (readField(spec) !== undefined) reject(`${path}.${field}`);
  }
  for (const { container, path: containerPath } of containersWithPaths(spec, path)) {
    const context = container.securityContext;
    if (!context) continue;
    for (const field of linuxOnlyContainerFields) {
      if (context[field] !== undefined) reject(`${containerPath}.securityContext.${field}`);
    }
  }
  return errors;
}

/** HostProcess containers (Windows): all containers of a pod or none, and the pod must use hostNetwork. */
export function validateHostProcesses(
  spec: PodSpec,
  path: string,
  { allowPrivileged }: KindContext,
): FieldError[] {
  const podHostProcess = spec.securityContext?.windowsOptions?.hostProcess;
  const errors: FieldError[] = [];
  const containers = [...containersWithPaths(spec, path)];
  let hostProcessCount = 0;
  for (const { container, path: containerPath } of containers) {
    const hostProcess = container.securityContext?.windowsOptions?.hostProcess;
    if (podHostProcess !== undefined && hostProcess !== undefined && hostProcess !== podHostProcess) {
      const detail = `pod hostProcess value must be identical if both are specified, was ${podHostProcess}`;
      errors.push(
        invalid(`${containerPath}.securityContext.windowsOptions.hostProcess`, hostProcess, detail),
      );
    }
    if (hostProcess ?? podHostProcess) hostProcessCount++;
  }
  if (hostProcessCount === 0) return errors;
  if (hostProcessCount !== containers.length) {
    const detail =
      'If pod contains any hostProcess containers then all containers must be HostProcess containers';
    errors.push(invalid(path, '', detail));
  }
  if (!spec.hostNetwork) {
    const detail = 'hostNetwork must be true if pod contains any hostProcess containers';
    errors.push(invalid(`${path}.hostNetwork`, false, detail));
  }
  if (!allowPrivileged) {
    errors.push(forbidden(path, 'hostProcess containers are disallowed by cluster policy'));
  }
  return errors;
}
