// Pod Security Standards: checks of privileges, capabilities and users.
// Each check returns the violation of a pod; undefined if it passes.
import { type CheckContext, isExemptByUserNamespace, type PodParts } from './pod-parts.ts';
import {
  type AnyContainer,
  containersOf,
  formatContainers,
  formatSetters,
  quoted,
  sortedUnique,
  type Violation,
} from './wording.ts';

export function privileged({ spec }: PodParts): Violation | undefined {
  const forbidden = containersOf(spec).filter(({ securityContext }) => securityContext?.privileged);
  if (forbidden.length === 0) return undefined;
  return {
    reason: 'privileged',
    detail: `${formatContainers(forbidden)} must not set securityContext.privileged=true`,
  };
}

export function procMount(pod: PodParts, _minor: number, context: CheckContext): Violation | undefined {
  if (isExemptByUserNamespace(pod, context)) return undefined;
  const typeOf = ({ securityContext }: AnyContainer) => securityContext?.procMount ?? 'Default';
  const forbidden = containersOf(pod.spec).filter((container) => typeOf(container) !== 'Default');
  if (forbidden.length === 0) return undefined;
  const types = quoted(sortedUnique(forbidden.map(typeOf)));
  return {
    reason: 'procMount',
    detail: `${formatContainers(forbidden)} must not set securityContext.procMount to ${types}`,
  };
}

export function allowPrivilegeEscalation({ spec }: PodParts): Violation | undefined {
  const forbidden = containersOf(spec).filter(
    ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false,
  );
  if (forbidden.length === 0) return undefined;
  return {
    reason: 'allowPrivilegeEscalation != false',
    detail: `${formatContainers(forbidden)} must set securityContext.allowPrivilegeEscalation=false`,
  };
}

/** The capabilities that container runtimes grant by default. */
const defaultCapabilities = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);

export function baselineCapabilities({ spec }: PodParts): Violation | undefined {
  const detail = disallowedCapabilities(spec, defaultCapabilities);
  return detail === undefined ? undefined : { reason: 'non-default capabilities', detail };
}

export function restrictedCapabilities({ spec }: PodParts): Violation | undefined {
  const withoutDropAll = containersOf(spec).filter(
    ({ securityContext }) => !securityContext?.capabilities?.drop?.includes('ALL'),
  );
  const added = disallowedCapabilities(spec, new Set(['NET_BIND_SERVICE']));
  const details = [
    ...(withoutDropAll.length > 0
      ? [`${formatContainers(withoutDropAll)} must set securityContext.capabilities.drop=["ALL"]`]
      : []),
    ...(added === undefined ? [] : [added]),
  ];
  return details.length > 0 ? { reason: 'unrestricted capabilities', detail: details.join('; ') } : undefined;
}

/** The message about added capabilities that are not allowed; undefined if there are none. */
function disallowedCapabilities(spec: PodParts['spec'], allowed: ReadonlySet<string>): string | undefined {
  const added = ({ securityContext }: AnyContainer) =>
    (securityContext?.capabilities?.add ?? []).filter((name) => !allowed.has(name));
  const forbidden = containersOf(spec).filter((container) => added(container).length > 0);
  if (forbidden.length === 0) return undefined;
  const names = quoted(sortedUnique(forbidden.flatMap(added)));
  return `${formatContainers(forbidden)} must not include ${names} in securityContext.capabilities.add`;
}

export function runAsNonRoot(pod: PodParts, _minor: number, context: CheckContext): Violation | undefined {
  if (isExemptByUserNamespace(pod, context)) return undefined;
  const reason = 'runAsNonRoot != true';
  const podValue = pod.spec.securityContext?.runAsNonRoot;
  const containers = containersOf(pod.spec);
  const runAsNonRootOf = ({ securityContext }: AnyContainer) => securityContext?.runAsNonRoot;
  const settingFalse = containers.filter((container) => runAsNonRootOf(container) === false);
  if (podValue === false || settingFalse.length > 0) {
    const subject = formatSetters(podValue === false, settingFalse);
    return { reason, detail: `${subject} must not set securityContext.runAsNonRoot=false` };
  }
  const unset = podValue ? [] : containers.filter((container) => runAsNonRootOf(container) === undefined);
  if (unset.length === 0) return undefined;
  return { reason, detail: `pod or ${formatContainers(unset)} must set securityContext.runAsNonRoot=true` };
}

export function runAsUser(pod: PodParts, _minor: number, context: CheckContext): Violation | undefined {
  if (isExemptByUserNamespace(pod, context)) return undefined;
  const isRoot = (securityContext: { runAsUser?: unknown } | undefined) =>
    securityContext?.runAsUser !== undefined && Number(securityContext.runAsUser) === 0;
  const isSetOnPod = isRoot(pod.spec.securityContext);
  const forbidden = containersOf(pod.spec).filter(({ securityContext }) => isRoot(securityContext));
  if (!isSetOnPod && forbidden.length === 0) return undefined;
  return {
    reason: 'runAsUser=0',
    detail: `${formatSetters(isSetOnPod, forbidden)} must not set runAsUser=0`,
  };
}
