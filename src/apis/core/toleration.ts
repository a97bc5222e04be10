// Toleration: schema.
import { int64, named, publishedEnum, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';

export const taintEffect = named(
  'core/v1.TaintEffect',
  publishedEnum('NoSchedule', 'PreferNoSchedule', 'NoExecute'),
);

export const Toleration = struct(
  'core/v1.Toleration',
  {
    key: field(1, string, { doc: 'The key of the taint. Empty, with operator Exists, matches all keys.' }),
    operator: field(2, named('core/v1.TolerationOperator', publishedEnum('Exists', 'Equal')), {
      doc: 'Equal (default) compares the value; Exists matches any value.',
    }),
    value: field(3, string, { doc: 'The value of the taint. Must be empty with operator Exists.' }),
    effect: field(4, taintEffect, { doc: 'The effect of the taint. Empty matches all effects.' }),
    tolerationSeconds: field(5, optional(int64), {
      doc: 'Seconds that a NoExecute taint is tolerated. Absent: forever. Zero or negative: evicted immediately.',
    }),
  },
  { doc: 'The taints that a pod tolerates.' },
);
export type Toleration = Infer<typeof Toleration>;
