import { list } from '../../schema/collections.ts';
import { string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';

export const TopologySelectorLabelRequirement = struct('core/v1.TopologySelectorLabelRequirement', {
  key: field(1, string, { required: true }),
  values: field(2, list(string, { type: 'atomic' }), { required: true }),
});
export type TopologySelectorLabelRequirement = Infer<typeof TopologySelectorLabelRequirement>;

export const TopologySelectorTerm = struct(
  'core/v1.TopologySelectorTerm',
  {
    matchLabelExpressions: field(1, list(TopologySelectorLabelRequirement, { type: 'atomic' })),
  },
  { atomic: true },
);
export type TopologySelectorTerm = Infer<typeof TopologySelectorTerm>;
