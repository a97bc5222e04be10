// The schema of failurePolicy.
import { documentedEnum, named } from '../../schema/scalars.ts';

/** Whether a request fails or proceeds when a webhook or policy cannot be evaluated. */
export const failurePolicyType = named(
  'admissionregistration/v1.FailurePolicyType',
  documentedEnum('Ignore', 'Fail'),
);
