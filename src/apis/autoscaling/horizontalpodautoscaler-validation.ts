// HorizontalPodAutoscaler: validation of spec and status (upstream: apis/autoscaling/validation).

import {
  addErrors,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import { nameIsPathSegment } from '../../schema/names.ts';
import { validateNonNegativeCounts } from '../apps/status-counts.ts';
import { formatQuantity, mustParseQuantity } from '../core/resource-list.ts';
import type { HorizontalPodAutoscaler, HorizontalPodAutoscalerSpec } from './horizontalpodautoscaler.ts';
import type {
  CrossVersionObjectReference,
  MetricIdentifier,
  MetricSpec,
  MetricTarget,
} from './metric-source.ts';
import type { HPAScalingPolicy, HPAScalingRules } from './scaling-behavior.ts';

const maxStabilizationSeconds = 3600;
const maxPeriodSeconds = 1800;

export function validateAutoscalerSpec(
  spec: HorizontalPodAutoscalerSpec,
  { features }: KindContext,
  old?: HorizontalPodAutoscalerSpec,
): FieldError[] {
  const errors: FieldError[] = [];
  const { minReplicas, maxReplicas, metrics = [], behavior } = spec;
  const minAllowed = features.enabled('HPAScaleToZero') || old?.minReplicas === 0 ? 0 : 1;
  if (minReplicas !== undefined && minReplicas < minAllowed) {
    errors.push(invalid('spec.minReplicas', minReplicas, `must be greater than or equal to ${minAllowed}`));
  }
  if (maxReplicas < 1) errors.push(invalid('spec.maxReplicas', maxReplicas, 'must be greater than 0'));
  if (minReplicas !== undefined && maxReplicas < minReplicas) {
    const detail = 'must be greater than or equal to `minReplicas`';
    errors.push(invalid('spec.maxReplicas', maxReplicas, detail));
  }
  addErrors(errors, validateReference(spec.scaleTargetRef, 'spec.scaleTargetRef'));
  for (const [i, metric] of metrics.entries())
    addErrors(errors, validateMetric(metric, `spec.metrics[${i}]`));
  // With zero pods, only Object and External metrics have values.
  if (minReplicas === 0 && !metrics.some(({ type }) => type === 'Object' || type === 'External')) {
    const detail = 'must specify at least one Object or External metric to support scaling to zero replicas';
    errors.push(forbidden('spec.metrics', detail));
  }
  if (behavior?.scaleUp) addErrors(errors, validateRules(behavior.scaleUp, 'spec.behavior.scaleUp'));
  if (behavior?.scaleDown) addErrors(errors, validateRules(behavior.scaleDown, 'spec.behavior.scaleDown'));
  return errors;
}

function validateReference({ kind, name }: CrossVersionObjectReference, path: string): FieldError[] {
  return [...validateSegment(kind, `${path}.kind`), ...validateSegment(name, `${path}.name`)];
}

function validateSegment(text: string, path: string, requiredDetail = ''): FieldError[] {
  if (text === '') return [required(path, requiredDetail)];
  return nameIsPathSegment(text).map((problem) => invalid(path, text, problem));
}

/** The field of each metric type. */
const sourceFields = {
  ContainerResource: 'containerResource',
  External: 'external',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
} as const;

function validateMetric(metric: MetricSpec, path: string): FieldError[] {
  const { type } = metric;
  const errors: FieldError[] = [];
  const types = Object.keys(sourceFields);
  if (type === '') errors.push(required(`${path}.type`, 'must specify a metric source type'));
  if (!types.includes(type)) errors.push(notSupported(`${path}.type`, type, types));

  const setSources = (['object', 'external', 'pods', 'resource', 'containerResource'] as const).filter(
    (source) => metric[source] !== undefined,
  );
  const [first] = setSources;
  if (first) addErrors(errors, validateSource(metric, first, `${path}.${first}`));

  const expected = Object.hasOwn(sourceFields, type)
    ? sourceFields[type as keyof typeof sourceFields]
    : undefined;
  // An unknown type is reported a second time, after the errors of its source.
  if (expected === undefined) errors.push(notSupported(`${path}.type`, type, types));
  else if (metric[expected] === undefined) {
    errors.push(required(`${path}.${expected}`, 'must populate information for the given metric source'));
  }
  if (setSources.length < 2) return errors;
  const surplusSources = setSources.filter((source) => source !== expected);
  return [
    ...errors,
    ...surplusSources.map((source) =>
      forbidden(`${path}.${source}`, 'must populate the given metric source only'),
    ),
  ];
}

type Source = 'object' | 'external' | 'pods' | 'resource' | 'containerResource';

function validateSource(metric: MetricSpec, source: Source, path: string): FieldError[] {
  const { target } = metric[source]!;
  return [
    ...(source === 'object'
      ? validateReference(metric.object!.describedObject, `${path}.describedObject`)
      : []),
    ...validateMetricIdentity(metric, source, path),
    ...validateTarget(target, `${path}.target`),
    ...validateRequiredTarget(target, source, `${path}.target`),
  ];
}

/** Validates the metric identifier or resource name of a source. */
function validateMetricIdentity(metric: MetricSpec, source: Source, path: string): FieldError[] {
  if (source === 'object' || source === 'external' || source === 'pods') {
    return validateIdentifier(metric[source]!.metric, `${path}.metric`);
  }
  const errors: FieldError[] = [];
  if (metric[source]!.name === '') errors.push(required(`${path}.name`, 'must specify a resource name'));
  if (source === 'containerResource' && metric[source]!.container === '') {
    errors.push(required(`${path}.container`, 'must specify a container'));
  }
  return errors;
}

const validateIdentifier = ({ name }: MetricIdentifier, path: string) =>
  validateSegment(name, `${path}.name`, 'must specify a metric name');

function validateTarget(target: MetricTarget, path: string): FieldError[] {
  const { type, averageUtilization } = target;
  const errors: FieldError[] = [];
  if (type === '') errors.push(required(`${path}.type`, 'must specify a metric target type'));
  if (type !== 'Utilization' && type !== 'Value' && type !== 'AverageValue') {
    errors.push(invalid(`${path}.type`, type, 'must be either Utilization, Value, or AverageValue'));
  }
  for (const name of ['value', 'averageValue'] as const) {
    const text = target[name];
    if (text === undefined) continue;
    const amount = mustParseQuantity(text);
    if (amount.amount <= 0n)
      errors.push(invalid(`${path}.${name}`, formatQuantity(amount), 'must be positive'));
  }
  if (averageUtilization !== undefined && averageUtilization < 1) {
    errors.push(invalid(`${path}.averageUtilization`, averageUtilization, 'must be greater than 0'));
  }
  return errors;
}

/** Requires the target values that a source needs. */
function validateRequiredTarget(
  { value, averageValue, averageUtilization }: MetricTarget,
  source: Source,
  path: string,
): FieldError[] {
  if (source === 'pods') {
    if (averageValue !== undefined) return [];
    return [required(`${path}.averageValue`, 'must specify a positive target averageValue')];
  }
  if (source === 'object') {
    if (value !== undefined || averageValue !== undefined) return [];
    return [required(`${path}.averageValue`, 'must set either a target value or averageValue')];
  }
  if (source === 'external') {
    const firstOption = 'a target value for metric';
    const secondOption = 'a per-pod target';
    if (value === undefined && averageValue === undefined) {
      return [required(`${path}.averageValue`, `must set either ${firstOption} or ${secondOption}`)];
    }
    if (value === undefined || averageValue === undefined) return [];
    return [forbidden(`${path}.value`, `may not set both ${firstOption} and ${secondOption}`)];
  }
  const firstOption = 'a target raw value';
  const secondOption = 'a target utilization';
  if (averageUtilization === undefined && averageValue === undefined) {
    return [required(`${path}.averageUtilization`, `must set either ${firstOption} or ${secondOption}`)];
  }
  if (averageUtilization === undefined || averageValue === undefined) return [];
  return [forbidden(`${path}.averageValue`, `may not set both ${firstOption} and ${secondOption}`)];
}

function validateRules(rules: HPAScalingRules, path: string): FieldError[] {
  const { stabilizationWindowSeconds: window, selectPolicy, policies = [], tolerance } = rules;
  const errors: FieldError[] = [];
  if (window !== undefined) {
    addErrors(
      errors,
      validateRange(window, 0, maxStabilizationSeconds, `${path}.stabilizationWindowSeconds`),
    );
  }
  const selectPolicies = ['Disabled', 'Max', 'Min'];
  if (selectPolicy !== undefined && !selectPolicies.includes(selectPolicy)) {
    errors.push(notSupported(`${path}.selectPolicy`, selectPolicy, selectPolicies));
  }
  if (policies.length === 0) errors.push(required(`${path}.policies`, 'must specify at least one Policy'));
  for (const [i, policy] of policies.entries()) {
    addErrors(errors, validatePolicy(policy, `${path}.policies[${i}]`));
  }
  if (tolerance !== undefined && mustParseQuantity(tolerance).amount < 0n) {
    errors.push(invalid(`${path}.tolerance`, tolerance, 'must be greater than or equal to 0'));
  }
  return errors;
}

function validatePolicy({ type, value, periodSeconds }: HPAScalingPolicy, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const types = ['Percent', 'Pods'];
  if (!types.includes(type)) errors.push(notSupported(`${path}.type`, type, types));
  if (value <= 0) errors.push(invalid(`${path}.value`, value, 'must be greater than zero'));
  return [...errors, ...validateRange(periodSeconds, 1, maxPeriodSeconds, `${path}.periodSeconds`)];
}

function validateRange(value: number, min: 0 | 1, max: number, path: string): FieldError[] {
  if (value < min) {
    return [invalid(path, value, `must be greater than ${min === 0 ? 'or equal to zero' : 'zero'}`)];
  }
  return value > max ? [invalid(path, value, `must be less than or equal to ${max}`)] : [];
}

export function validateAutoscalerStatus({ status }: HorizontalPodAutoscaler): FieldError[] {
  return validateNonNegativeCounts(status, ['currentReplicas', 'desiredReplicas']);
}
