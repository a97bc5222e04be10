// The status type of FlowSchema and PriorityLevelConfiguration conditions.

import { named, oneOf } from '../../schema/scalars.ts';

export const conditionStatus = named('flowcontrol/v1.ConditionStatus', oneOf('True', 'False', 'Unknown'));
