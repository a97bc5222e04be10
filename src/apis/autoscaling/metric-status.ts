// HorizontalPodAutoscaler v2: schemas of metric statuses.
import { quantity } from '../../schema/quantity-type.ts';
import { int32, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { resourceName } from '../core/resource-name.ts';
import { CrossVersionObjectReference, MetricIdentifier, metricSourceType } from './metric-source.ts';

const MetricValueStatus = struct(
  'autoscaling/v2.MetricValueStatus',
  {
    value: field(1, optional(quantity), { doc: 'The value.' }),
    averageValue: field(2, optional(quantity), { doc: 'The value, divided by the pods.' }),
    averageUtilization: field(3, optional(int32), {
      doc: 'The value in percent of what pods request, on average.',
    }),
  },
  { doc: 'What was measured.' },
);

const current = { required: true, doc: 'What was measured.' };
const metric = { required: true, doc: 'The metric.' };

const ObjectMetricStatus = struct(
  'autoscaling/v2.ObjectMetricStatus',
  {
    metric: field(1, MetricIdentifier, metric),
    current: field(2, MetricValueStatus, current),
    describedObject: field(3, CrossVersionObjectReference, {
      required: true,
      doc: 'The object that it is a metric of.',
    }),
  },
  { doc: 'What was measured of a single object.' },
);

const PodsMetricStatus = struct(
  'autoscaling/v2.PodsMetricStatus',
  { metric: field(1, MetricIdentifier, metric), current: field(2, MetricValueStatus, current) },
  { doc: 'What was measured of the pods.' },
);

const ResourceMetricStatus = struct(
  'autoscaling/v2.ResourceMetricStatus',
  {
    name: field(1, resourceName, { required: true, doc: 'The resource.' }),
    current: field(2, MetricValueStatus, current),
  },
  { doc: 'How much of a resource the pods were seen to use.' },
);

const ContainerResourceMetricStatus = struct(
  'autoscaling/v2.ContainerResourceMetricStatus',
  {
    name: field(1, resourceName, { required: true, doc: 'The resource.' }),
    current: field(2, MetricValueStatus, current),
    container: field(3, string, { required: true, doc: 'The name of the container.' }),
  },
  { doc: 'How much of a resource one container of each pod was seen to use.' },
);

const ExternalMetricStatus = struct(
  'autoscaling/v2.ExternalMetricStatus',
  { metric: field(1, MetricIdentifier, metric), current: field(2, MetricValueStatus, current) },
  { doc: 'What was measured outside of the cluster.' },
);

export const MetricStatus = struct(
  'autoscaling/v2.MetricStatus',
  {
    type: field(1, metricSourceType, { required: true, doc: 'Which of the others is set.' }),
    object: field(2, optional(ObjectMetricStatus), { doc: 'Of a single object.' }),
    pods: field(3, optional(PodsMetricStatus), { doc: 'Of each of the pods.' }),
    resource: field(4, optional(ResourceMetricStatus), { doc: 'A resource that the pods use.' }),
    containerResource: field(7, optional(ContainerResourceMetricStatus), {
      doc: 'A resource that one container of each pod uses.',
    }),
    external: field(5, optional(ExternalMetricStatus), { doc: 'From outside of the cluster.' }),
  },
  { doc: 'Something that was measured.' },
);
export type MetricStatus = Infer<typeof MetricStatus>;
