// The schema of failurePolicy.
import { named, oneOf } from '../../schema/scalars.ts';

/** What becomes of a request where a webhook or a policy cannot be asked. */
export const failurePolicyType = named('admissionregistration/v1.FailurePolicyType', oneOf('Ignore', 'Fail'));
