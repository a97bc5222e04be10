// Pod: validation of the ephemeralcontainers subresource.
import { type FieldError, forbidden } from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import { validateMetadataChange } from '../../kind/meta/validation.ts';
import { EphemeralContainer } from './container.ts';
import type { Pod } from './pod.ts';
import { ephemeralContainerDifference } from './pod-spec-difference.ts';
import { validateAnnotationChange } from './pod-update-validation.ts';
import { validatePod } from './pod-validation.ts';

/** Ephemeral containers can be added, never changed or removed. */
export function validateEphemeralContainersUpdate(pod: Pod, old: Pod, context: KindContext): FieldError[] {
  const errors = [
    ...validateMetadataChange(pod.metadata, old.metadata),
    ...validatePod(pod, context),
    ...validateAnnotationChange(pod, old, context),
  ];
  if (old.metadata.annotations?.[context.dialect.annotations.mirrorPod] !== undefined) {
    return [...errors, forbidden('[]', 'static pods do not support ephemeral containers')];
  }
  const path = 'spec.ephemeralContainers';
  const now = new Map((pod.spec.ephemeralContainers ?? []).map((each) => [each.name, each]));
  for (const before of old.spec.ephemeralContainers ?? []) {
    const same = now.get(before.name);
    const called = `existing ephemeral containers "${before.name}"`;
    if (!same) errors.push(forbidden(path, `${called} may not be removed\n`));
    else if (EphemeralContainer.write(same) !== EphemeralContainer.write(before)) {
      const difference = ephemeralContainerDifference(before, same);
      errors.push(forbidden(path, `${called} may not be changed\n${difference}`));
    }
  }
  return errors;
}
