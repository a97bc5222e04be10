// ResourceQuota: schema.
import { kind } from '../../kind/meta/kind.ts';
import { list } from '../../schema/collections.ts';
import { documentedEnum, named, string } from '../../schema/scalars.ts';
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

const resourceQuotaScope = named('core/v1.ResourceQuotaScope', documentedEnum(...quotaScopes));

export const ScopedResourceSelectorRequirement = struct(
  'core/v1.ScopedResourceSelectorRequirement',
  {
    scopeName: field(1, resourceQuotaScope, { required: true, doc: 'The scope.' }),
    operator: field(
      2,
      named('core/v1.ScopeSelectorOperator', documentedEnum('In', 'NotIn', 'Exists', 'DoesNotExist')),
      { required: true, doc: 'How the scope relates to the values: In, NotIn, Exists or DoesNotExist.' },
    ),
    values: field(3, list(string, { type: 'atomic' }), {
      doc: 'At least one for In and NotIn, none for Exists and DoesNotExist.',
    }),
  },
  { doc: 'One condition that objects must meet to be counted.' },
);
export type ScopedResourceSelectorRequirement = Infer<typeof ScopedResourceSelectorRequirement>;

const ScopeSelector = struct(
  'core/v1.ScopeSelector',
  {
    matchExpressions: field(1, list(ScopedResourceSelectorRequirement, { type: 'atomic' }), {
      doc: 'All of these must be met.',
    }),
  },
  { atomic: true, doc: 'Which objects are counted, by their scopes and the values of these.' },
);

const ResourceQuotaSpec = struct(
  'core/v1.ResourceQuotaSpec',
  {
    hard: field(1, resourceList, { doc: 'How much there may be at most, by resource.' }),
    scopes: field(2, list(resourceQuotaScope, { type: 'atomic' }), {
      doc: 'Only objects are counted that all of these match. Without any, all objects. They cannot be changed.',
    }),
    scopeSelector: field(3, optional(ScopeSelector), {
      doc: 'Only objects are counted that this selects too. It cannot be changed.',
    }),
  },
  { doc: 'What is limited, and to how much.' },
);

const ResourceQuotaStatus = struct(
  'core/v1.ResourceQuotaStatus',
  {
    hard: field(1, resourceList, { doc: 'The limits in force.' }),
    used: field(2, resourceList, { doc: 'How much there is.' }),
  },
  { doc: 'The limits in force and how much of them is used up.' },
);

export const ResourceQuota = kind(
  'core/v1.ResourceQuota',
  {
    spec: field(2, ResourceQuotaSpec, { doc: 'What is limited, and to how much.' }),
    status: field(3, ResourceQuotaStatus, { doc: 'The limits in force and how much of them is used up.' }),
  },
  { doc: 'Limits what all objects of a namespace may use together.' },
);
export type ResourceQuota = Infer<typeof ResourceQuota>;
