import { list } from '../../schema/collections.ts';
import { named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';

export const NodeSelectorRequirement = struct('core/v1.NodeSelectorRequirement', {
  key: field(1, string, { required: true }),
  operator: field(
    2,
    named('core/v1.NodeSelectorOperator', oneOf('In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt')),
    { required: true },
  ),
  values: field(3, list(string, { type: 'atomic' })),
});
export type NodeSelectorRequirement = Infer<typeof NodeSelectorRequirement>;

export const NodeSelectorTerm = struct(
  'core/v1.NodeSelectorTerm',
  {
    matchExpressions: field(1, list(NodeSelectorRequirement, { type: 'atomic' })),
    matchFields: field(2, list(NodeSelectorRequirement, { type: 'atomic' })),
  },
  { atomic: true },
);
export type NodeSelectorTerm = Infer<typeof NodeSelectorTerm>;

export const NodeSelector = struct(
  'core/v1.NodeSelector',
  {
    nodeSelectorTerms: field(1, list(NodeSelectorTerm, { type: 'atomic' }), { required: true }),
  },
  { atomic: true },
);
export type NodeSelector = Infer<typeof NodeSelector>;
