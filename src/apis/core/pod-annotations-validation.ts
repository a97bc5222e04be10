// Pod: validation of well-known annotations (tolerations, deletion cost, seccomp, AppArmor).
// Dialect: the names of annotations in Kubernetes' domain, or in Orch's own.
import { JsonSyntaxError, parseJson } from '../../codec/json/parse.ts';
import { addErrors, type FieldError, forbidden, invalid } from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import { list } from '../../schema/collections.ts';
import { DecodeError, Decoding } from '../../schema/decoding.ts';
import { validateDescendingPath } from './file-path-validation.ts';
import { containersWithPaths } from './pod-containers.ts';
import type { PodSpec } from './pod-spec.ts';
import type { AppArmorProfile, SeccompProfile } from './security-context.ts';
import { Toleration } from './toleration.ts';
import { validateTolerations } from './toleration-validation.ts';

type Annotations = Readonly<Record<string, string>>;

export function validatePodAnnotations(
  annotations: Annotations,
  spec: PodSpec,
  path: string,
  { dialect }: KindContext,
): FieldError[] {
  const annotationNames = dialect.annotations;
  const errors: FieldError[] = [];
  const mirrorPod = annotations[annotationNames.mirrorPod];
  if (mirrorPod !== undefined && !spec.nodeName) {
    const detail = 'must set spec.nodeName if mirror pod annotation is set';
    errors.push(invalid(`${path}[${annotationNames.mirrorPod}]`, mirrorPod, detail));
  }
  const tolerations = annotations[annotationNames.podTolerations];
  if (tolerations)
    addErrors(errors, validateTolerationsText(tolerations, annotationNames.podTolerations, path));
  const cost = annotations[annotationNames.podDeletionCost];
  if (cost !== undefined && !isDeletionCost(cost)) {
    errors.push(invalid(`${path}[${annotationNames.podDeletionCost}]`, cost, 'must be a 32bit integer'));
  }
  for (const [name, value] of Object.entries(annotations)) {
    if (name === annotationNames.podSeccomp || name.startsWith(annotationNames.containerSeccompPrefix)) {
      // kube-apiserver writes `.name`, not `[name]`, in the path of a seccomp annotation.
      addErrors(errors, validateSeccompText(value, `${path}.${name}`));
    }
  }
  const containers = new Set([...containersWithPaths(spec, '')].map(({ container }) => container.name));
  for (const [name, value] of Object.entries(annotations)) {
    if (!name.startsWith(annotationNames.containerAppArmorPrefix)) continue;
    const container = name.slice(annotationNames.containerAppArmorPrefix.length);
    if (!containers.has(container)) {
      errors.push(invalid(`${path}[${name}]`, container, 'container not found'));
    }
    if (!appArmorTypeOfAnnotation(value)) {
      errors.push(invalid(`${path}[${name}]`, value, `invalid AppArmor profile name: "${value}"`));
    }
  }
  return errors;
}

function validateTolerationsText(text: string, name: string, path: string): FieldError[] {
  try {
    const decoding = new Decoding();
    const value = parseJson(Buffer.from(text)).value;
    const tolerations = value === null ? [] : list(Toleration).read(value, decoding);
    decoding.throwFault();
    return validateTolerations(tolerations, `${path}.${name}`);
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof DecodeError) {
      return [invalid(path, name, error.message)];
    }
    throw error;
  }
}

/** An int32 without plus sign; only negative numbers may have leading zeros. */
function isDeletionCost(text: string): boolean {
  return (
    /^(?:0|[1-9][0-9]{0,9}|-[0-9]{1,19})$/.test(text) && Number(text) >= -(2 ** 31) && Number(text) < 2 ** 31
  );
}

function validateSeccompText(profile: string, path: string): FieldError[] {
  if (['runtime/default', 'docker/default', 'unconfined'].includes(profile)) return [];
  if (profile.startsWith('localhost/')) {
    return validateDescendingPath(profile.slice('localhost/'.length), path);
  }
  return [invalid(path, profile, 'must be a valid seccomp profile')];
}

/** The seccompProfile.type that an annotation stands for. */
function seccompTypeOfAnnotation(annotation: string): string {
  if (annotation === 'unconfined') return 'Unconfined';
  return annotation.startsWith('localhost/') ? 'Localhost' : 'RuntimeDefault';
}

/** The appArmorProfile.type that an annotation stands for; undefined if it is invalid. */
function appArmorTypeOfAnnotation(annotation: string): string | undefined {
  if (annotation === '' || annotation === 'runtime/default') return 'RuntimeDefault';
  if (annotation === 'unconfined') return 'Unconfined';
  return annotation.startsWith('localhost/') ? 'Localhost' : undefined;
}

/** A seccomp or AppArmor annotation must match the corresponding securityContext field. */
export function validateProfileAnnotations(
  annotations: Annotations,
  spec: PodSpec,
  path: string,
  { dialect }: KindContext,
): FieldError[] {
  const { podSeccomp, containerSeccompPrefix, containerAppArmorPrefix } = dialect.annotations;
  const errors: FieldError[] = [];
  const compareSeccomp = (
    text: string | undefined,
    profile: SeccompProfile | undefined,
    fieldPath: string,
  ) => {
    if (text === undefined || !profile) return;
    const type = seccompTypeOfAnnotation(text);
    addErrors(errors, validateProfileMatch('seccomp', profile, { type, annotation: text }, fieldPath));
  };
  const { securityContext } = spec;
  compareSeccomp(annotations[podSeccomp], securityContext?.seccompProfile, `${path}.securityContext`);
  for (const { container, path: containerPath } of containersWithPaths(spec, path)) {
    const context = container.securityContext;
    const seccomp = annotations[containerSeccompPrefix + container.name];
    compareSeccomp(seccomp, context?.seccompProfile, `${containerPath}.securityContext`);
    const appArmor = annotations[containerAppArmorPrefix + container.name];
    const profile = context?.appArmorProfile;
    if (appArmor === undefined || !profile) continue;
    const type = appArmorTypeOfAnnotation(appArmor);
    // validatePodAnnotations reports an invalid annotation.
    if (!type) continue;
    const annotated = { type, annotation: appArmor };
    addErrors(
      errors,
      validateProfileMatch('apparmor', profile, annotated, `${containerPath}.securityContext`),
    );
  }
  return errors;
}

function validateProfileMatch(
  profileKind: 'seccomp' | 'apparmor',
  profile: SeccompProfile | AppArmorProfile,
  { type, annotation }: { type: string; annotation: string },
  path: string,
): FieldError[] {
  const fieldPath = `${path}.${profileKind === 'seccomp' ? 'seccompProfile' : 'appArmorProfile'}`;
  if (profile.type !== type) {
    return [forbidden(`${fieldPath}.type`, `${profileKind} type in annotation and field must match`)];
  }
  const annotatedProfile = annotation.slice('localhost/'.length);
  if (type !== 'Localhost' || profile.localhostProfile === annotatedProfile) return [];
  return [
    forbidden(`${fieldPath}.localhostProfile`, `${profileKind} profile in annotation and field must match`),
  ];
}
