// PodTemplateSpec: validation of the pod template of a workload (upstream: ValidatePodTemplateSpec).
import { type FieldError, forbidden } from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import { validateAnnotations, validateLabels } from '../../kind/meta/validation.ts';
import { validatePodAnnotations, validateProfileAnnotations } from './pod-annotations-validation.ts';
import { validatePodSpec } from './pod-spec-validation.ts';
import type { PodTemplateSpec } from './pod-template-spec.ts';

export function validatePodTemplateSpec(
  template: PodTemplateSpec,
  path: string,
  context: KindContext,
): FieldError[] {
  const { metadata, spec } = template;
  const annotations = metadata.annotations ?? {};
  const errors: FieldError[] = [];
  // kube-apiserver omits `metadata` from these paths.
  validateLabels(metadata.labels ?? {}, `${path}.labels`, errors);
  validateAnnotations(annotations, `${path}.annotations`, errors);
  return [
    ...errors,
    ...validatePodAnnotations(annotations, spec, `${path}.annotations`, context),
    ...validatePodSpec(spec, undefined, `${path}.spec`, context),
    ...validateProfileAnnotations(annotations, spec, `${path}.spec`, context),
    ...((spec.ephemeralContainers ?? []).length > 0
      ? [forbidden(`${path}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template')]
      : []),
  ];
}
