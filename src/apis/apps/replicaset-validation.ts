// ReplicaSet: validation of spec and status (upstream: apis/apps/validation).

import { type FieldError, invalid } from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import { formattedLabelSelector } from '../../kind/meta/format-labels.ts';
import type { LabelSelector } from '../../kind/meta/label-selector.ts';
import { validateLabelSelector } from '../../kind/meta/label-selector-rules.ts';
import { validateNonNegative } from '../../kind/meta/non-negative.ts';
import type { PodTemplateSpec } from '../core/pod-template-spec.ts';
import type { ReplicaSet, ReplicaSetSpec } from './replicaset.ts';
import { validateCountAtMost, validateNonNegativeCounts } from './status-counts.ts';
import {
  validateAlwaysRestartingTemplate,
  validateOwnSelector,
  validateTemplateMatchesSelector,
} from './workload.ts';

export function validateReplicaSetSpec(spec: ReplicaSetSpec, context: KindContext): FieldError[] {
  const { selector, template, replicas = 0 } = spec;
  const errors = [
    ...validateNonNegative(replicas, 'spec.replicas'),
    ...validateNonNegative(spec.minReadySeconds, 'spec.minReadySeconds'),
    // ReplicaSets share this message with Deployments.
    ...validateOwnSelector(selector, 'spec.selector', 'deployment'),
  ];
  if (validateLabelSelector(selector, '').length > 0) {
    return [...errors, invalid('spec.selector', formattedLabelSelector(selector), 'invalid label selector')];
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
    ...validateTemplateMatchesSelector(template, selector, path),
    ...validateAlwaysRestartingTemplate(template, path, 'ReplicaSet', context),
  ];
}

export function validateReplicaSetStatus({ status }: ReplicaSet): FieldError[] {
  return [
    ...validateNonNegativeCounts(status, [
      'replicas',
      'fullyLabeledReplicas',
      'readyReplicas',
      'availableReplicas',
      'observedGeneration',
      'terminatingReplicas',
    ]),
    ...validateCountAtMost(status, 'fullyLabeledReplicas', 'replicas'),
    ...validateCountAtMost(status, 'readyReplicas', 'replicas'),
    ...validateCountAtMost(status, 'availableReplicas', 'replicas'),
    ...validateCountAtMost(status, 'availableReplicas', 'readyReplicas', 'readyReplicas'),
  ];
}
