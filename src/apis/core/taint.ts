// Taint: schema.
import { string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';
import { taintEffect } from './toleration.ts';

export const Taint = struct(
  'core/v1.Taint',
  {
    key: field(1, string, { required: true, doc: 'Its key, a label name.' }),
    value: field(2, string, { doc: 'Its value.' }),
    effect: field(3, taintEffect, {
      required: true,
      doc: 'What it does to pods that do not put up with it: kept off, rather kept off, or thrown out.',
    }),
    timeAdded: field(4, optional(time), { doc: 'When it was added. For NoExecute only.' }),
  },
  { doc: 'Something about a node that keeps pods away.' },
);
export type Taint = Infer<typeof Taint>;
