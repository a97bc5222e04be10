// Pod Security Standards: checks of privileges, capabilities and users.
import { type Circumstances, hasOwnUsers, type PodParts } from './pod-parts.ts';
import {
  type AnyContainer,
  containersNamed,
  containersOf,
  quoted,
  setters,
  sorted,
  type Violation,
} from './wording.ts';

export function privileged({ spec }: PodParts): Violation | undefined {
  const bad = containersOf(spec).filter(({ securityContext }) => securityContext?.privileged);
  if (bad.length === 0) return undefined;
  return {
    reason: 'privileged',
    detail: `${containersNamed(bad)} must not set securityContext.privileged=true`,
  };
}

export function procMount(pod: PodParts, _: number, circumstances: Circumstances): Violation | undefined {
  if (hasOwnUsers(pod, circumstances)) return undefined;
  const typeOf = ({ securityContext }: AnyContainer) => securityContext?.procMount ?? 'Default';
  const bad = containersOf(pod.spec).filter((container) => typeOf(container) !== 'Default');
  if (bad.length === 0) return undefined;
  const types = quoted(sorted(bad.map(typeOf)));
  return {
    reason: 'procMount',
    detail: `${containersNamed(bad)} must not set securityContext.procMount to ${types}`,
  };
}

export function allowPrivilegeEscalation({ spec }: PodParts): Violation | undefined {
  const bad = containersOf(spec).filter(
    ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false,
  );
  if (bad.length === 0) return undefined;
  return {
    reason: 'allowPrivilegeEscalation != false',
    detail: `${containersNamed(bad)} must set securityContext.allowPrivilegeEscalation=false`,
  };
}

/** The default capabilities of containers. */
const usualCapabilities = new Set([
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
  const detail = addedBeyond(spec, usualCapabilities);
  return detail === undefined ? undefined : { reason: 'non-default capabilities', detail };
}

export function restrictedCapabilities({ spec }: PodParts): Violation | undefined {
  const keeping = containersOf(spec).filter(
    ({ securityContext }) => !securityContext?.capabilities?.drop?.includes('ALL'),
  );
  const added = addedBeyond(spec, new Set(['NET_BIND_SERVICE']));
  const details = [
    ...(keeping.length > 0
      ? [`${containersNamed(keeping)} must set securityContext.capabilities.drop=["ALL"]`]
      : []),
    ...(added === undefined ? [] : [added]),
  ];
  return details.length > 0 ? { reason: 'unrestricted capabilities', detail: details.join('; ') } : undefined;
}

function addedBeyond(spec: PodParts['spec'], allowed: ReadonlySet<string>): string | undefined {
  const added = ({ securityContext }: AnyContainer) =>
    (securityContext?.capabilities?.add ?? []).filter((name) => !allowed.has(name));
  const bad = containersOf(spec).filter((container) => added(container).length > 0);
  if (bad.length === 0) return undefined;
  const names = quoted(sorted(bad.flatMap(added)));
  return `${containersNamed(bad)} must not include ${names} in securityContext.capabilities.add`;
}

export function runAsNonRoot(pod: PodParts, _: number, circumstances: Circumstances): Violation | undefined {
  if (hasOwnUsers(pod, circumstances)) return undefined;
  const reason = 'runAsNonRoot != true';
  const ofPod = pod.spec.securityContext?.runAsNonRoot;
  const containers = containersOf(pod.spec);
  const of = ({ securityContext }: AnyContainer) => securityContext?.runAsNonRoot;
  const saying = containers.filter((container) => of(container) === false);
  if (ofPod === false || saying.length > 0) {
    const who = setters(ofPod === false, saying);
    return { reason, detail: `${who} must not set securityContext.runAsNonRoot=false` };
  }
  const silent = ofPod ? [] : containers.filter((container) => of(container) === undefined);
  if (silent.length === 0) return undefined;
  return { reason, detail: `pod or ${containersNamed(silent)} must set securityContext.runAsNonRoot=true` };
}

export function runAsUser(pod: PodParts, _: number, circumstances: Circumstances): Violation | undefined {
  if (hasOwnUsers(pod, circumstances)) return undefined;
  const isRoot = (context: { runAsUser?: unknown } | undefined) =>
    context?.runAsUser !== undefined && Number(context.runAsUser) === 0;
  const isPod = isRoot(pod.spec.securityContext);
  const bad = containersOf(pod.spec).filter(({ securityContext }) => isRoot(securityContext));
  if (!isPod && bad.length === 0) return undefined;
  return { reason: 'runAsUser=0', detail: `${setters(isPod, bad)} must not set runAsUser=0` };
}
