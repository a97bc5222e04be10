// HorizontalPodAutoscaler v2: schemas of metric sources and targets (spec.metrics). Field numbers are those of protobuf.
import { LabelSelector } from '../../kind/meta/label-selector.ts';
import { quantity } from '../../schema/quantity-type.ts';
import { int32, named, openEnum, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { resourceName } from '../core/resource-name.ts';

export const CrossVersionObjectReference = struct(
  'autoscaling/v2.CrossVersionObjectReference',
  {
    kind: field(1, string, { required: true, doc: 'The kind of the object.' }),
    name: field(2, string, { required: true, doc: 'The name of the object.' }),
    apiVersion: field(3, string, { doc: 'The API group and version of the object.' }),
  },
  { doc: 'A reference to an object in the same namespace.' },
);
export type CrossVersionObjectReference = Infer<typeof CrossVersionObjectReference>;

export const metricSourceType = named(
  'autoscaling/v2.MetricSourceType',
  openEnum('Object', 'Pods', 'Resource', 'ContainerResource', 'External'),
);

export const MetricTarget = struct(
  'autoscaling/v2.MetricTarget',
  {
    type: field(
      1,
      named('autoscaling/v2.MetricTargetType', openEnum('Utilization', 'Value', 'AverageValue')),
      {
        required: true,
        doc: 'The type of the target: Value, AverageValue or Utilization.',
      },
    ),
    value: field(2, optional(quantity), { doc: 'The target value of the metric.' }),
    averageValue: field(3, optional(quantity), { doc: 'The target value of the metric per pod.' }),
    averageUtilization: field(4, optional(int32), {
      doc: 'The target average utilization, in percent of the requested resource. For resource metrics only.',
    }),
  },
  { doc: 'The target value of a metric.' },
);
export type MetricTarget = Infer<typeof MetricTarget>;

export const MetricIdentifier = struct(
  'autoscaling/v2.MetricIdentifier',
  {
    name: field(1, string, { required: true, doc: 'The name of the metric.' }),
    selector: field(2, optional(LabelSelector), {
      doc: 'Selects the metrics of that name by label.',
    }),
  },
  { doc: 'The name and selector of a metric.' },
);
export type MetricIdentifier = Infer<typeof MetricIdentifier>;

const targetOptions = { required: true, doc: 'The target value of the metric.' };
const metricOptions = { required: true, doc: 'The metric.' };

const ObjectMetricSource = struct(
  'autoscaling/v2.ObjectMetricSource',
  {
    describedObject: field(1, CrossVersionObjectReference, {
      required: true,
      doc: 'The object that the metric describes.',
    }),
    target: field(2, MetricTarget, targetOptions),
    metric: field(3, MetricIdentifier, metricOptions),
  },
  { doc: 'A metric of a single object, such as the request rate of an Ingress.' },
);

const PodsMetricSource = struct(
  'autoscaling/v2.PodsMetricSource',
  { metric: field(1, MetricIdentifier, metricOptions), target: field(2, MetricTarget, targetOptions) },
  { doc: 'A metric of each pod, averaged over all pods.' },
);

const ResourceMetricSource = struct(
  'autoscaling/v2.ResourceMetricSource',
  {
    name: field(1, resourceName, { required: true, doc: 'The name of the resource, such as cpu or memory.' }),
    target: field(2, MetricTarget, targetOptions),
  },
  { doc: 'The usage of a resource by the pods.' },
);

const ContainerResourceMetricSource = struct(
  'autoscaling/v2.ContainerResourceMetricSource',
  {
    name: field(1, resourceName, { required: true, doc: 'The name of the resource, such as cpu or memory.' }),
    target: field(2, MetricTarget, targetOptions),
    container: field(3, string, { required: true, doc: 'The name of the container in the pods.' }),
  },
  { doc: 'The usage of a resource by one container of each pod.' },
);

const ExternalMetricSource = struct(
  'autoscaling/v2.ExternalMetricSource',
  { metric: field(1, MetricIdentifier, metricOptions), target: field(2, MetricTarget, targetOptions) },
  { doc: 'A metric from outside of the cluster, such as the length of a queue.' },
);

export const MetricSpec = struct(
  'autoscaling/v2.MetricSpec',
  {
    type: field(1, metricSourceType, {
      required: true,
      doc: 'The type of the metric: Object, Pods, Resource, ContainerResource or External.',
    }),
    object: field(2, optional(ObjectMetricSource), { doc: 'A metric of a single object.' }),
    pods: field(3, optional(PodsMetricSource), { doc: 'A metric of each pod.' }),
    resource: field(4, optional(ResourceMetricSource), { doc: 'The usage of a resource by the pods.' }),
    containerResource: field(7, optional(ContainerResourceMetricSource), {
      doc: 'The usage of a resource by one container of each pod.',
    }),
    external: field(5, optional(ExternalMetricSource), { doc: 'A metric from outside of the cluster.' }),
  },
  { doc: 'A metric and its target value. The field of the type is set.' },
);
export type MetricSpec = Infer<typeof MetricSpec>;
