// HorizontalPodAutoscaler v1: converts spec.metrics and status.currentMetrics of v2 to and from annotations. v1 has
// no such fields, so the annotations keep them from being lost in a read and write of v1.
import { LabelSelector } from '../../kind/meta/label-selector.ts';
import { list } from '../../schema/collections.ts';
import { quantity } from '../../schema/quantity-type.ts';
import { int32, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { CrossVersionObjectReference, type MetricSpec } from './metric-source.ts';
import type { MetricStatus } from './metric-status.ts';

// The annotations hold the v2beta1 format, whose field names differ from v2, and which has no type of a target: it
// follows from the field that is set. Field numbers are 0, because annotations have no Protobuf encoding.

/** A quantity that v2beta1 requires. One that v2 leaves unset becomes 0. */
const requiredQuantity = field(0, quantity, { required: true });
const optionalQuantity = field(0, optional(quantity));
const requiredString = field(0, string, { required: true });
const optionalInt32 = field(0, optional(int32));
const selector = field(0, optional(LabelSelector));
const reference = field(0, CrossVersionObjectReference, { required: true });

const ObjectSource = struct('annotation.ObjectMetricSource', {
  target: reference,
  metricName: requiredString,
  targetValue: requiredQuantity,
  selector,
  averageValue: optionalQuantity,
});
const PodsSource = struct('annotation.PodsMetricSource', {
  metricName: requiredString,
  targetAverageValue: requiredQuantity,
  selector,
});
const ResourceSource = struct('annotation.ResourceMetricSource', {
  name: requiredString,
  targetAverageUtilization: optionalInt32,
  targetAverageValue: optionalQuantity,
});
const ContainerResourceSource = struct('annotation.ContainerResourceMetricSource', {
  name: requiredString,
  targetAverageUtilization: optionalInt32,
  targetAverageValue: optionalQuantity,
  container: requiredString,
});
const ExternalSource = struct('annotation.ExternalMetricSource', {
  metricName: requiredString,
  metricSelector: selector,
  targetValue: optionalQuantity,
  targetAverageValue: optionalQuantity,
});
const MetricSpecV2beta1 = struct('annotation.MetricSpec', {
  type: requiredString,
  object: field(0, optional(ObjectSource)),
  pods: field(0, optional(PodsSource)),
  resource: field(0, optional(ResourceSource)),
  containerResource: field(0, optional(ContainerResourceSource)),
  external: field(0, optional(ExternalSource)),
});
type MetricSpecV2beta1 = Infer<typeof MetricSpecV2beta1>;
export const MetricSpecsV2beta1 = list(MetricSpecV2beta1);

const ObjectStatus = struct('annotation.ObjectMetricStatus', {
  target: reference,
  metricName: requiredString,
  currentValue: requiredQuantity,
  selector,
  averageValue: optionalQuantity,
});
const PodsStatus = struct('annotation.PodsMetricStatus', {
  metricName: requiredString,
  currentAverageValue: requiredQuantity,
  selector,
});
const ResourceStatus = struct('annotation.ResourceMetricStatus', {
  name: requiredString,
  currentAverageUtilization: optionalInt32,
  currentAverageValue: requiredQuantity,
});
const ContainerResourceStatus = struct('annotation.ContainerResourceMetricStatus', {
  name: requiredString,
  currentAverageUtilization: optionalInt32,
  currentAverageValue: requiredQuantity,
  container: requiredString,
});
const ExternalStatus = struct('annotation.ExternalMetricStatus', {
  metricName: requiredString,
  metricSelector: selector,
  currentValue: requiredQuantity,
  currentAverageValue: optionalQuantity,
});
const MetricStatusV2beta1 = struct('annotation.MetricStatus', {
  type: requiredString,
  object: field(0, optional(ObjectStatus)),
  pods: field(0, optional(PodsStatus)),
  resource: field(0, optional(ResourceStatus)),
  containerResource: field(0, optional(ContainerResourceStatus)),
  external: field(0, optional(ExternalStatus)),
});
type MetricStatusV2beta1 = Infer<typeof MetricStatusV2beta1>;
export const MetricStatusesV2beta1 = list(MetricStatusV2beta1);

type DefinedFields<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Drops undefined fields: the optional fields of a struct are absent, never undefined. */
function definedFields<T extends object>(fields: T): Partial<DefinedFields<T>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<
    DefinedFields<T>
  >;
}

/** Converts a metric of v2 to the format of the annotation. The type of its target is dropped. */
export function metricSpecToV2beta1(spec: MetricSpec): MetricSpecV2beta1 {
  const { type, object, pods, resource, containerResource, external } = spec;
  return {
    type,
    ...definedFields({
      object: object && {
        target: object.describedObject,
        metricName: object.metric.name,
        targetValue: object.target.value ?? '0',
        ...definedFields({ selector: object.metric.selector, averageValue: object.target.averageValue }),
      },
      pods: pods && {
        metricName: pods.metric.name,
        targetAverageValue: pods.target.averageValue ?? '0',
        ...definedFields({ selector: pods.metric.selector }),
      },
      resource: resource && {
        name: resource.name,
        ...definedFields({
          targetAverageUtilization: resource.target.averageUtilization,
          targetAverageValue: resource.target.averageValue,
        }),
      },
      containerResource: containerResource && {
        name: containerResource.name,
        container: containerResource.container,
        ...definedFields({
          targetAverageUtilization: containerResource.target.averageUtilization,
          targetAverageValue: containerResource.target.averageValue,
        }),
      },
      external: external && {
        metricName: external.metric.name,
        ...definedFields({
          metricSelector: external.metric.selector,
          targetValue: external.target.value,
          targetAverageValue: external.target.averageValue,
        }),
      },
    }),
  };
}

/** Converts a metric of the annotation to v2. The field that is set determines the type of its target. */
export function metricSpecFromV2beta1(spec: MetricSpecV2beta1): MetricSpec {
  const { type, object, pods, resource, containerResource, external } = spec;
  return {
    type,
    ...definedFields({
      object: object && {
        describedObject: object.target,
        metric: { name: object.metricName, ...definedFields({ selector: object.selector }) },
        target: {
          type: object.averageValue === undefined ? 'Value' : 'AverageValue',
          ...definedFields({ value: objectTargetValue(object), averageValue: object.averageValue }),
        },
      },
      pods: pods && {
        metric: { name: pods.metricName, ...definedFields({ selector: pods.selector }) },
        target: { type: 'AverageValue', averageValue: pods.targetAverageValue ?? '0' },
      },
      resource: resource && { name: resource.name, target: resourceTarget(resource) },
      containerResource: containerResource && {
        name: containerResource.name,
        container: containerResource.container,
        target: resourceTarget(containerResource),
      },
      external: external && {
        metric: { name: external.metricName, ...definedFields({ selector: external.metricSelector }) },
        target: {
          type: external.targetValue === undefined ? 'AverageValue' : 'Value',
          ...definedFields({ value: external.targetValue, averageValue: external.targetAverageValue }),
        },
      },
    }),
  };
}

/** targetValue is required in v2beta1; next to an averageValue, 0 means unset. */
function objectTargetValue({ targetValue = '0', averageValue }: Infer<typeof ObjectSource>) {
  const isUnset = averageValue !== undefined && targetValue === '0';
  return isUnset ? undefined : targetValue;
}

function resourceTarget({
  targetAverageUtilization,
  targetAverageValue,
}: {
  targetAverageUtilization?: number;
  targetAverageValue?: string;
}) {
  return {
    type: targetAverageUtilization === undefined ? 'AverageValue' : 'Utilization',
    ...definedFields({ averageUtilization: targetAverageUtilization, averageValue: targetAverageValue }),
  };
}

export function metricStatusToV2beta1(status: MetricStatus): MetricStatusV2beta1 {
  const { type, object, pods, resource, containerResource, external } = status;
  return {
    type,
    ...definedFields({
      object: object && {
        target: object.describedObject,
        metricName: object.metric.name,
        currentValue: object.current.value ?? '0',
        ...definedFields({ selector: object.metric.selector, averageValue: object.current.averageValue }),
      },
      pods: pods && {
        metricName: pods.metric.name,
        currentAverageValue: pods.current.averageValue ?? '0',
        ...definedFields({ selector: pods.metric.selector }),
      },
      resource: resource && {
        name: resource.name,
        currentAverageValue: resource.current.averageValue ?? '0',
        ...definedFields({ currentAverageUtilization: resource.current.averageUtilization }),
      },
      containerResource: containerResource && {
        name: containerResource.name,
        container: containerResource.container,
        currentAverageValue: containerResource.current.averageValue ?? '0',
        ...definedFields({ currentAverageUtilization: containerResource.current.averageUtilization }),
      },
      external: external && {
        metricName: external.metric.name,
        currentValue: external.current.value ?? '0',
        ...definedFields({
          metricSelector: external.metric.selector,
          currentAverageValue: external.current.averageValue,
        }),
      },
    }),
  };
}

export function metricStatusFromV2beta1(status: MetricStatusV2beta1): MetricStatus {
  const { type, object, pods, resource, containerResource, external } = status;
  return {
    type,
    ...definedFields({
      object: object && {
        describedObject: object.target,
        metric: { name: object.metricName, ...definedFields({ selector: object.selector }) },
        current: {
          value: object.currentValue ?? '0',
          ...definedFields({ averageValue: object.averageValue }),
        },
      },
      pods: pods && {
        metric: { name: pods.metricName, ...definedFields({ selector: pods.selector }) },
        current: { averageValue: pods.currentAverageValue ?? '0' },
      },
      resource: resource && {
        name: resource.name,
        current: {
          averageValue: resource.currentAverageValue ?? '0',
          ...definedFields({ averageUtilization: resource.currentAverageUtilization }),
        },
      },
      containerResource: containerResource && {
        name: containerResource.name,
        container: containerResource.container,
        current: {
          averageValue: containerResource.currentAverageValue ?? '0',
          ...definedFields({ averageUtilization: containerResource.currentAverageUtilization }),
        },
      },
      external: external && {
        metric: { name: external.metricName, ...definedFields({ selector: external.metricSelector }) },
        current: {
          value: external.currentValue ?? '0',
          ...definedFields({ averageValue: external.currentAverageValue }),
        },
      },
    }),
  };
}
