// Schema of metav1.ListMeta.

import { int64, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';

export const ListMeta = struct(
  'meta/v1.ListMeta',
  {
    selfLink: field(1, string, { doc: 'No longer used; always empty.' }),
    resourceVersion: field(2, string, { doc: 'The resourceVersion of the list. A watch can start from it.' }),
    continue: field(3, string, {
      doc: 'The continue token for the next chunk. Set if the list is incomplete.',
    }),
    remainingItemCount: field(4, optional(int64), {
      doc: 'The number of remaining objects, if known. Absent if a selector is used.',
    }),
  },
  { doc: 'The metadata of lists.' },
);
export type ListMeta = Infer<typeof ListMeta>;
