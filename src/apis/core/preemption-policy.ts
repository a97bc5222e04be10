// PreemptionPolicy: enum.
import { named, oneOf } from '../../schema/scalars.ts';

export const preemptionPolicy = named('core/v1.PreemptionPolicy', oneOf('PreemptLowerPriority', 'Never'));
