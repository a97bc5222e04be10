// NodeSelector: schema.
import { list } from '../../schema/collections.ts';
import { named, publishedEnum, string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';

export const NodeSelectorRequirement = struct(
  'core/v1.NodeSelectorRequirement',
  {
    key: field(1, string, { required: true, doc: 'The label key, or the field.' }),
    operator: field(
      2,
      named(
        'core/v1.NodeSelectorOperator',
        publishedEnum('In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'),
      ),
      {
        required: true,
        doc: 'The relation of the value to `values`: In, NotIn, Exists, DoesNotExist, Gt or Lt.',
      },
    ),
    values: field(3, list(string, { type: 'atomic' }), {
      doc: 'At least one for In and NotIn, none for Exists and DoesNotExist, one integer for Gt and Lt.',
    }),
  },
  { doc: 'A requirement on a label or field of a node.' },
);
export type NodeSelectorRequirement = Infer<typeof NodeSelectorRequirement>;

export const NodeSelectorTerm = struct(
  'core/v1.NodeSelectorTerm',
  {
    matchExpressions: field(1, list(NodeSelectorRequirement, { type: 'atomic' }), {
      doc: 'Requirements on labels.',
    }),
    matchFields: field(2, list(NodeSelectorRequirement, { type: 'atomic' }), {
      doc: 'Requirements on fields. Only metadata.name is supported.',
    }),
  },
  {
    atomic: true,
    doc: 'Matches nodes that satisfy all requirements. A term without requirements matches no node.',
  },
);
export type NodeSelectorTerm = Infer<typeof NodeSelectorTerm>;

export const NodeSelector = struct(
  'core/v1.NodeSelector',
  {
    nodeSelectorTerms: field(1, list(NodeSelectorTerm, { type: 'atomic' }), {
      required: true,
      doc: 'The terms, at least one. A node matches if any term matches.',
    }),
  },
  { atomic: true, doc: 'Selects nodes that match any of the terms.' },
);
export type NodeSelector = Infer<typeof NodeSelector>;
