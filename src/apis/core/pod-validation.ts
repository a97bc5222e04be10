// Pod: validation on create, and the rules that updates share (upstream: ValidatePodCreate).

import { type FieldError, forbidden } from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import { validateFinalizersQualified, validateMetadata } from '../../kind/meta/validation.ts';
import { nameIsSubdomain } from '../../schema/names.ts';
import { validateImageNotPadded } from './container-validation.ts';
import type { Pod } from './pod.ts';
import { validatePodAnnotations, validateProfileAnnotations } from './pod-annotations-validation.ts';
import { validatePodSpec } from './pod-spec-validation.ts';

/** Rules that create and update share. */
export function validatePod({ metadata, spec }: Pod, context: KindContext): FieldError[] {
  return [
    ...validateMetadata(metadata, { namespaced: true, nameRule: nameIsSubdomain }),
    ...validateFinalizersQualified(metadata, context.dialect),
    ...validatePodAnnotations(metadata.annotations ?? {}, spec, 'metadata.annotations', context),
    ...validatePodSpec(spec, metadata, 'spec', context),
    ...validateTokensHaveServiceAccount(spec),
    ...(spec.containers ?? []).flatMap((container, i) =>
      validateImageNotPadded(container, `spec.containers[${i}]`),
    ),
    ...(spec.initContainers ?? []).flatMap((container, i) =>
      validateImageNotPadded(container, `spec.initContainers[${i}]`),
    ),
  ];
}

/** A projected serviceAccountToken requires a serviceAccountName. */
function validateTokensHaveServiceAccount({ serviceAccountName, volumes = [] }: Pod['spec']): FieldError[] {
  if (serviceAccountName) return [];
  return volumes.flatMap(({ projected }, i) =>
    (projected?.sources ?? []).flatMap(({ serviceAccountToken }, j) => {
      if (!serviceAccountToken) return [];
      const fieldPath = `spec.volumes[${i}].projected.sources[${j}].serviceAccountToken`;
      return [forbidden(fieldPath, 'must not be specified when serviceAccountName is not set')];
    }),
  );
}

/** Rules for create: the common ones, then those for create only. */
export function validateNewPod(pod: Pod, context: KindContext): FieldError[] {
  const { metadata, spec } = pod;
  const errors = validatePod(pod, context);
  if ((spec.ephemeralContainers ?? []).length > 0) {
    errors.push(forbidden('spec.ephemeralContainers', 'cannot be set on create'));
  }
  if ((spec.schedulingGates ?? []).length > 0 && spec.nodeName) {
    errors.push(forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared'));
  }
  return [...errors, ...validateProfileAnnotations(metadata.annotations ?? {}, spec, 'spec', context)];
}
