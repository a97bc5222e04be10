// Pod Security Standards: checks of AppArmor, SELinux and seccomp profiles.
import type { SELinuxOptions } from '../../../apis/core/security-context.ts';
import type { Circumstances, PodParts } from './pod-parts.ts';
import {
  type AnyContainer,
  containersNamed,
  containersOf,
  plural,
  quoted,
  setters,
  sorted,
  type Violation,
} from './wording.ts';

const isGoodProfile = (type: string | undefined) =>
  type === undefined || type === '' || type === 'RuntimeDefault' || type === 'Localhost';

export function appArmor(
  { spec, annotations }: PodParts,
  _: number,
  { dialect }: Circumstances,
): Violation | undefined {
  const ofPod = spec.securityContext?.appArmorProfile?.type;
  const of = ({ securityContext }: AnyContainer) => securityContext?.appArmorProfile?.type;
  const isPod = !isGoodProfile(ofPod);
  const containers = containersOf(spec).filter((container) => !isGoodProfile(of(container)));
  const noted = Object.keys(annotations)
    .filter((key) => key.startsWith(dialect.annotations.containerAppArmorPrefix))
    .filter((key) => !/^(runtime\/default|localhost\/.*|)$/s.test(annotations[key]!))
    .sort();
  const values = sorted([
    ...(isPod ? [String(ofPod)] : []),
    ...containers.map((container) => String(of(container))),
    ...noted.map((key) => `${key}="${annotations[key]}"`),
  ]);
  if (values.length === 0) return undefined;
  const others = noted.length > 0 ? [plural('annotation', noted)] : [];
  return {
    reason: plural('forbidden AppArmor profile', values),
    detail: `${setters(isPod, containers, ...others)} must not set AppArmor profile type to ${quoted(values)}`,
  };
}

export function seLinux({ spec }: PodParts, minor: number): Violation | undefined {
  const allowed = ['', 'container_t', 'container_init_t', 'container_kvm_t'];
  if (minor >= 31) allowed.push('container_engine_t');
  const isBadType = ({ type = '' }: SELinuxOptions) => !allowed.includes(type);
  const isBad = (options: SELinuxOptions | undefined) =>
    options !== undefined && (isBadType(options) || !!options.user || !!options.role);
  const ofPod = spec.securityContext?.seLinuxOptions;
  const containers = containersOf(spec).filter(({ securityContext }) =>
    isBad(securityContext?.seLinuxOptions),
  );
  const bad = [ofPod, ...containers.map(({ securityContext }) => securityContext?.seLinuxOptions)].filter(
    (options): options is SELinuxOptions => isBad(options),
  );
  if (bad.length === 0) return undefined;
  const types = sorted(bad.filter(isBadType).map(({ type = '' }) => type));
  const problems = [
    ...(types.length > 0 ? [`${plural('type', types)} ${quoted(types)}`] : []),
    ...(bad.some(({ user }) => user) ? ['user may not be set'] : []),
    ...(bad.some(({ role }) => role) ? ['role may not be set'] : []),
  ];
  const who = setters(isBad(ofPod), containers);
  return {
    reason: 'seLinuxOptions',
    detail: `${who} set forbidden securityContext.seLinuxOptions: ${problems.join('; ')}`,
  };
}

const seccompReason = 'seccompProfile';
const typeOf = ({ securityContext }: AnyContainer) => securityContext?.seccompProfile?.type;

/** Before there were fields, annotations said it. */
export function seccompAnnotations(
  { spec, annotations }: PodParts,
  _: number,
  { dialect }: Circumstances,
): Violation | undefined {
  const { podSeccomp, containerSeccompPrefix } = dialect.annotations;
  const bad = [podSeccomp, ...containersOf(spec).map(({ name }) => containerSeccompPrefix + name)].filter(
    (key) => !/^(runtime\/default|docker\/default|localhost\/.*|)$/s.test(annotations[key] ?? ''),
  );
  if (bad.length === 0) return undefined;
  const shown = bad.map((key) => `${key}="${annotations[key]}"`).join(', ');
  return { reason: seccompReason, detail: `forbidden ${plural('annotation', bad)} ${shown}` };
}

export function baselineSeccomp({ spec }: PodParts): Violation | undefined {
  const ofPod = spec.securityContext?.seccompProfile?.type;
  const isPod = !isGoodProfile(ofPod);
  const bad = containersOf(spec).filter((container) => !isGoodProfile(typeOf(container)));
  if (!isPod && bad.length === 0) return undefined;
  const values = sorted([...(isPod ? [String(ofPod)] : []), ...bad.map((each) => String(typeOf(each)))]);
  return {
    reason: seccompReason,
    detail: `${setters(isPod, bad)} must not set securityContext.seccompProfile.type to ${quoted(values)}`,
  };
}

export function restrictedSeccomp(pod: PodParts): Violation | undefined {
  const explicit = baselineSeccomp(pod);
  if (explicit) return explicit;
  if (pod.spec.securityContext?.seccompProfile?.type) return undefined;
  const silent = containersOf(pod.spec).filter((container) => !typeOf(container));
  if (silent.length === 0) return undefined;
  return {
    reason: seccompReason,
    detail: `pod or ${containersNamed(silent)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
  };
}
