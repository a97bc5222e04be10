// Pod Security Standards: checks of AppArmor, SELinux and seccomp profiles.
// Each check returns the violation of a pod; undefined if it passes.
import type { SELinuxOptions } from '../../../apis/core/security-context.ts';
import type { CheckContext, PodParts } from './pod-parts.ts';
import {
  type AnyContainer,
  containersOf,
  formatContainers,
  formatSetters,
  plural,
  quoted,
  sortedUnique,
  type Violation,
} from './wording.ts';

const isAllowedProfile = (type: string | undefined) =>
  type === undefined || type === '' || type === 'RuntimeDefault' || type === 'Localhost';

export function appArmor(
  { spec, annotations }: PodParts,
  _minor: number,
  { dialect }: CheckContext,
): Violation | undefined {
  const podValue = spec.securityContext?.appArmorProfile?.type;
  const typeOf = ({ securityContext }: AnyContainer) => securityContext?.appArmorProfile?.type;
  const isSetOnPod = !isAllowedProfile(podValue);
  const containers = containersOf(spec).filter((container) => !isAllowedProfile(typeOf(container)));
  const forbiddenKeys = Object.keys(annotations)
    .filter((key) => key.startsWith(dialect.annotations.containerAppArmorPrefix))
    .filter((key) => !/^(runtime\/default|localhost\/.*|)$/s.test(annotations[key]!))
    .sort();
  const values = sortedUnique([
    ...(isSetOnPod ? [String(podValue)] : []),
    ...containers.map((container) => String(typeOf(container))),
    ...forbiddenKeys.map((key) => `${key}="${annotations[key]}"`),
  ]);
  if (values.length === 0) return undefined;
  const annotationSetter = forbiddenKeys.length > 0 ? [plural('annotation', forbiddenKeys)] : [];
  return {
    reason: plural('forbidden AppArmor profile', values),
    detail: `${formatSetters(isSetOnPod, containers, ...annotationSetter)} must not set AppArmor profile type to ${quoted(values)}`,
  };
}

export function seLinux({ spec }: PodParts, minor: number): Violation | undefined {
  const allowed = ['', 'container_t', 'container_init_t', 'container_kvm_t'];
  if (minor >= 31) allowed.push('container_engine_t');
  const hasForbiddenType = ({ type = '' }: SELinuxOptions) => !allowed.includes(type);
  const isForbidden = (options: SELinuxOptions | undefined) =>
    options !== undefined && (hasForbiddenType(options) || !!options.user || !!options.role);
  const podValue = spec.securityContext?.seLinuxOptions;
  const containers = containersOf(spec).filter(({ securityContext }) =>
    isForbidden(securityContext?.seLinuxOptions),
  );
  const forbidden = [
    podValue,
    ...containers.map(({ securityContext }) => securityContext?.seLinuxOptions),
  ].filter((options): options is SELinuxOptions => isForbidden(options));
  if (forbidden.length === 0) return undefined;
  const types = sortedUnique(forbidden.filter(hasForbiddenType).map(({ type = '' }) => type));
  const problems = [
    ...(types.length > 0 ? [`${plural('type', types)} ${quoted(types)}`] : []),
    ...(forbidden.some(({ user }) => user) ? ['user may not be set'] : []),
    ...(forbidden.some(({ role }) => role) ? ['role may not be set'] : []),
  ];
  const subject = formatSetters(isForbidden(podValue), containers);
  return {
    reason: 'seLinuxOptions',
    detail: `${subject} set forbidden securityContext.seLinuxOptions: ${problems.join('; ')}`,
  };
}

const seccompReason = 'seccompProfile';
const seccompTypeOf = ({ securityContext }: AnyContainer) => securityContext?.seccompProfile?.type;

/** Before version 1.19 of the standards, annotations set the seccomp profile. */
export function seccompAnnotations(
  { spec, annotations }: PodParts,
  _minor: number,
  { dialect }: CheckContext,
): Violation | undefined {
  const { podSeccomp, containerSeccompPrefix } = dialect.annotations;
  const forbidden = [
    podSeccomp,
    ...containersOf(spec).map(({ name }) => containerSeccompPrefix + name),
  ].filter((key) => !/^(runtime\/default|docker\/default|localhost\/.*|)$/s.test(annotations[key] ?? ''));
  if (forbidden.length === 0) return undefined;
  const formatted = forbidden.map((key) => `${key}="${annotations[key]}"`).join(', ');
  return { reason: seccompReason, detail: `forbidden ${plural('annotation', forbidden)} ${formatted}` };
}

export function baselineSeccomp({ spec }: PodParts): Violation | undefined {
  const podValue = spec.securityContext?.seccompProfile?.type;
  const isSetOnPod = !isAllowedProfile(podValue);
  const forbidden = containersOf(spec).filter((container) => !isAllowedProfile(seccompTypeOf(container)));
  if (!isSetOnPod && forbidden.length === 0) return undefined;
  const values = sortedUnique([
    ...(isSetOnPod ? [String(podValue)] : []),
    ...forbidden.map((each) => String(seccompTypeOf(each))),
  ]);
  return {
    reason: seccompReason,
    detail: `${formatSetters(isSetOnPod, forbidden)} must not set securityContext.seccompProfile.type to ${quoted(values)}`,
  };
}

export function restrictedSeccomp(pod: PodParts): Violation | undefined {
  const baselineViolation = baselineSeccomp(pod);
  if (baselineViolation) return baselineViolation;
  if (pod.spec.securityContext?.seccompProfile?.type) return undefined;
  const unset = containersOf(pod.spec).filter((container) => !seccompTypeOf(container));
  if (unset.length === 0) return undefined;
  return {
    reason: seccompReason,
    detail: `pod or ${formatContainers(unset)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
  };
}
