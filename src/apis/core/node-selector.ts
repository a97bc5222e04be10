// NodeSelector: schema.
import { list } from '../../schema/collections.ts';
import { documentedEnum, named, string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';

export const NodeSelectorRequirement = struct(
  'core/v1.NodeSelectorRequirement',
  {
    key: field(1, string, { required: true, doc: 'The label or field.' }),
    operator: field(
      2,
      named(
        'core/v1.NodeSelectorOperator',
        documentedEnum('In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'),
      ),
      { required: true, doc: 'How its value is compared with the values.' },
    ),
    values: field(3, list(string, { type: 'atomic' }), {
      doc: 'Some for In and NotIn, none for Exists and DoesNotExist, one whole number for Gt and Lt.',
    }),
  },
  { doc: 'A condition on a label or field of a node.' },
);
export type NodeSelectorRequirement = Infer<typeof NodeSelectorRequirement>;

export const NodeSelectorTerm = struct(
  'core/v1.NodeSelectorTerm',
  {
    matchExpressions: field(1, list(NodeSelectorRequirement, { type: 'atomic' }), {
      doc: 'Conditions on labels.',
    }),
    matchFields: field(2, list(NodeSelectorRequirement, { type: 'atomic' }), {
      doc: 'Conditions on fields, of which there is one: metadata.name.',
    }),
  },
  { atomic: true, doc: 'Nodes for which all conditions hold; none, if there are no conditions.' },
);
export type NodeSelectorTerm = Infer<typeof NodeSelectorTerm>;

export const NodeSelector = struct(
  'core/v1.NodeSelector',
  {
    nodeSelectorTerms: field(1, list(NodeSelectorTerm, { type: 'atomic' }), {
      required: true,
      doc: 'The terms, at least one.',
    }),
  },
  { atomic: true, doc: 'Nodes that one of the terms selects.' },
);
export type NodeSelector = Infer<typeof NodeSelector>;
