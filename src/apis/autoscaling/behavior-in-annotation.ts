// HorizontalPodAutoscaler v1: the annotation that carries spec.behavior of v2.
import { list } from '../../schema/collections.ts';
import { quantity } from '../../schema/quantity-type.ts';
import { int32, string } from '../../schema/scalars.ts';
import { field, optional, struct } from '../../schema/struct.ts';
import type { HorizontalPodAutoscalerBehavior, HPAScalingRules } from './scaling-behavior.ts';

/** The annotation holds upstream's internal Go type as JSON: capitalized field names, none omitted. */

const AnnotationPolicy = struct('annotation.HPAScalingPolicy', {
  Type: field(0, string, { required: true }),
  Value: field(0, int32, { required: true }),
  PeriodSeconds: field(0, int32, { required: true }),
});
const AnnotationRules = struct('annotation.HPAScalingRules', {
  StabilizationWindowSeconds: field(0, optional(int32), { required: true }),
  SelectPolicy: field(0, optional(string), { required: true }),
  Policies: field(0, list(AnnotationPolicy), { required: true }),
  Tolerance: field(0, optional(quantity), { required: true }),
});
export const AnnotationBehavior = struct('annotation.HorizontalPodAutoscalerBehavior', {
  ScaleUp: field(0, optional(AnnotationRules), { required: true }),
  ScaleDown: field(0, optional(AnnotationRules), { required: true }),
});
type AnnotationRules = ReturnType<typeof AnnotationRules.zero>;
type AnnotationBehavior = ReturnType<typeof AnnotationBehavior.zero>;

export function behaviorToAnnotation({
  scaleUp,
  scaleDown,
}: HorizontalPodAutoscalerBehavior): AnnotationBehavior {
  return {
    ...(scaleUp && { ScaleUp: rulesToAnnotation(scaleUp) }),
    ...(scaleDown && { ScaleDown: rulesToAnnotation(scaleDown) }),
  };
}

function rulesToAnnotation(rules: HPAScalingRules): AnnotationRules {
  const { stabilizationWindowSeconds: window, selectPolicy, policies, tolerance } = rules;
  return {
    ...(window !== undefined && { StabilizationWindowSeconds: window }),
    ...(selectPolicy !== undefined && { SelectPolicy: selectPolicy }),
    ...(policies && {
      Policies: policies.map(({ type, value, periodSeconds }) => ({
        Type: type,
        Value: value,
        PeriodSeconds: periodSeconds,
      })),
    }),
    ...(tolerance !== undefined && { Tolerance: tolerance }),
  };
}

export function behaviorFromAnnotation({
  ScaleUp,
  ScaleDown,
}: AnnotationBehavior): HorizontalPodAutoscalerBehavior {
  return {
    ...(ScaleUp && { scaleUp: rulesFromAnnotation(ScaleUp) }),
    ...(ScaleDown && { scaleDown: rulesFromAnnotation(ScaleDown) }),
  };
}

function rulesFromAnnotation({
  StabilizationWindowSeconds: window,
  SelectPolicy,
  Policies,
  Tolerance,
}: AnnotationRules): HPAScalingRules {
  return {
    ...(window !== undefined && { stabilizationWindowSeconds: window }),
    ...(SelectPolicy !== undefined && { selectPolicy: SelectPolicy }),
    ...(Policies && {
      policies: Policies.map(({ Type, Value, PeriodSeconds }) => ({
        type: Type,
        value: Value,
        periodSeconds: PeriodSeconds,
      })),
    }),
    ...(Tolerance !== undefined && { tolerance: Tolerance }),
  };
}
