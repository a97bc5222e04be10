// Schema of metav1.FieldSelectorRequirement.

import { list } from '../../schema/collections.ts';
import { named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';

export const FieldSelectorRequirement = struct(
  'meta/v1.FieldSelectorRequirement',
  {
    key: field(1, string, { required: true, doc: 'The field, as a path.' }),
    operator: field(
      2,
      named('meta/v1.FieldSelectorOperator', oneOf('In', 'NotIn', 'Exists', 'DoesNotExist')),
      { required: true, doc: 'Whether the field is there, or has one of the values.' },
    ),
    values: field(3, list(string, { type: 'atomic' }), {
      doc: 'The values: some for In and NotIn, none for Exists and DoesNotExist.',
    }),
  },
  { doc: 'A condition on one field.' },
);
export type FieldSelectorRequirement = Infer<typeof FieldSelectorRequirement>;
