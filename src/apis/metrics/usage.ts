// Resource metrics: the fields that PodMetrics and NodeMetrics share.
import { mapOf } from '../../schema/collections.ts';
import { duration } from '../../schema/duration-type.ts';
import { quantity } from '../../schema/quantity-type.ts';
import { time } from '../../schema/scalars.ts';
import { field } from '../../schema/struct.ts';

/** Unlike a ResourceList of a spec, usage is not rounded to milli-units. */
export const usageList = mapOf(quantity, { name: 'v1.ResourceList' });

/** The interval in which the usage was measured. Field numbers are those of protobuf. */
export const measuredInterval = {
  timestamp: field(2, time, { required: true, doc: 'The end of the interval.' }),
  window: field(3, duration, { required: true, doc: 'The length of the interval.' }),
};
