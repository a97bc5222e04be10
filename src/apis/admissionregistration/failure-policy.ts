// The schema of failurePolicy, which webhooks and policies share.
import { named, publishedEnum } from '../../schema/scalars.ts';

/** Whether a request fails or proceeds when a webhook or policy cannot be evaluated. */
export const failurePolicyType = named(
  'admissionregistration/v1.FailurePolicyType',
  publishedEnum('Ignore', 'Fail'),
);
