// DaemonSet: validation of spec and status (upstream: apis/apps/validation).

import { addErrors, type FieldError, invalid, notSupported, required } from '../../errors/field-error.ts';
import { goStruct } from '../../errors/go-struct.ts';
import type { KindContext } from '../../kind/context.ts';
import { formattedLabelSelector } from '../../kind/meta/format-labels.ts';
import {
  formattedIntOrString,
  intOrPercentValue,
  validateAtMost100Percent,
  validateIntOrPercent,
} from '../../kind/meta/int-or-percent.ts';
import { isEmptyLabelSelector } from '../../kind/meta/label-selector-match.ts';
import { validateLabelSelector } from '../../kind/meta/label-selector-rules.ts';
import { validateNonNegative } from '../../kind/meta/non-negative.ts';
import type {
  DaemonSet,
  DaemonSetSpec,
  DaemonSetUpdateStrategy,
  RollingUpdateDaemonSet,
} from './daemonset.ts';
import { validateCollisionCount, validateNonNegativeCounts } from './status-counts.ts';
import { validateAlwaysRestartingTemplate, validateTemplateMatchesSelector } from './workload.ts';

export function validateDaemonSetSpec(spec: DaemonSetSpec, context: KindContext): FieldError[] {
  const { selector, template } = spec;
  const errors = validateLabelSelector(selector, 'spec.selector');
  const isSelectorValid = errors.length === 0;
  if (isSelectorValid)
    addErrors(errors, validateTemplateMatchesSelector(template, selector, 'spec.template'));
  if (selector && isEmptyLabelSelector(selector)) {
    errors.push(
      invalid('spec.selector', formattedLabelSelector(selector), 'empty selector is invalid for daemonset'),
    );
  }
  return [
    ...errors,
    ...validateAlwaysRestartingTemplate(template, 'spec.template', 'DaemonSet', context),
    ...validateNonNegative(spec.minReadySeconds, 'spec.minReadySeconds'),
    ...validateUpdateStrategy(spec.updateStrategy),
    ...validateNonNegative(spec.revisionHistoryLimit, 'spec.revisionHistoryLimit'),
  ];
}

function validateUpdateStrategy({ type = '', rollingUpdate }: DaemonSetUpdateStrategy): FieldError[] {
  const path = 'spec.updateStrategy';
  if (type === 'OnDelete') return [];
  if (type === 'RollingUpdate') {
    return rollingUpdate
      ? validateRollingUpdate(rollingUpdate, `${path}.rollingUpdate`)
      : [required(`${path}.rollingUpdate`)];
  }
  const badValue = goStruct('apps.DaemonSetUpdateStrategy', [
    ['Type', type],
    ['RollingUpdate', 'apps.RollingUpdateDaemonSet', rollingUpdate],
  ]);
  return [notSupported(path, badValue, ['RollingUpdate', 'OnDelete'])];
}

function validateRollingUpdate(
  { maxUnavailable = 0, maxSurge = 0 }: RollingUpdateDaemonSet,
  path: string,
): FieldError[] {
  const errors = [
    ...validateIntOrPercent(maxUnavailable, `${path}.maxUnavailable`),
    ...validateIntOrPercent(maxSurge, `${path}.maxSurge`),
    ...validateAtMost100Percent(maxUnavailable, `${path}.maxUnavailable`),
    ...validateAtMost100Percent(maxSurge, `${path}.maxSurge`),
  ];
  const unavailable = intOrPercentValue(maxUnavailable);
  const surge = intOrPercentValue(maxSurge);
  if (unavailable !== 0 && surge !== 0) {
    const detail = 'may not be set when maxUnavailable is non-zero';
    errors.push(invalid(`${path}.maxSurge`, formattedIntOrString(maxSurge), detail));
  } else if (unavailable === 0 && surge === 0) {
    errors.push(required(`${path}.maxUnavailable`, 'cannot be 0 when maxSurge is 0'));
  }
  return errors;
}

export function validateDaemonSetStatus({ status }: DaemonSet, { status: old }: DaemonSet): FieldError[] {
  return [
    ...validateNonNegativeCounts(status, [
      'currentNumberScheduled',
      'numberMisscheduled',
      'desiredNumberScheduled',
      'numberReady',
      'observedGeneration',
      'updatedNumberScheduled',
      'numberAvailable',
      'numberUnavailable',
      'collisionCount',
    ]),
    ...validateCollisionCount(status, old),
  ];
}
