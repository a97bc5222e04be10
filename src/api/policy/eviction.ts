import { field, type Infer, optional } from '../../schema/struct.ts';
import { DeleteOptions } from '../meta/delete-options.ts';
import { kind } from '../meta/kind.ts';

export const Eviction = kind(
  'policy/v1.Eviction',
  {
    deleteOptions: field(2, optional(DeleteOptions)),
  },
  { doc: '' },
);
export type Eviction = Infer<typeof Eviction>;
