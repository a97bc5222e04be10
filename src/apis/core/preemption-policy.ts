// PreemptionPolicy: enum.
import { named, publishedEnum } from '../../schema/scalars.ts';

export const preemptionPolicy = named(
  'core/v1.PreemptionPolicy',
  publishedEnum('PreemptLowerPriority', 'Never'),
);
