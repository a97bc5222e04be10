// HorizontalPodAutoscaler v2: schemas of metric statuses.
import { quantity } from '../../schema/quantity-type.ts';
import { int32, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { resourceName } from '../core/resource-name.ts';
import { CrossVersionObjectReference, MetricIdentifier, metricSourceType } from './metric-source.ts';

const MetricValueStatus = struct(
  'autoscaling/v2.MetricValueStatus',
  {
    value: field(1, optional(quantity), { doc: 'The current value of the metric.' }),
    averageValue: field(2, optional(quantity), { doc: 'The current value of the metric per pod.' }),
    averageUtilization: field(3, optional(int32), {
      doc: 'The current average utilization, in percent of the requested resource.',
    }),
  },
  { doc: 'The current value of a metric.' },
);

const current = { required: true, doc: 'The current value of the metric.' };
const metric = { required: true, doc: 'The metric.' };

const ObjectMetricStatus = struct(
  'autoscaling/v2.ObjectMetricStatus',
  {
    metric: field(1, MetricIdentifier, metric),
    current: field(2, MetricValueStatus, current),
    describedObject: field(3, CrossVersionObjectReference, {
      required: true,
      doc: 'The object that the metric describes.',
    }),
  },
  { doc: 'The current value of a metric of a single object.' },
);

const PodsMetricStatus = struct(
  'autoscaling/v2.PodsMetricStatus',
  { metric: field(1, MetricIdentifier, metric), current: field(2, MetricValueStatus, current) },
  { doc: 'The current value of a metric of the pods.' },
);

const ResourceMetricStatus = struct(
  'autoscaling/v2.ResourceMetricStatus',
  {
    name: field(1, resourceName, { required: true, doc: 'The name of the resource.' }),
    current: field(2, MetricValueStatus, current),
  },
  { doc: 'The current usage of a resource by the pods.' },
);

const ContainerResourceMetricStatus = struct(
  'autoscaling/v2.ContainerResourceMetricStatus',
  {
    name: field(1, resourceName, { required: true, doc: 'The name of the resource.' }),
    current: field(2, MetricValueStatus, current),
    container: field(3, string, { required: true, doc: 'The name of the container in the pods.' }),
  },
  { doc: 'The current usage of a resource by one container of each pod.' },
);

const ExternalMetricStatus = struct(
  'autoscaling/v2.ExternalMetricStatus',
  { metric: field(1, MetricIdentifier, metric), current: field(2, MetricValueStatus, current) },
  { doc: 'The current value of a metric from outside of the cluster.' },
);

export const MetricStatus = struct(
  'autoscaling/v2.MetricStatus',
  {
    type: field(1, metricSourceType, {
      required: true,
      doc: 'The type of the metric: Object, Pods, Resource, ContainerResource or External.',
    }),
    object: field(2, optional(ObjectMetricStatus), { doc: 'The value of a metric of a single object.' }),
    pods: field(3, optional(PodsMetricStatus), { doc: 'The value of a metric of each pod.' }),
    resource: field(4, optional(ResourceMetricStatus), { doc: 'The usage of a resource by the pods.' }),
    containerResource: field(7, optional(ContainerResourceMetricStatus), {
      doc: 'The usage of a resource by one container of each pod.',
    }),
    external: field(5, optional(ExternalMetricStatus), {
      doc: 'The value of a metric from outside of the cluster.',
    }),
  },
  { doc: 'The last read value of a metric. The field of the type is set.' },
);
export type MetricStatus = Infer<typeof MetricStatus>;
