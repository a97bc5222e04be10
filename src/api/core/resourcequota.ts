import { list } from '../../schema/collections.ts';
import { named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy, statusOf } from '../plain-strategy.ts';
import { resource } from '../resource.ts';
import { resourceList } from './resource-list.ts';

export const resourceQuotaScope = named(
  'core/v1.ResourceQuotaScope',
  oneOf(
    'Terminating',
    'NotTerminating',
    'BestEffort',
    'NotBestEffort',
    'PriorityClass',
    'CrossNamespacePodAffinity',
    'VolumeAttributesClass',
  ),
);

export const ScopedResourceSelectorRequirement = struct('core/v1.ScopedResourceSelectorRequirement', {
  scopeName: field(1, resourceQuotaScope, { required: true }),
  operator: field(2, named('core/v1.ScopeSelectorOperator', oneOf('In', 'NotIn', 'Exists', 'DoesNotExist')), {
    required: true,
  }),
  values: field(3, list(string, { type: 'atomic' })),
});
export type ScopedResourceSelectorRequirement = Infer<typeof ScopedResourceSelectorRequirement>;

export const ScopeSelector = struct(
  'core/v1.ScopeSelector',
  {
    matchExpressions: field(1, list(ScopedResourceSelectorRequirement, { type: 'atomic' })),
  },
  { atomic: true },
);
export type ScopeSelector = Infer<typeof ScopeSelector>;

export const ResourceQuotaSpec = struct('core/v1.ResourceQuotaSpec', {
  hard: field(1, resourceList),
  scopes: field(2, list(resourceQuotaScope, { type: 'atomic' })),
  scopeSelector: field(3, optional(ScopeSelector)),
});
export type ResourceQuotaSpec = Infer<typeof ResourceQuotaSpec>;

export const ResourceQuotaStatus = struct('core/v1.ResourceQuotaStatus', {
  hard: field(1, resourceList),
  used: field(2, resourceList),
});
export type ResourceQuotaStatus = Infer<typeof ResourceQuotaStatus>;

export const ResourceQuota = kind(
  'core/v1.ResourceQuota',
  {
    spec: field(2, ResourceQuotaSpec),
    status: field(3, ResourceQuotaStatus),
  },
  { doc: '' },
);
export type ResourceQuota = Infer<typeof ResourceQuota>;

export const resourcequotas = (context: KindContext) =>
  resource<ResourceQuota>({
    group: '',
    version: 'v1',
    kind: 'ResourceQuota',
    plural: 'resourcequotas',
    shortNames: ['quota'],
    schema: ResourceQuota,
    strategy: plainStrategy(context, ResourceQuota),
    subresources: { status: statusOf(context, ResourceQuota) },
  });
