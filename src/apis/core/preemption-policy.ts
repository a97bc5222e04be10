// PreemptionPolicy: enum.
import { documentedEnum, named } from '../../schema/scalars.ts';

export const preemptionPolicy = named(
  'core/v1.PreemptionPolicy',
  documentedEnum('PreemptLowerPriority', 'Never'),
);
