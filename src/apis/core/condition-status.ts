import { named, oneOf } from '../../schema/scalars.ts';

/** Whether a condition holds. */
export const conditionStatus = named('core/v1.ConditionStatus', oneOf('True', 'False', 'Unknown'));
