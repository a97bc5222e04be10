// ResourceRequirements, VolumeResourceRequirements and ResourceClaim: schemas.
import { list } from '../../schema/collections.ts';
import { string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';
import { resourceList } from './resource-list.ts';

export const VolumeResourceRequirements = struct(
  'core/v1.VolumeResourceRequirements',
  {
    limits: field(1, resourceList, { doc: 'The most that the volume may have.' }),
    requests: field(2, resourceList, { doc: 'The least that it must have.' }),
  },
  { doc: 'How much of a resource a volume needs.' },
);
export type VolumeResourceRequirements = Infer<typeof VolumeResourceRequirements>;

export const ResourceClaim = struct(
  'core/v1.ResourceClaim',
  {
    name: field(1, string, { required: true, doc: "One of the pod's `resourceClaims`, by its name." }),
    request: field(2, string, { doc: 'One request of the claim; without it, all that was claimed.' }),
  },
  { doc: 'A claim that a container makes use of.' },
);
export type ResourceClaim = Infer<typeof ResourceClaim>;

export const ResourceRequirements = struct(
  'core/v1.ResourceRequirements',
  {
    limits: field(1, resourceList, { doc: 'The most that may be used.' }),
    requests: field(2, resourceList, {
      doc: 'The least that is needed. Where it says nothing but `limits` does, the limit counts.',
    }),
    claims: field(3, list(ResourceClaim, { type: 'map', keys: ['name'] }), {
      doc: 'The claims, of those the pod has, that are used.',
    }),
  },
  { doc: 'How much of each resource is needed and allowed.' },
);
export type ResourceRequirements = Infer<typeof ResourceRequirements>;
