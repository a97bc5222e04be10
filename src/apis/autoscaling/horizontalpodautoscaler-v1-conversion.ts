// HorizontalPodAutoscaler: conversion between v1 and v2. v1 has fields for CPU utilization only; annotations, which
// exist in v1 only, carry everything else.
import { nullPrototypeObject } from '../../codec/json/json-value.ts';
import { JsonSyntaxError, parseJson } from '../../codec/json/parse.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import type { ObjectMeta } from '../../kind/meta/object-meta.ts';
import { list } from '../../schema/collections.ts';
import { DecodeError, Decoding } from '../../schema/decoding.ts';
import type { Type } from '../../schema/type.ts';
import {
  AnnotationBehavior,
  behaviorFromAnnotation,
  behaviorToAnnotation,
} from './behavior-in-annotation.ts';
import {
  defaultMetric,
  type HorizontalPodAutoscaler,
  HorizontalPodAutoscalerCondition,
  type HorizontalPodAutoscalerSpec,
  type HorizontalPodAutoscalerStatus,
} from './horizontalpodautoscaler.ts';
import type { HorizontalPodAutoscalerV1 } from './horizontalpodautoscaler-v1.ts';
import type { MetricSpec } from './metric-source.ts';
import {
  MetricSpecsV2beta1,
  MetricStatusesV2beta1,
  metricSpecFromV2beta1,
  metricSpecToV2beta1,
  metricStatusFromV2beta1,
  metricStatusToV2beta1,
} from './metrics-in-annotations.ts';

const Conditions = list(HorizontalPodAutoscalerCondition);

/** The v2 object that a v1 object was converted from, kept because v1 fields and annotations lose information. */
const origin = Symbol('origin');
interface WithOrigin {
  [origin]?: HorizontalPodAutoscaler;
}

export function fromV2(object: HorizontalPodAutoscaler, dialect: Dialect): HorizontalPodAutoscalerV1 {
  const { spec, status } = object;
  const metrics = spec.metrics ?? [];
  const cpuTarget = metrics.find(isCpuUtilization)?.resource?.target.averageUtilization;
  const cpuStatus = status.currentMetrics?.find(
    ({ type, resource }) =>
      type === 'Resource' && resource?.name === 'cpu' && resource.current.averageUtilization !== undefined,
  );
  const cpuCurrent = cpuStatus?.resource?.current.averageUtilization;
  const { observedGeneration, lastScaleTime } = status;
  const v1: HorizontalPodAutoscalerV1 & WithOrigin = {
    kind: object.kind,
    apiVersion: object.apiVersion,
    metadata: withAnnotations(object.metadata, annotationsFor(object, dialect), dialect),
    spec: {
      scaleTargetRef: spec.scaleTargetRef,
      maxReplicas: spec.maxReplicas,
      ...(spec.minReplicas !== undefined && { minReplicas: spec.minReplicas }),
      ...(cpuTarget !== undefined && { targetCPUUtilizationPercentage: cpuTarget }),
    },
    status: {
      ...(observedGeneration !== undefined && { observedGeneration }),
      ...(lastScaleTime !== undefined && { lastScaleTime }),
      currentReplicas: status.currentReplicas ?? 0,
      desiredReplicas: status.desiredReplicas,
      ...(cpuCurrent !== undefined && { currentCPUUtilizationPercentage: cpuCurrent }),
    },
    [origin]: object,
  };
  return v1;
}

/** A v1 object that was converted from v2 keeps the v2 object's fields; only its metadata is taken from v1. */
export function toV2(
  object: HorizontalPodAutoscalerV1 & WithOrigin,
  dialect: Dialect,
): HorizontalPodAutoscaler {
  const { kind, apiVersion } = object;
  const metadata = withAnnotations(object.metadata, {}, dialect);
  const { [origin]: original } = object;
  if (original) return { ...original, kind, apiVersion, metadata };
  return {
    kind,
    apiVersion,
    metadata,
    spec: specFrom(object, dialect),
    status: statusFrom(object, dialect),
  };
}

function isCpuUtilization({ type, resource }: MetricSpec): boolean {
  return type === 'Resource' && resource?.name === 'cpu' && resource.target.averageUtilization !== undefined;
}

/** The annotations of the v1 object. */
function annotationsFor({ spec, status }: HorizontalPodAutoscaler, dialect: Dialect): Record<string, string> {
  const { annotations } = dialect;
  const result = nullPrototypeObject<string>();
  const otherMetrics = (spec.metrics ?? []).filter((metric) => !isCpuUtilization(metric));
  const { currentMetrics = [], conditions = [] } = status;
  if (otherMetrics.length > 0)
    result[annotations.autoscalerMetrics] = MetricSpecsV2beta1.write(otherMetrics.map(metricSpecToV2beta1));
  if (currentMetrics.length > 0) {
    result[annotations.autoscalerCurrentMetrics] = MetricStatusesV2beta1.write(
      currentMetrics.map(metricStatusToV2beta1),
    );
  }
  if (spec.behavior)
    result[annotations.autoscalerBehavior] = AnnotationBehavior.write(behaviorToAnnotation(spec.behavior));
  if (conditions.length > 0) result[annotations.autoscalerConditions] = Conditions.write(conditions);
  return result;
}

/** Metadata with the conversion annotations replaced by `added`. */
function withAnnotations(
  { annotations: oldAnnotations, ...otherMetadata }: ObjectMeta,
  added: Readonly<Record<string, string>>,
  { annotations: names }: Dialect,
): ObjectMeta {
  const conversionAnnotations = [
    names.autoscalerMetrics,
    names.autoscalerCurrentMetrics,
    names.autoscalerBehavior,
    names.autoscalerConditions,
  ];
  const annotations = Object.assign(nullPrototypeObject<string>(), oldAnnotations);
  for (const name of conversionAnnotations) delete annotations[name];
  Object.assign(annotations, added);
  return Object.keys(annotations).length > 0 ? { ...otherMetadata, annotations } : otherMetadata;
}

function specFrom(
  { metadata, spec }: HorizontalPodAutoscalerV1,
  dialect: Dialect,
): HorizontalPodAutoscalerSpec {
  const { annotations } = dialect;
  const { scaleTargetRef, minReplicas, maxReplicas, targetCPUUtilizationPercentage: cpu } = spec;
  const metrics = (decodeAnnotation(metadata, annotations.autoscalerMetrics, MetricSpecsV2beta1) ?? []).map(
    metricSpecFromV2beta1,
  );
  if (cpu !== undefined) {
    const target = { type: 'Utilization', averageUtilization: cpu };
    metrics.push({ type: 'Resource', resource: { name: 'cpu', target } });
  }
  const behavior = decodeAnnotation(metadata, annotations.autoscalerBehavior, AnnotationBehavior);
  return {
    scaleTargetRef,
    ...(minReplicas !== undefined && { minReplicas }),
    maxReplicas,
    metrics: metrics.length > 0 ? metrics : [defaultMetric()],
    ...(behavior && { behavior: behaviorFromAnnotation(behavior) }),
  };
}

function statusFrom(
  { metadata, status }: HorizontalPodAutoscalerV1,
  dialect: Dialect,
): HorizontalPodAutoscalerStatus {
  const { annotations } = dialect;
  const { currentCPUUtilizationPercentage: cpu, ...counts } = status;
  const annotatedMetrics = decodeAnnotation(
    metadata,
    annotations.autoscalerCurrentMetrics,
    MetricStatusesV2beta1,
  )?.map(metricStatusFromV2beta1);
  const conditions = decodeAnnotation(metadata, annotations.autoscalerConditions, Conditions);
  const currentMetrics =
    annotatedMetrics ??
    (cpu === undefined
      ? undefined
      : [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: cpu } } }]);
  return {
    ...counts,
    ...(currentMetrics && { currentMetrics }),
    ...(conditions && { conditions }),
  };
}

/** Decodes an annotation; undefined if it is malformed, because any client can write it. */
function decodeAnnotation<T>({ annotations }: ObjectMeta, name: string, type: Type<T>): T | undefined {
  const text = annotations?.[name];
  if (text === undefined) return undefined;
  try {
    const { value } = parseJson(text);
    const decoding = new Decoding();
    const result = value === null ? type.zero() : type.read(value, decoding);
    decoding.throwFault();
    return result;
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof DecodeError) return undefined;
    throw error;
  }
}
