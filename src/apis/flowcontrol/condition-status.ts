// The status type of FlowSchema and PriorityLevelConfiguration conditions.

import { named, openEnum } from '../../schema/scalars.ts';

export const conditionStatus = named('flowcontrol/v1.ConditionStatus', openEnum('True', 'False', 'Unknown'));
