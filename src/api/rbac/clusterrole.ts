import { list } from '../../schema/collections.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { kind } from '../meta/kind.ts';
import { LabelSelector } from '../meta/label-selector.ts';
import { plainStrategy } from '../plain-strategy.ts';
import { resource } from '../resource.ts';
import { PolicyRule } from './role.ts';

export const AggregationRule = struct('rbac/v1.AggregationRule', {
  clusterRoleSelectors: field(1, list(LabelSelector, { type: 'atomic' })),
});
export type AggregationRule = Infer<typeof AggregationRule>;

export const ClusterRole = kind(
  'rbac/v1.ClusterRole',
  {
    rules: field(2, list(PolicyRule, { type: 'atomic' }), { alwaysWritten: true }),
    aggregationRule: field(3, optional(AggregationRule)),
  },
  { doc: '' },
);
export type ClusterRole = Infer<typeof ClusterRole>;

export const clusterroles = (context: KindContext) =>
  resource<ClusterRole>({
    group: 'rbac.authorization',
    version: 'v1',
    kind: 'ClusterRole',
    plural: 'clusterroles',
    namespaced: false,
    schema: ClusterRole,
    strategy: plainStrategy(context, ClusterRole),
  });
