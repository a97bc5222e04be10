// Taint: schema.
import { string, time } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { taintEffect } from './toleration.ts';

export const Taint = struct(
  'core/v1.Taint',
  {
    key: field(1, string, { required: true, doc: 'The key of the taint.' }),
    value: field(2, string, { doc: 'The value of the taint.' }),
    effect: field(3, taintEffect, {
      required: true,
      doc: 'The effect on pods that do not tolerate the taint: NoSchedule, PreferNoSchedule or NoExecute.',
    }),
    timeAdded: field(4, optional(time), { doc: 'When the taint was added. For NoExecute only.' }),
  },
  { doc: 'A taint of a node, which repels pods that do not tolerate it.' },
);
export type Taint = Infer<typeof Taint>;
