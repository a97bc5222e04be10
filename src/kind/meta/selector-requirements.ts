// Schema of metav1.FieldSelectorRequirement.

import { list } from '../../schema/collections.ts';
import { named, openEnum, string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';

export const FieldSelectorRequirement = struct(
  'meta/v1.FieldSelectorRequirement',
  {
    key: field(1, string, { required: true, doc: 'The path of the field.' }),
    operator: field(
      2,
      named('meta/v1.FieldSelectorOperator', openEnum('In', 'NotIn', 'Exists', 'DoesNotExist')),
      { required: true, doc: 'The relation of the field to the values: In, NotIn, Exists or DoesNotExist.' },
    ),
    values: field(3, list(string, { type: 'atomic' }), {
      doc: 'The values: at least one for In and NotIn, none for Exists and DoesNotExist.',
    }),
  },
  { doc: 'A requirement on a field.' },
);
export type FieldSelectorRequirement = Infer<typeof FieldSelectorRequirement>;
