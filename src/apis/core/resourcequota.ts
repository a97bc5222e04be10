// ResourceQuota: schema.
import { kind } from '../../kind/meta/kind.ts';
import { list } from '../../schema/collections.ts';
import { named, publishedEnum, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { resourceList } from './resource-list.ts';

export const quotaScopes = [
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'CrossNamespacePodAffinity',
  'VolumeAttributesClass',
] as const;

const resourceQuotaScope = named('core/v1.ResourceQuotaScope', publishedEnum(...quotaScopes));

export const ScopedResourceSelectorRequirement = struct(
  'core/v1.ScopedResourceSelectorRequirement',
  {
    scopeName: field(1, resourceQuotaScope, { required: true, doc: 'The name of the scope.' }),
    operator: field(
      2,
      named('core/v1.ScopeSelectorOperator', publishedEnum('In', 'NotIn', 'Exists', 'DoesNotExist')),
      { required: true, doc: 'The relation of the scope to the values: In, NotIn, Exists or DoesNotExist.' },
    ),
    values: field(3, list(string, { type: 'atomic' }), {
      doc: 'At least one for In and NotIn, none for Exists and DoesNotExist.',
    }),
  },
  { doc: 'A requirement on a scope of the counted objects.' },
);
export type ScopedResourceSelectorRequirement = Infer<typeof ScopedResourceSelectorRequirement>;

const ScopeSelector = struct(
  'core/v1.ScopeSelector',
  {
    matchExpressions: field(1, list(ScopedResourceSelectorRequirement, { type: 'atomic' }), {
      doc: 'The requirements. All must match.',
    }),
  },
  { atomic: true, doc: 'Selects the counted objects by scope.' },
);

const ResourceQuotaSpec = struct(
  'core/v1.ResourceQuotaSpec',
  {
    hard: field(1, resourceList, { doc: 'The hard limit for each resource.' }),
    scopes: field(2, list(resourceQuotaScope, { type: 'atomic' }), {
      doc: 'Only objects that match all of these scopes are counted. If empty, all objects are. Immutable.',
    }),
    scopeSelector: field(3, optional(ScopeSelector), {
      doc: 'Only objects that this selector matches too are counted. Immutable.',
    }),
  },
  { doc: 'The specification of a ResourceQuota.' },
);

const ResourceQuotaStatus = struct(
  'core/v1.ResourceQuotaStatus',
  {
    hard: field(1, resourceList, { doc: 'The hard limits that are enforced.' }),
    used: field(2, resourceList, { doc: 'The current usage of each resource in the namespace.' }),
  },
  { doc: 'The enforced limits and the current usage.' },
);

export const ResourceQuota = kind(
  'core/v1.ResourceQuota',
  {
    spec: field(2, ResourceQuotaSpec, { doc: 'The hard limits and their scopes.' }),
    status: field(3, ResourceQuotaStatus, { doc: 'The enforced limits and the current usage.' }),
  },
  { doc: 'Limits the aggregate resource usage of a namespace.' },
);
export type ResourceQuota = Infer<typeof ResourceQuota>;
