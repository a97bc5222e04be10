// StatefulSet: validation of spec and status (upstream: apis/apps/validation).

import { addErrors, type FieldError, invalid, notSupported, required } from '../../errors/field-error.ts';
import { goStruct } from '../../errors/go-struct.ts';
import { formattedLabelSelector } from '../../kind/meta/format-labels.ts';
import {
  formattedIntOrString,
  intOrPercentValue,
  validateAtMost100Percent,
  validateIntOrPercent,
} from '../../kind/meta/int-or-percent.ts';
import { validateLabelSelector } from '../../kind/meta/label-selector-rules.ts';
import { validateNonNegative } from '../../kind/meta/non-negative.ts';
import { validateAnnotations, validateLabels } from '../../kind/meta/validation.ts';
import { dnsLabel } from '../../schema/names.ts';
import type {
  RollingUpdateStatefulSetStrategy,
  StatefulSet,
  StatefulSetSpec,
  StatefulSetUpdateStrategy,
} from './statefulset.ts';
import { validateCollisionCount, validateCountAtMost, validateNonNegativeCounts } from './status-counts.ts';
import { validateAlwaysRestarts, validateOwnSelector, validateTemplateMatchesSelector } from './workload.ts';

export function validateStatefulSetSpec(spec: StatefulSetSpec, old?: StatefulSetSpec): FieldError[] {
  return [
    ...validatePodManagementPolicy(spec.podManagementPolicy ?? ''),
    ...validateUpdateStrategy(spec.updateStrategy),
    ...validateRetentionPolicy(spec),
    ...validateNonNegative(spec.replicas, 'spec.replicas'),
    ...validateNonNegative(spec.minReadySeconds, 'spec.minReadySeconds'),
    ...validateNonNegative(spec.ordinals?.start, 'spec.ordinals.start'),
    // Only on create: older StatefulSets may have an invalid serviceName, and the field is immutable.
    ...(old ? [] : validateServiceName(spec.serviceName)),
    ...validateOwnSelector(spec.selector, 'spec.selector', 'statefulset'),
    ...validateTemplate(spec),
    ...validateAlwaysRestarts(spec.template, 'spec.template', 'StatefulSet'),
  ];
}

function validatePodManagementPolicy(policy: string): FieldError[] {
  const path = 'spec.podManagementPolicy';
  if (policy === '') return [required(path)];
  if (policy === 'OrderedReady' || policy === 'Parallel') return [];
  return [invalid(path, policy, "must be 'OrderedReady' or 'Parallel'")];
}

function validateUpdateStrategy({ type = '', rollingUpdate }: StatefulSetUpdateStrategy): FieldError[] {
  const path = 'spec.updateStrategy';
  if (type === '') return [required(path)];
  if (type === 'RollingUpdate') {
    return rollingUpdate ? validateRollingUpdate(rollingUpdate, `${path}.rollingUpdate`) : [];
  }
  if (type === 'OnDelete') {
    if (!rollingUpdate) return [];
    const { partition = 0, maxUnavailable } = rollingUpdate;
    const badValue = goStruct('apps.RollingUpdateStatefulSetStrategy', [
      ['Partition', partition],
      ['MaxUnavailable', 'intstr.IntOrString', maxUnavailable],
    ]);
    const detail = "only allowed for updateStrategy 'RollingUpdate'";
    return [invalid(`${path}.rollingUpdate`, badValue, detail)];
  }
  const badValue = goStruct('apps.StatefulSetUpdateStrategy', [
    ['Type', type],
    ['RollingUpdate', 'apps.RollingUpdateStatefulSetStrategy', rollingUpdate],
  ]);
  return [invalid(path, badValue, "must be 'RollingUpdate' or 'OnDelete'")];
}

function validateRollingUpdate(
  { partition, maxUnavailable }: RollingUpdateStatefulSetStrategy,
  path: string,
): FieldError[] {
  const errors = validateNonNegative(partition, `${path}.partition`);
  if (maxUnavailable === undefined) return errors;
  const fieldPath = `${path}.maxUnavailable`;
  addErrors(errors, validateIntOrPercent(maxUnavailable, fieldPath));
  if (intOrPercentValue(maxUnavailable) === 0) {
    errors.push(invalid(fieldPath, formattedIntOrString(maxUnavailable), 'cannot be 0'));
  }
  return [...errors, ...validateAtMost100Percent(maxUnavailable, fieldPath)];
}

function validateRetentionPolicy({
  persistentVolumeClaimRetentionPolicy: policy,
}: StatefulSetSpec): FieldError[] {
  if (!policy) return [];
  return (['whenDeleted', 'whenScaled'] as const)
    .filter((field) => policy[field] !== 'Retain' && policy[field] !== 'Delete')
    .map((field) =>
      notSupported(`spec.persistentVolumeClaimRetentionPolicy.${field}`, policy[field] ?? '', [
        'Retain',
        'Delete',
      ]),
    );
}

/** kube-apiserver does not validate the template's PodSpec for StatefulSets, only the pods created from it. */
function validateTemplate({ selector, template }: StatefulSetSpec): FieldError[] {
  if (validateLabelSelector(selector, '').length > 0) {
    // validateOwnSelector reports the details.
    return [invalid('spec.selector', formattedLabelSelector(selector), '')];
  }
  const errors = validateTemplateMatchesSelector(template, selector, 'spec.template');
  validateLabels(template.metadata.labels ?? {}, 'spec.template.labels', errors);
  validateAnnotations(template.metadata.annotations ?? {}, 'spec.template.annotations', errors);
  return errors;
}

function validateServiceName(name: string): FieldError[] {
  if (name === '') return [];
  return dnsLabel(name).map((problem) => invalid('spec.serviceName', name, problem));
}

export function validateStatefulSetStatus(
  { status }: StatefulSet,
  { status: old }: StatefulSet,
): FieldError[] {
  return [
    ...validateNonNegativeCounts(status, [
      'replicas',
      'readyReplicas',
      'currentReplicas',
      'updatedReplicas',
      'availableReplicas',
      'observedGeneration',
      'collisionCount',
    ]),
    ...validateCountAtMost(status, 'readyReplicas', 'replicas'),
    ...validateCountAtMost(status, 'currentReplicas', 'replicas'),
    ...validateCountAtMost(status, 'updatedReplicas', 'replicas'),
    ...validateCountAtMost(status, 'availableReplicas', 'replicas'),
    ...validateCountAtMost(status, 'availableReplicas', 'readyReplicas'),
    ...validateCollisionCount(status, old),
  ];
}
