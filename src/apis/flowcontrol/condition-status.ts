// ConditionStatus of the API group flowcontrol: the values of a condition's status.

import { named, openEnum } from '../../schema/scalars.ts';

export const conditionStatus = named('flowcontrol/v1.ConditionStatus', openEnum('True', 'False', 'Unknown'));
