// SecurityContext and PodSecurityContext: validation (upstream: ValidateSecurityContext,
// validatePodSpecSecurityContext).
import {
  addErrors,
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
  tooLong,
} from '../../errors/field-error.ts';
import { goSyntaxOfType } from '../../errors/go-syntax-of-type.ts';
import type { KindContext } from '../../kind/context.ts';
import { validateDescendingPath } from './file-path-validation.ts';
import type { PodSpec } from './pod-spec.ts';
import { type AppArmorProfile, SeccompProfile, SecurityContext, type Sysctl } from './security-context.ts';
import { validateWindowsOptions } from './security-context-windows.ts';

export function validateSecurityContext(
  context: SecurityContext,
  path: string,
  { hostUsers, allowPrivileged }: { hostUsers: boolean; allowPrivileged: boolean },
): FieldError[] {
  const { procMount, allowPrivilegeEscalation, privileged, capabilities } = context;
  const errors = [
    ...(privileged && !allowPrivileged
      ? [forbidden(`${path}.privileged`, 'disallowed by cluster policy')]
      : []),
    ...validateId(context.runAsUser, `${path}.runAsUser`),
    ...validateId(context.runAsGroup, `${path}.runAsGroup`),
    ...validateEnum(procMount, `${path}.procMount`, ['Default', 'Unmasked']),
  ];
  if (procMount === 'Unmasked' && hostUsers) {
    errors.push(invalid(`${path}.procMount`, procMount, '`hostUsers` must be false to use `Unmasked`'));
  }
  addErrors(errors, validateSeccompProfile(context.seccompProfile, `${path}.seccompProfile`));
  if (allowPrivilegeEscalation === false) {
    const reject = (detail: string) =>
      errors.push(
        invalid(
          path,
          goSyntaxOfType(SecurityContext, context),
          `cannot set \`allowPrivilegeEscalation\` to false and ${detail}`,
        ),
      );
    if (privileged) reject('`privileged` to true');
    if (capabilities?.add?.includes('CAP_SYS_ADMIN')) reject('`capabilities.Add` CAP_SYS_ADMIN');
  }
  return [
    ...errors,
    ...validateWindowsOptions(context.windowsOptions, `${path}.windowsOptions`),
    ...validateAppArmorProfile(context.appArmorProfile, `${path}.appArmorProfile`),
  ];
}

export function validatePodSecurityContext(
  spec: PodSpec,
  path: string,
  { features }: KindContext,
): FieldError[] {
  const context = spec.securityContext;
  if (!context) return [];
  const changePolicies = features.enabled('SELinuxMount') ? ['MountOption', 'Recursive'] : ['Recursive'];
  const errors = [
    ...validateId(context.fsGroup, `${path}.fsGroup`),
    ...validateId(context.runAsUser, `${path}.runAsUser`),
    ...validateId(context.runAsGroup, `${path}.runAsGroup`),
    ...(context.supplementalGroups ?? []).flatMap((id, i) =>
      validateId(id, `${path}.supplementalGroups[${i}]`),
    ),
  ];
  if (spec.shareProcessNamespace && spec.hostPID) {
    const detail = 'ShareProcessNamespace and HostPID cannot both be enabled';
    errors.push(invalid(`${path}.shareProcessNamespace`, true, detail));
  }
  return [
    ...errors,
    ...validateSysctls(context.sysctls ?? [], spec, `${path}.sysctls`),
    ...validateEnum(context.fsGroupChangePolicy, `${path}.fsGroupChangePolicy`, ['Always', 'OnRootMismatch']),
    ...validateSeccompProfile(context.seccompProfile, `${path}.seccompProfile`),
    ...validateWindowsOptions(context.windowsOptions, `${path}.windowsOptions`),
    ...validateAppArmorProfile(context.appArmorProfile, `${path}.appArmorProfile`),
    ...validateEnum(context.supplementalGroupsPolicy, `${path}.supplementalGroupsPolicy`, [
      'Merge',
      'Strict',
    ]),
    ...validateEnum(context.seLinuxChangePolicy, `${path}.seLinuxChangePolicy`, changePolicies),
  ];
}

const maxId = 2 ** 31 - 1;

/** User and group ids range from 0 to 2^31 - 1. */
function validateId(id: number | undefined, path: string): FieldError[] {
  if (id === undefined || (id >= 0 && id <= maxId)) return [];
  return [invalid(path, id, `must be between 0 and ${maxId}, inclusive`)];
}

function validateEnum(value: string | undefined, path: string, supported: readonly string[]): FieldError[] {
  return value === undefined || supported.includes(value) ? [] : [notSupported(path, value, supported)];
}

/** Of seccomp and AppArmor profiles. */
const profileTypes = ['Localhost', 'RuntimeDefault', 'Unconfined'];

function validateSeccompProfile(profile: SeccompProfile | undefined, path: string): FieldError[] {
  if (!profile) return [];
  const { type, localhostProfile } = profile;
  const errors =
    type === ''
      ? [required(`${path}.type`, 'type is required when seccompProfile is set')]
      : validateEnum(type, `${path}.type`, profileTypes);
  const profilePath = `${path}.localhostProfile`;
  if (type !== 'Localhost') {
    if (localhostProfile === undefined) return errors;
    const badValue = goSyntaxOfType(SeccompProfile, profile);
    return [...errors, invalid(profilePath, badValue, 'can only be set when seccomp type is Localhost')];
  }
  if (localhostProfile === undefined) {
    return [...errors, required(profilePath, 'must be set when seccomp type is Localhost')];
  }
  return [...errors, ...validateDescendingPath(localhostProfile, profilePath)];
}

const maxAppArmorProfileLength = 4095;

function validateAppArmorProfile(profile: AppArmorProfile | undefined, path: string): FieldError[] {
  if (!profile) return [];
  const { type, localhostProfile } = profile;
  const profilePath = `${path}.localhostProfile`;
  if (type === '') return [required(`${path}.type`, 'type is required when appArmorProfile is set')];
  if (!profileTypes.includes(type)) return [notSupported(`${path}.type`, type, profileTypes)];
  if (type !== 'Localhost') {
    if (localhostProfile === undefined) return [];
    return [invalid(profilePath, localhostProfile, 'can only be set when AppArmor type is Localhost')];
  }
  const missingProfile = required(profilePath, 'must be set when AppArmor type is Localhost');
  if (localhostProfile === undefined) return [missingProfile];
  const errors: FieldError[] = [];
  if (localhostProfile.trim() !== localhostProfile) {
    errors.push(invalid(profilePath, localhostProfile, 'must not be padded with whitespace'));
  } else if (localhostProfile === '') {
    errors.push(missingProfile);
  }
  if (Buffer.byteLength(localhostProfile) > maxAppArmorProfileLength) {
    errors.push(tooLong(profilePath, maxAppArmorProfileLength));
  }
  return errors;
}

/** Printed in the error message; isSysctlName checks the parts one by one. */
const sysctlPattern = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';
const sysctlPart = /^[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?$/;
const maxSysctlLength = 253;
const ipcSysctl =
  /^(?:kernel\.(?:sem|shm|shm(?:all|max|mni|_rmid_forced)|msg|msg(?:max|mnb|mni))|fs\.mqueue\..*)$/;

function isSysctlName(name: string): boolean {
  return name.length <= maxSysctlLength && name.split(/[./]/).every((part) => sysctlPart.test(part));
}

/** Normalizes a sysctl name: if a slash comes first, slashes separate and dots belong to the segments. */
function normalizeSysctl(name: string): string {
  if (name[name.search(/[./]/)] !== '/') return name;
  return name.replace(/[./]/g, (separator) => (separator === '/' ? '.' : '/'));
}

function validateSysctls(sysctls: readonly Sysctl[], spec: PodSpec, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, { name }] of sysctls.entries()) {
    const fieldPath = `${path}[${i}].name`;
    if (name === '') errors.push(required(fieldPath));
    else if (!isSysctlName(name)) {
      const detail = `must have at most ${maxSysctlLength} characters and match regex ${sysctlPattern}`;
      errors.push(invalid(fieldPath, name, detail));
    } else if (seen.has(name)) {
      errors.push(duplicate(fieldPath, name));
    }
    seen.add(name);
    if (spec.hostNetwork && normalizeSysctl(name).startsWith('net.')) {
      errors.push(invalid(fieldPath, name, "may not be specified when 'hostNetwork' is true"));
    } else if (spec.hostIPC && ipcSysctl.test(normalizeSysctl(name))) {
      errors.push(invalid(fieldPath, name, "may not be specified when 'hostIPC' is true"));
    }
  }
  return errors;
}

/** A pod with its own user namespace (hostUsers: false) cannot use hostNetwork, hostPID or hostIPC. */
export function validateHostUsers(spec: PodSpec, path: string): FieldError[] {
  if (spec.hostUsers !== false) return [];
  const errors: FieldError[] = [];
  // kube-apiserver writes two of these paths with a capital letter.
  for (const [field, isEnabled] of [
    ['hostNetwork', spec.hostNetwork],
    ['HostPID', spec.hostPID],
    ['HostIPC', spec.hostIPC],
  ] as const) {
    if (isEnabled) errors.push(forbidden(`${path}.${field}`, 'when `pod.Spec.HostUsers` is false'));
  }
  return errors;
}
