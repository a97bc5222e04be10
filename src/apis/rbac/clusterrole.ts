// ClusterRole: schema.

import { kind } from '../../kind/meta/kind.ts';
import { LabelSelector } from '../../kind/meta/label-selector.ts';
import { list } from '../../schema/collections.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { PolicyRule } from './policy-rule.ts';

export const AggregationRule = struct(
  'rbac/v1.AggregationRule',
  {
    clusterRoleSelectors: field(1, list(LabelSelector, { type: 'atomic' }), {
      doc: 'Selectors of ClusterRoles. Their rules are aggregated if any selector matches.',
    }),
  },
  { doc: 'Selects the ClusterRoles whose rules are aggregated.' },
);
export type AggregationRule = Infer<typeof AggregationRule>;

export const ClusterRole = kind(
  'rbac/v1.ClusterRole',
  {
    rules: field(2, list(PolicyRule, { type: 'atomic' }), {
      omitEmpty: false,
      doc: 'The rules of the ClusterRole. If aggregationRule is set, the controller overwrites them.',
    }),
    aggregationRule: field(3, optional(AggregationRule), {
      doc: 'Aggregates the rules of other ClusterRoles into this one.',
    }),
  },
  {
    doc: 'A set of permissions. A ClusterRoleBinding grants it in the whole cluster, a RoleBinding in one namespace.',
  },
);
export type ClusterRole = Infer<typeof ClusterRole>;
