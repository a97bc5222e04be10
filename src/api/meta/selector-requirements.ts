import { list } from '../../schema/collections.ts';
import { named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';

export const FieldSelectorRequirement = struct('meta/v1.FieldSelectorRequirement', {
  key: field(1, string, { required: true }),
  operator: field(2, named('meta/v1.FieldSelectorOperator', oneOf('In', 'NotIn', 'Exists', 'DoesNotExist')), {
    required: true,
  }),
  values: field(3, list(string, { type: 'atomic' })),
});
export type FieldSelectorRequirement = Infer<typeof FieldSelectorRequirement>;
