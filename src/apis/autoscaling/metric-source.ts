// HorizontalPodAutoscaler v2: schemas of metric sources and targets.
import { LabelSelector } from '../../kind/meta/label-selector.ts';
import { quantity } from '../../schema/quantity-type.ts';
import { int32, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { resourceName } from '../core/resource-name.ts';

export const CrossVersionObjectReference = struct(
  'autoscaling/v2.CrossVersionObjectReference',
  {
    kind: field(1, string, { required: true, doc: 'The kind of the object.' }),
    name: field(2, string, { required: true, doc: 'Its name.' }),
    apiVersion: field(3, string, { doc: 'The group and version of its kind.' }),
  },
  { doc: 'An object in the same namespace, of any kind.' },
);
export type CrossVersionObjectReference = Infer<typeof CrossVersionObjectReference>;

export const metricSourceType = named(
  'autoscaling/v2.MetricSourceType',
  oneOf('Object', 'Pods', 'Resource', 'ContainerResource', 'External'),
);

export const MetricTarget = struct(
  'autoscaling/v2.MetricTarget',
  {
    type: field(1, named('autoscaling/v2.MetricTargetType', oneOf('Utilization', 'Value', 'AverageValue')), {
      required: true,
      doc: 'Which of the others counts.',
    }),
    value: field(2, optional(quantity), { doc: 'The value that is wanted.' }),
    averageValue: field(3, optional(quantity), { doc: 'The value that is wanted, divided by the pods.' }),
    averageUtilization: field(4, optional(int32), {
      doc: 'The value that is wanted in percent of what pods request, on average. Only for resources.',
    }),
  },
  { doc: 'What is wanted of a metric.' },
);
export type MetricTarget = Infer<typeof MetricTarget>;

export const MetricIdentifier = struct(
  'autoscaling/v2.MetricIdentifier',
  {
    name: field(1, string, { required: true, doc: 'The name of the metric.' }),
    selector: field(2, optional(LabelSelector), {
      doc: 'Which of the metrics of that name, by their labels.',
    }),
  },
  { doc: 'A metric by its name.' },
);
export type MetricIdentifier = Infer<typeof MetricIdentifier>;

const target = { required: true, doc: 'What is wanted of it.' };
const metric = { required: true, doc: 'The metric.' };

const ObjectMetricSource = struct(
  'autoscaling/v2.ObjectMetricSource',
  {
    describedObject: field(1, CrossVersionObjectReference, {
      required: true,
      doc: 'The object that it is a metric of.',
    }),
    target: field(2, MetricTarget, target),
    metric: field(3, MetricIdentifier, metric),
  },
  { doc: 'A metric of a single object, such as the requests that an Ingress gets.' },
);

const PodsMetricSource = struct(
  'autoscaling/v2.PodsMetricSource',
  { metric: field(1, MetricIdentifier, metric), target: field(2, MetricTarget, target) },
  { doc: 'A metric of each of the pods, averaged over them.' },
);

const ResourceMetricSource = struct(
  'autoscaling/v2.ResourceMetricSource',
  {
    name: field(1, resourceName, { required: true, doc: 'The resource: cpu, memory.' }),
    target: field(2, MetricTarget, target),
  },
  { doc: 'How much of a resource the pods use.' },
);

const ContainerResourceMetricSource = struct(
  'autoscaling/v2.ContainerResourceMetricSource',
  {
    name: field(1, resourceName, { required: true, doc: 'The resource: cpu, memory.' }),
    target: field(2, MetricTarget, target),
    container: field(3, string, { required: true, doc: 'The name of the container.' }),
  },
  { doc: 'How much of a resource one container of each pod uses.' },
);

const ExternalMetricSource = struct(
  'autoscaling/v2.ExternalMetricSource',
  { metric: field(1, MetricIdentifier, metric), target: field(2, MetricTarget, target) },
  { doc: 'A metric of something that is no object of the API, such as the length of a queue.' },
);

export const MetricSpec = struct(
  'autoscaling/v2.MetricSpec',
  {
    type: field(1, metricSourceType, { required: true, doc: 'Which of the others is set.' }),
    object: field(2, optional(ObjectMetricSource), { doc: 'A metric of a single object.' }),
    pods: field(3, optional(PodsMetricSource), { doc: 'A metric of each of the pods.' }),
    resource: field(4, optional(ResourceMetricSource), { doc: 'A resource that the pods use.' }),
    containerResource: field(7, optional(ContainerResourceMetricSource), {
      doc: 'A resource that one container of each pod uses.',
    }),
    external: field(5, optional(ExternalMetricSource), { doc: 'A metric from outside of the cluster.' }),
  },
  { doc: 'Something that is measured, and what is wanted of it.' },
);
export type MetricSpec = Infer<typeof MetricSpec>;
