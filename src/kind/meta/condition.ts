// Schema of metav1.Condition.

import { int64, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';

export const Condition = struct(
  'meta/v1.Condition',
  {
    type: field(1, string, { required: true, doc: 'Which condition this is.' }),
    status: field(2, named('meta/v1.ConditionStatus', oneOf('True', 'False', 'Unknown')), {
      required: true,
      doc: 'Whether it is met.',
    }),
    observedGeneration: field(3, int64, {
      doc: 'The generation of the object that this is said of. An older one than the object has may be out of date.',
    }),
    lastTransitionTime: field(4, time, { required: true, doc: 'When the status last changed.' }),
    reason: field(5, string, { required: true, doc: 'Why it last changed, in one word for machines.' }),
    message: field(6, string, {
      required: true,
      present: true,
      doc: 'Why it last changed, in words for people.',
    }),
  },
  { doc: 'One thing that is or is not so with an object at the moment.' },
);
export type Condition = Infer<typeof Condition>;
