// Schema of metav1.ListMeta.

import { int64, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';

export const ListMeta = struct(
  'meta/v1.ListMeta',
  {
    selfLink: field(1, string, { doc: 'No longer used, and always empty.' }),
    resourceVersion: field(2, string, { doc: 'The state that the list shows. A watch can go on from here.' }),
    continue: field(3, string, { doc: 'Present when there is more: send it back for the next part.' }),
    remainingItemCount: field(4, optional(int64), {
      doc: 'How many more there are, where that is known; not when a selector is used.',
    }),
  },
  { doc: 'What every list has.' },
);
export type ListMeta = Infer<typeof ListMeta>;
