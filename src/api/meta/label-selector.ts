import { list, mapOf } from '../../schema/collections.ts';
import { named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';

export const LabelSelectorRequirement = struct('meta/v1.LabelSelectorRequirement', {
  key: field(1, string, { required: true }),
  operator: field(2, named('meta/v1.LabelSelectorOperator', oneOf('In', 'NotIn', 'Exists', 'DoesNotExist')), {
    required: true,
  }),
  values: field(3, list(string, { type: 'atomic' })),
});
export type LabelSelectorRequirement = Infer<typeof LabelSelectorRequirement>;

export const LabelSelector = struct(
  'meta/v1.LabelSelector',
  {
    matchLabels: field(1, mapOf(string)),
    matchExpressions: field(2, list(LabelSelectorRequirement, { type: 'atomic' })),
  },
  { atomic: true },
);
export type LabelSelector = Infer<typeof LabelSelector>;
