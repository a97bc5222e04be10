// Pod: validation of updates of the ephemeralcontainers subresource (upstream: ValidatePodEphemeralContainersUpdate).
// Dialect: the names of annotations in Kubernetes' domain, or in Orch's own.
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
    // kube-apiserver reports errors about the whole object with the path `[]`.
    return [...errors, forbidden('[]', 'static pods do not support ephemeral containers')];
  }
  const path = 'spec.ephemeralContainers';
  const newContainers = pod.spec.ephemeralContainers ?? [];
  const newByName = new Map(newContainers.map((container) => [container.name, container]));
  for (const oldContainer of old.spec.ephemeralContainers ?? []) {
    const newContainer = newByName.get(oldContainer.name);
    const description = `existing ephemeral containers "${oldContainer.name}"`;
    if (!newContainer) errors.push(forbidden(path, `${description} may not be removed\n`));
    else if (EphemeralContainer.write(newContainer) !== EphemeralContainer.write(oldContainer)) {
      const difference = ephemeralContainerDifference(oldContainer, newContainer);
      errors.push(forbidden(path, `${description} may not be changed\n${difference}`));
    }
  }
  return errors;
}
