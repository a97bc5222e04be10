// Schema of ClusterRole.

import { kind } from '../../kind/meta/kind.ts';
import { LabelSelector } from '../../kind/meta/label-selector.ts';
import { list } from '../../schema/collections.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { PolicyRule } from './policy-rule.ts';

export const AggregationRule = struct(
  'rbac/v1.AggregationRule',
  {
    clusterRoleSelectors: field(1, list(LabelSelector, { type: 'atomic' }), {
      doc: 'The roles to gather from: those that any of the selectors selects.',
    }),
  },
  { doc: 'Where a role gathers its rules from.' },
);
export type AggregationRule = Infer<typeof AggregationRule>;

export const ClusterRole = kind(
  'rbac/v1.ClusterRole',
  {
    rules: field(2, list(PolicyRule, { type: 'atomic' }), {
      alwaysWritten: true,
      doc: 'All that it allows. A role that gathers its rules has them overwritten.',
    }),
    aggregationRule: field(3, optional(AggregationRule), {
      doc: 'Gathers the rules of other roles into this one.',
    }),
  },
  {
    doc: 'Permissions for a ClusterRoleBinding to give for the whole cluster, or a RoleBinding for one namespace.',
  },
);
export type ClusterRole = Infer<typeof ClusterRole>;
