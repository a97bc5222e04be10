// TopologySelectorTerm: schema.
import { list } from '../../schema/collections.ts';
import { string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';

const TopologySelectorLabelRequirement = struct(
  'core/v1.TopologySelectorLabelRequirement',
  {
    key: field(1, string, { required: true, doc: 'The label of a node.' }),
    values: field(2, list(string, { type: 'atomic' }), {
      required: true,
      doc: 'The values it may have.',
    }),
  },
  { doc: 'A label of nodes and the values that will do.' },
);

export const TopologySelectorTerm = struct(
  'core/v1.TopologySelectorTerm',
  {
    matchLabelExpressions: field(1, list(TopologySelectorLabelRequirement, { type: 'atomic' }), {
      doc: 'Labels that must all match.',
    }),
  },
  { atomic: true, doc: 'A part of the cluster, by the labels of its nodes.' },
);
export type TopologySelectorTerm = Infer<typeof TopologySelectorTerm>;
