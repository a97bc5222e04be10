// Schema of metav1.Condition.

import { int64, named, openEnum, string, time } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';

export const Condition = struct(
  'meta/v1.Condition',
  {
    type: field(1, string, { required: true, doc: 'The type of the condition.' }),
    status: field(2, named('meta/v1.ConditionStatus', openEnum('True', 'False', 'Unknown')), {
      required: true,
      doc: 'True, False or Unknown.',
    }),
    observedGeneration: field(3, int64, {
      doc: 'The generation for which the condition was set. The condition may be out of date if the object has a newer one.',
    }),
    lastTransitionTime: field(4, time, { required: true, doc: 'When the status last changed.' }),
    reason: field(5, string, {
      required: true,
      doc: 'A machine-readable reason for the last transition (CamelCase).',
    }),
    message: field(6, string, {
      required: true,
      mustBePresent: true,
      doc: 'A human-readable explanation of the last transition.',
    }),
  },
  { doc: 'A condition of an object.' },
);
export type Condition = Infer<typeof Condition>;
