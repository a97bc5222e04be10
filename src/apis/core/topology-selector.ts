// TopologySelectorTerm: schema.
import { list } from '../../schema/collections.ts';
import { string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';

const TopologySelectorLabelRequirement = struct(
  'core/v1.TopologySelectorLabelRequirement',
  {
    key: field(1, string, { required: true, doc: 'The key of a node label.' }),
    values: field(2, list(string, { type: 'atomic' }), {
      required: true,
      doc: 'The allowed values of the label.',
    }),
  },
  { doc: 'A requirement on a node label.' },
);

export const TopologySelectorTerm = struct(
  'core/v1.TopologySelectorTerm',
  {
    matchLabelExpressions: field(1, list(TopologySelectorLabelRequirement, { type: 'atomic' }), {
      doc: 'The requirements. All must match.',
    }),
  },
  { atomic: true, doc: 'Selects a topology domain by node labels.' },
);
export type TopologySelectorTerm = Infer<typeof TopologySelectorTerm>;
