// Toleration: schema.
import { documentedEnum, int64, named, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';

export const taintEffect = named(
  'core/v1.TaintEffect',
  documentedEnum('NoSchedule', 'PreferNoSchedule', 'NoExecute'),
);

export const Toleration = struct(
  'core/v1.Toleration',
  {
    key: field(1, string, { doc: 'The key of the taint. Empty, with operator Exists: any.' }),
    operator: field(2, named('core/v1.TolerationOperator', documentedEnum('Exists', 'Equal')), {
      doc: 'Equal, the default, compares the value; Exists takes any.',
    }),
    value: field(3, string, { doc: 'The value of the taint. Empty with operator Exists.' }),
    effect: field(4, taintEffect, { doc: 'The effect of the taint. Empty: any.' }),
    tolerationSeconds: field(5, optional(int64), {
      doc: 'How long a NoExecute taint is put up with; for ever if left out, not at all if 0 or less.',
    }),
  },
  { doc: 'Taints of a node that a pod puts up with.' },
);
export type Toleration = Infer<typeof Toleration>;
