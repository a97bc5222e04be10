// ReplicaSet: validation.

import { type FieldError, invalid } from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import type { LabelSelector } from '../../kind/meta/label-selector.ts';
import { validateLabelSelector } from '../../kind/meta/label-selector-rules.ts';
import { validateNonNegative } from '../../kind/meta/non-negative.ts';
import { shownSelector } from '../../kind/meta/shown-labels.ts';
import type { PodTemplateSpec } from '../core/pod-template-spec.ts';
import type { ReplicaSet, ReplicaSetSpec } from './replicaset.ts';
import { countIsAtMost, countsAreNotNegative } from './status-counts.ts';
import { templateIsSelected, validateLastingTemplate, validateOwnSelector } from './workload.ts';

export function validateReplicaSetSpec(spec: ReplicaSetSpec, context: KindContext): FieldError[] {
  const { selector, template, replicas = 0 } = spec;
  const errors = [
    ...validateNonNegative(replicas, 'spec.replicas'),
    ...validateNonNegative(spec.minReadySeconds, 'spec.minReadySeconds'),
    ...validateOwnSelector(selector, 'spec.selector', 'deployment'),
  ];
  if (validateLabelSelector(selector, '').length > 0) {
    return [...errors, invalid('spec.selector', shownSelector(selector), 'invalid label selector')];
  }
  return [...errors, ...validateReplicaTemplate(template, selector, context)];
}

/** Validates the pod template of a ReplicaSet or Deployment. */
export function validateReplicaTemplate(
  template: PodTemplateSpec,
  selector: LabelSelector | undefined,
  context: KindContext,
): FieldError[] {
  const path = 'spec.template';
  return [
    ...templateIsSelected(template, selector, path),
    ...validateLastingTemplate(template, path, 'ReplicaSet', context),
  ];
}

export function validateReplicaSetStatus({ status }: ReplicaSet): FieldError[] {
  return [
    ...countsAreNotNegative(status, [
      'replicas',
      'fullyLabeledReplicas',
      'readyReplicas',
      'availableReplicas',
      'observedGeneration',
      'terminatingReplicas',
    ]),
    ...countIsAtMost(status, 'fullyLabeledReplicas', 'replicas'),
    ...countIsAtMost(status, 'readyReplicas', 'replicas'),
    ...countIsAtMost(status, 'availableReplicas', 'replicas'),
    ...countIsAtMost(status, 'availableReplicas', 'readyReplicas', 'readyReplicas'),
  ];
}
