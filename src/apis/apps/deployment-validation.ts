// Deployment: validation of spec and status (upstream: apis/apps/validation).

import {
  addErrors,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from '../../errors/field-error.ts';
import { goStruct } from '../../errors/go-struct.ts';
import type { KindContext } from '../../kind/context.ts';
import { formattedLabelSelector } from '../../kind/meta/format-labels.ts';
import {
  formattedIntOrString,
  intOrPercentValue,
  validateAtMost100Percent,
  validateIntOrPercent,
} from '../../kind/meta/int-or-percent.ts';
import { validateLabelSelector } from '../../kind/meta/label-selector-rules.ts';
import { validateNonNegative } from '../../kind/meta/non-negative.ts';
import type {
  Deployment,
  DeploymentSpec,
  DeploymentStrategy,
  RollingUpdateDeployment,
} from './deployment.ts';
import { validateReplicaTemplate } from './replicaset-validation.ts';
import { validateCollisionCount, validateCountAtMost, validateNonNegativeCounts } from './status-counts.ts';
import { validateOwnSelector } from './workload.ts';

export function validateDeploymentSpec(spec: DeploymentSpec, context: KindContext): FieldError[] {
  const { selector, template, minReadySeconds = 0, progressDeadlineSeconds } = spec;
  const errors = [
    ...validateNonNegative(spec.replicas, 'spec.replicas'),
    ...validateOwnSelector(selector, 'spec.selector', 'deployment'),
  ];
  if (validateLabelSelector(selector, '').length > 0) {
    errors.push(invalid('spec.selector', formattedLabelSelector(selector), 'invalid label selector'));
  } else {
    addErrors(errors, validateReplicaTemplate(template, selector, context));
  }
  addErrors(errors, [
    ...validateStrategy(spec.strategy),
    ...validateNonNegative(minReadySeconds, 'spec.minReadySeconds'),
    ...validateNonNegative(spec.revisionHistoryLimit, 'spec.revisionHistoryLimit'),
  ]);
  if (progressDeadlineSeconds !== undefined) {
    const path = 'spec.progressDeadlineSeconds';
    addErrors(errors, validateNonNegative(progressDeadlineSeconds, path));
    if (progressDeadlineSeconds <= minReadySeconds) {
      errors.push(invalid(path, progressDeadlineSeconds, 'must be greater than minReadySeconds'));
    }
  }
  return errors;
}

function validateStrategy({ type = '', rollingUpdate }: DeploymentStrategy): FieldError[] {
  const path = 'spec.strategy';
  if (type === 'Recreate') {
    if (!rollingUpdate) return [];
    const detail = "may not be specified when strategy `type` is 'Recreate'";
    return [forbidden(`${path}.rollingUpdate`, detail)];
  }
  if (type === 'RollingUpdate') {
    return rollingUpdate
      ? validateRollingUpdate(rollingUpdate, `${path}.rollingUpdate`)
      : [required(`${path}.rollingUpdate`, 'this should be defaulted and never be nil')];
  }
  const badValue = goStruct('apps.DeploymentStrategy', [
    ['Type', type],
    ['RollingUpdate', 'apps.RollingUpdateDeployment', rollingUpdate],
  ]);
  return [notSupported(path, badValue, ['Recreate', 'RollingUpdate'])];
}

function validateRollingUpdate(
  { maxUnavailable = 0, maxSurge = 0 }: RollingUpdateDeployment,
  path: string,
): FieldError[] {
  const errors = [
    ...validateIntOrPercent(maxUnavailable, `${path}.maxUnavailable`),
    ...validateIntOrPercent(maxSurge, `${path}.maxSurge`),
  ];
  if (intOrPercentValue(maxUnavailable) === 0 && intOrPercentValue(maxSurge) === 0) {
    const detail = 'may not be 0 when `maxSurge` is 0';
    errors.push(invalid(`${path}.maxUnavailable`, formattedIntOrString(maxUnavailable), detail));
  }
  return [...errors, ...validateAtMost100Percent(maxUnavailable, `${path}.maxUnavailable`)];
}

export function validateDeploymentStatus({ status }: Deployment, { status: old }: Deployment): FieldError[] {
  return [
    ...validateNonNegativeCounts(status, [
      'observedGeneration',
      'replicas',
      'updatedReplicas',
      'readyReplicas',
      'availableReplicas',
      'unavailableReplicas',
      'terminatingReplicas',
      'collisionCount',
    ]),
    ...validateCountAtMost(status, 'updatedReplicas', 'replicas'),
    ...validateCountAtMost(status, 'readyReplicas', 'replicas'),
    ...validateCountAtMost(status, 'availableReplicas', 'replicas'),
    ...validateCountAtMost(status, 'availableReplicas', 'readyReplicas', 'readyReplicas'),
    ...validateCollisionCount(status, old),
  ];
}
