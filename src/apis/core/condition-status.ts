// ConditionStatus: the values of a condition's status.
import { named, oneOf } from '../../schema/scalars.ts';

export const conditionStatus = named('core/v1.ConditionStatus', oneOf('True', 'False', 'Unknown'));
