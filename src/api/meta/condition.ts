import { int64, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';

export const Condition = struct('meta/v1.Condition', {
  type: field(1, string, { required: true }),
  status: field(2, named('meta/v1.ConditionStatus', oneOf('True', 'False', 'Unknown')), { required: true }),
  observedGeneration: field(3, int64),
  lastTransitionTime: field(4, time, { required: true }),
  reason: field(5, string, { required: true }),
  message: field(6, string, { required: true }),
});
export type Condition = Infer<typeof Condition>;
