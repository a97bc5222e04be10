// Pod: synchronizes the deprecated AppArmor annotations with securityContext.appArmorProfile.
// Dialect: the names of annotations in Kubernetes' domain, or in Orch's own.
import { nullPrototypeObject } from '../../codec/json/json-value.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import type { ObjectMetadata } from '../../kind/api-object.ts';
import type { PodSpec } from './pod-spec.ts';
import type { AppArmorProfile } from './security-context.ts';

interface PodParts {
  readonly metadata: ObjectMetadata;
  readonly spec: PodSpec;
}

/**
 * Copies each container's profile between annotation and field on create: older kubelets read only the annotation.
 * Returns deprecation warnings for profiles that the client set as annotations.
 */
export function syncAppArmor({ metadata, spec }: PodParts, { annotations: names }: Dialect): string[] {
  if (spec.os?.name === 'windows') return [];
  const warnings: string[] = [];
  const podProfile = spec.securityContext?.appArmorProfile;
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    const name = names.containerAppArmorPrefix + container.name;
    const annotation = metadata.annotations?.[name];
    const profile = container.securityContext?.appArmorProfile;
    if (annotation === undefined) {
      const newAnnotation = annotationFromProfile(profile ?? podProfile);
      if (newAnnotation === undefined) continue;
      metadata.annotations ??= nullPrototypeObject();
      metadata.annotations[name] = newAnnotation;
    } else if (!profile) {
      const newProfile = profileFromAnnotation(annotation);
      if (!newProfile || isSame(newProfile, podProfile)) continue;
      container.securityContext = { ...container.securityContext, appArmorProfile: newProfile };
      warnings.push(appArmorDeprecation(`metadata.annotations[${name}]`));
    }
  }
  return warnings;
}

export const appArmorDeprecation = (path: string) =>
  `${path}: deprecated since v1.30; use the "appArmorProfile" field instead`;

const isSame = (a: AppArmorProfile, b: AppArmorProfile | undefined) =>
  a.type === b?.type && a.localhostProfile === b.localhostProfile;

const localhost = 'localhost/';

function annotationFromProfile(profile: AppArmorProfile | undefined): string | undefined {
  switch (profile?.type) {
    case 'RuntimeDefault':
      return 'runtime/default';
    case 'Unconfined':
      return 'unconfined';
    case 'Localhost':
      return profile.localhostProfile === undefined ? undefined : localhost + profile.localhostProfile;
    default:
      return undefined;
  }
}

function profileFromAnnotation(annotation: string): AppArmorProfile | undefined {
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' };
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (!annotation.startsWith(localhost) || annotation === localhost) return undefined;
  return { type: 'Localhost', localhostProfile: annotation.slice(localhost.length) };
}
