import { named, oneOf } from '../../schema/scalars.ts';

export const failurePolicyType = named('admissionregistration/v1.FailurePolicyType', oneOf('Ignore', 'Fail'));
